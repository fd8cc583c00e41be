package cue

import (
	"slices"
	"strings"

	"verbatim"
)

// A Tag is a hit and what it governs, or the reason why it was rejected.
type Tag struct {
	Hit
	Name      string        // causalsentence, causalclause, ...
	Scope     verbatim.Span // in bytes of the sentence: the text that a question masks
	Tier      string        // sure or wide
	ScopeCard string
	Reason    string // why the tag was rejected
}

// The tiers: Sure tags need no language model, Wide tags should be confirmed by
// one.
const (
	Sure = "sure"
	Wide = "wide"
)

// Tags returns the tags of a sentence and the rejected ones. A sentence has at
// most one tag of each name: the card says whether the first or the last, and
// the others are rejected.
func (r *Reader) Tags(previous, sentence string) (tags, rejected []Tag) {
	for _, hit := range r.Hits(previous, sentence) {
		if hit.Kind == "" {
			continue
		}
		tag, keep, ok := r.scope(hit)
		switch {
		case !ok:
		case tag.Reason != "":
			rejected = append(rejected, tag)
		default:
			tags, rejected = addTag(tags, rejected, tag, keep)
		}
	}
	return tags, rejected
}

// addTag adds a tag if its name is new or its card keeps the last one.
func addTag(tags, rejected []Tag, tag Tag, keep string) ([]Tag, []Tag) {
	for i, old := range tags {
		if old.Name != tag.Name {
			continue
		}
		if keep == "last" {
			tags[i], tag = tag, old
			tag.Reason = "a later connector of this category ends the sentence"
		} else {
			tag.Reason = "an earlier connector of this category opens the sentence"
		}
		return tags, append(rejected, tag)
	}
	return append(tags, tag), rejected
}

// scope tries the scope cards for a hit; ok is false if none applies.
func (r *Reader) scope(hit Hit) (tag Tag, keep string, ok bool) {
	a := at{&r.text, hit.token, hit.tokens}
	for _, card := range r.cards.scopes[hit.Kind] {
		if len(card.senses) > 0 && !slices.Contains(card.senses, hit.Sense) || !card.applies(a) {
			continue
		}
		tag = Tag{Hit: hit, Name: hit.Sense, ScopeCard: card.Name, Reason: card.Refuse}
		if card.Refuse != "" {
			return tag, "", true
		}
		tag.Tier = card.Tier
		if !hit.Sure {
			tag.Tier = Wide
		}
		if isReach(card.Scope) {
			tag.Scope = a.reach(card)
			return tag, "", true
		}
		tag.Scope = a.scopeSpan(card.Scope)
		tag.Name = hit.Sense + "clause"
		if card.Scope == "the sentence" {
			tag.Name = hit.Sense + "sentence"
		}
		return tag, card.keep, true
	}
	return tag, "", false
}

// Reaches returns the hits of a sentence with the text that each governs,
// without the rejected ones. The slice is valid until the next call.
func (r *Reader) Reaches(previous, sentence string) []Tag {
	r.tags = r.tags[:0]
	for _, hit := range r.Hits(previous, sentence) {
		if tag, _, ok := r.scope(hit); ok && tag.Reason == "" {
			r.tags = append(r.tags, tag)
		}
	}
	return r.tags
}

// reach returns the match and the text that it governs, up to the first of the
// card's ends on each side or to the edge of the sentence.
func (a at) reach(card *Card) verbatim.Span {
	first, last := a.i, a.i+a.n-1
	if card.Scope != behind {
		last = a.reachFrom(card, last, 1)
	}
	if card.Scope != ahead {
		first = a.reachFrom(card, first, -1)
	}
	return a.bytes(first, last+1)
}

// reachFrom returns the last token from i, in steps of 1 or -1, before an end.
func (a at) reachFrom(card *Card, i, step int) int {
	for words := 0; i+step >= 0 && i+step < len(a.tokens); i += step {
		if slices.ContainsFunc(card.ends, func(p pattern) bool { return p.matchAt(a.text, i+step) }) {
			break
		}
		if a.tokens[i+step].kind == word {
			if words++; card.most > 0 && words > card.most {
				break
			}
		}
	}
	return i
}

// bytes returns the bytes of the tokens [start, end).
func (t *text) bytes(start, end int) verbatim.Span {
	return verbatim.Span{Start: int(t.tokens[start].start), End: int(t.tokens[end-1].end)}
}

// scopeSpan returns the bytes of a named scope.
func (a at) scopeSpan(scope string) verbatim.Span {
	start := int(a.tokens[a.i].start)
	last := len(a.tokens) - 1
	switch scope {
	case "the sentence":
		return a.bytes(0, last+1)
	case "to the next comma":
		_, last = a.segment()
		last--
	case "to the end of the clause":
		_, last = a.clause()
		last--
	}
	return verbatim.Span{Start: start, End: a.withoutFinal(last)}
}

// withoutFinal returns the end of token last without what closes a sentence. A
// bracket that the clause itself opened stays.
func (a at) withoutFinal(last int) int {
	for ; last > a.i; last-- {
		tok := a.tokens[last]
		s := a.sentence[tok.start:tok.end]
		switch {
		case tok.kind == word,
			tok.kind == closeBracket && a.opened(last),
			tok.kind == mark && !strings.ContainsAny(s, "*†‡§"):
			return int(tok.end)
		}
	}
	return int(a.tokens[max(last, a.i)].end)
}

// opened reports whether the bracket that ends at last opened after the match.
func (a at) opened(last int) bool {
	depth := 0
	for _, tok := range a.tokens[a.i:last] {
		switch tok.kind {
		case openBracket:
			depth++
		case closeBracket:
			depth--
		}
	}
	return depth > 0
}
