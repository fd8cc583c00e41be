// Package distractor makes wrong answers for a masked passage: the negation of
// the right one, the sentences of the same book that fit the blank best, and
// what a language model of today would write.
//
// What to count on: one request gives three lists of one length, the ground
// truth first; a distractor that failed is left out and named, never replaced
// in silence; and the package talks to nobody by itself, but to the Scorer and
// the ChatModel that it is given.
package distractor
