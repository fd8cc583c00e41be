package cue

import (
	"slices"
	"strings"

	"verbatim"
)

// A Tag is a hit and the stretch of the sentence that it governs; a refused
// one carries the reason and no stretch.
type Tag struct {
	Hit
	Name      string        // causalsentence, causalclause, ...
	Scope     verbatim.Span // bytes of the sentence: what a question would mask
	Tier      string        // sure or wide
	ScopeCard string
	Reason    string // of a refused tag
}

// Sure is the tier of tags that need no language model; Wide is the other.
const (
	Sure = "sure"
	Wide = "wide"
)

// Tags decides the senses of a sentence and what of it each joint governs. A
// sentence holds at most one tag of a name: the card says whether the first or
// the last; the others are refused.
func (r *Reader) Tags(previous, sentence string) (tags, refused []Tag) {
	for _, hit := range r.Hits(previous, sentence) {
		if hit.Kind == "" {
			continue
		}
		tag, keep, ok := r.scope(hit)
		switch {
		case !ok:
		case tag.Reason != "":
			refused = append(refused, tag)
		default:
			tags, refused = settle(tags, refused, tag, keep)
		}
	}
	return tags, refused
}

// settle puts a tag in, where its name is still free or its card says last.
func settle(tags, refused []Tag, tag Tag, keep string) ([]Tag, []Tag) {
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
		return tags, append(refused, tag)
	}
	return append(tags, tag), refused
}

// scope asks the scope cards of a hit's kind. A hit that no card speaks of
// gives nothing.
func (r *Reader) scope(hit Hit) (tag Tag, keep string, ok bool) {
	a := at{&r.text, hit.token, hit.tokens}
	for _, card := range r.cards.scopes[hit.Kind] {
		if len(card.Senses) > 0 && !slices.Contains(card.Senses, hit.Sense) || !card.applies(a) {
			continue
		}
		tag = Tag{Hit: hit, ScopeCard: card.Name, Reason: card.Refuse}
		if card.Refuse != "" {
			tag.Name = hit.Sense
			return tag, "", true
		}
		tag.Tier = card.Tier
		if !hit.Sure {
			tag.Tier = Wide
		}
		if isReach(card.Scope) {
			tag.Scope = a.reach(card)
			tag.Name = hit.Sense
			return tag, "", true
		}
		tag.Scope = a.scopeSpan(card.Scope)
		tag.Name = hit.Sense + "clause"
		if card.Scope == "the sentence" {
			tag.Name = hit.Sense + "sentence"
		}
		return tag, card.Keep, true
	}
	return tag, "", false
}

// Reaches decides the senses of a sentence and how far each of them reaches. A
// refused hit is not among them. The slice is good until the next call.
func (r *Reader) Reaches(previous, sentence string) []Tag {
	r.tags = r.tags[:0]
	for _, hit := range r.Hits(previous, sentence) {
		if tag, _, ok := r.scope(hit); ok && tag.Reason == "" {
			r.tags = append(r.tags, tag)
		}
	}
	return r.tags
}

// reach gives the match and what it governs, up to the first of the card's
// ends on each side, or to the sentence's edge.
func (a at) reach(card *Card) verbatim.Span {
	from, to := a.i, a.i+a.n
	if card.Scope != behind {
		for n := 0; to < len(a.tokens) && !a.endsAt(card, to); to++ {
			if a.tokens[to].kind == word {
				if n++; card.Most > 0 && n > card.Most {
					break
				}
			}
		}
	}
	if card.Scope != ahead {
		for n := 0; from > 0 && !a.endsAt(card, from-1); from-- {
			if a.tokens[from-1].kind == word {
				if n++; card.Most > 0 && n > card.Most {
					break
				}
			}
		}
	}
	return verbatim.Span{Start: int(a.tokens[from].start), End: int(a.tokens[to-1].end)}
}

func (a at) endsAt(card *Card, i int) bool {
	for _, p := range card.ends {
		if p.matchAt(a.text, i) {
			return true
		}
	}
	return false
}

// scopeSpan gives the bytes of a named scope.
func (a at) scopeSpan(scope string) verbatim.Span {
	start := int(a.tokens[a.i].start)
	last := len(a.tokens) - 1
	switch scope {
	case "the sentence":
		return verbatim.Span{Start: int(a.tokens[0].start), End: int(a.tokens[last].end)}
	case "to the next comma":
		_, last = a.area("segment")
		last--
	case "to the end of the clause":
		_, last = a.area("clause")
		last--
	}
	return verbatim.Span{Start: start, End: a.withoutFinal(last)}
}

// withoutFinal is the end of token `last`, less the final stop, the closing
// quotation marks and note marks after or before it. A bracket that the clause
// itself opened stays.
func (a at) withoutFinal(last int) int {
	for ; last > a.i; last-- { // once a tag
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

// opened: the bracket that token `last` closes was opened after the match.
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
