// Package journal finds claims in personal health journals: what the writer
// felt in the body, ate, felt, and thought, each with the words that prove it.
//
// What to count on: every claim is a stretch of the journal's own text, found
// once and carried with its place; claims come in the order of the text and do
// not overlap; the same cards and the same text give the same claims; and every
// claim and every refusal names the card that decided. Where no card knows what
// a piece claims, nothing is claimed.
//
// No card names an ailment, a food or a feeling. What is eaten, felt or noticed
// is known by how it is said: verbs of eating, feeling, sleeping and noticing,
// parts of the body, meals and measures, labels, lists. english/*.txt holds all
// of that, in cards that carry their own examples:
//
//	piece-1-edges ... piece-8-weaker  what a piece of a sentence claims, asked in this order
//	joints, labels                    where a sentence is cut, and what stands before a colon
//	negation, doubt, time, degree     the cues for polarity and the buckets
//	words                             the closed classes that the cards speak of
//
// testdata/CONVENTIONS.md tells what counts as an item.
package journal
