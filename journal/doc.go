// Package journal extracts items from personal health journals: the writer's
// symptoms, food, emotions and state of mind, each with its evidence.
//
// Every item is a verbatim part of the journal and carries its place. Items are
// in text order and do not overlap. The same cards and the same text give the
// same items. Every item and every rejected piece names the card that decided.
// If no card recognizes a claim, there is no item.
//
// No card names an ailment, a food or a feeling. The cards recognize a claim by
// its wording: verbs of eating, feeling, sleeping and noticing, body parts, meals
// and amounts, labels, lists. The cards are in english/*.txt, with their examples:
//
//	piece-1-edges ... piece-8-weaker  what a piece of a sentence claims, in this order
//	joints, labels                    where to split a sentence, and labels before a colon
//	negation, doubt, time, degree     the cues for polarity and the buckets
//	words                             the closed word classes that the cards use
//
// testdata/CONVENTIONS.md defines what counts as an item.
package journal
