// Package distractor makes wrong answers for a masked passage: the negation of
// the ground truth, the sentences of the same book that fit best, and what a
// language model of today would write.
//
// What you can rely on: each request gives three lists of equal length, the ground
// truth first. A distractor that could not be made is left out and named, never
// replaced by another. The package has no connections of its own: it uses the
// Scorer and the ChatModel that it is given.
package distractor
