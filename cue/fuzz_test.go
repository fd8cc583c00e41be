package cue

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var hostile = []string{
	"",
	"But.",
	"But nobody came, for the road was lost; and yet, \"if they had known,\" said he, \"they would have come.\"",
	"“But why?” — ‘because’, he said, “I was, as it were, lost.”",
	"so so so, so, so that so as to so",
	"If if if, then then; thus: hence - for (because",
	"Caf\u00e9 e\u0301t\u00e9, mais for \u00e9lan, but\u00a0no\u2003space; since 1859.",
	"the empty barns-for nobody threshed, uncalled-for, so-called; as-if.",
	"\xff\xfebut, \x80 because \xf0\x28",
	"[But] (for) {if} <so>, 'tis 'twas, don’t — can't.",
	"\t but\r\n\r\nbecause \v\f since",
}

// For any sentence, spans agree with the text: the connector is at its span,
// its word index counts white-space words, and a tag's scope is in the sentence
// and starts where it should.
func FuzzPlacesAgreeWithTheText(f *testing.F) {
	for _, s := range hostile {
		f.Add("Why did he go?", s)
	}
	r := Connectors().NewReader()
	senses := r.cards.lex.wordsOf("senses")
	f.Fuzz(func(t *testing.T, previous, sentence string) {
		hits := slices.Clone(r.Hits(previous, sentence))
		last := 0
		for _, h := range hits {
			if h.Start < last || h.End > len(sentence) || h.Start >= h.End {
				t.Fatalf("%q: span %v of %q is out of order or range", sentence, h.Span, h.Connector)
			}
			if h.Subtype != "answer" { // an answer's first word can be a connector too
				last = h.End
			}
			checkPlace(t, sentence, h)
			if h.Card == "" || !slices.Contains(senses, h.Sense) {
				t.Fatalf("%q: card %q decided that %q is %q", sentence, h.Card, h.Connector, h.Sense)
			}
		}
		tags, rejected := r.Tags(previous, sentence)
		for _, tag := range tags {
			checkPlace(t, sentence, tag.Hit)
			if !tag.Scope.Contains(tag.Span) || tag.Scope.Start < 0 || tag.Scope.End > len(sentence) {
				t.Fatalf("%q: scope %v does not contain %v", sentence, tag.Scope, tag.Span)
			}
			if strings.HasSuffix(tag.Name, "clause") && tag.Scope.Start != tag.Start {
				t.Fatalf("%q: the clause starts at %d, its connector at %d", sentence, tag.Scope.Start, tag.Start)
			}
			if tag.ScopeCard == "" || tag.Tier != Sure && tag.Tier != Wide {
				t.Fatalf("%q: %+v has no card or tier", sentence, tag)
			}
		}
		for _, tag := range rejected {
			if tag.Reason == "" {
				t.Fatalf("%q: %q was rejected without a reason", sentence, tag.Connector)
			}
		}
	})
}

func checkPlace(t *testing.T, sentence string, h Hit) {
	t.Helper()
	found := strings.Join(strings.Fields(sentence[h.Start:h.End]), " ")
	// An answer's connector is in the question; its place is its first word.
	if plain := strings.ReplaceAll(found, "’", "'"); h.Subtype != "answer" && utf8.ValidString(found) && !strings.EqualFold(plain, h.Connector) {
		t.Fatalf("%q: the text at %v is %q, want %q", sentence, h.Span, found, h.Connector)
	}
	words := strings.Fields(sentence)
	if h.Word >= len(words) {
		t.Fatalf("%q: there is no word %d", sentence, h.Word)
	}
	// The connector must start inside its word.
	at := 0
	for i, w := range words {
		at += strings.Index(sentence[at:], w)
		if i == h.Word && (h.Start < at || h.Start >= at+len(w)) {
			t.Fatalf("%q: %q at byte %d is not in word %d, %q", sentence, h.Connector, h.Start, i, w)
		}
		at += len(w)
	}
}

// Tokens cover every byte that is not white space, once and in order.
func FuzzTokensCoverTheSentence(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	lex := Connectors().lex
	f.Fuzz(func(t *testing.T, s string) {
		var text text
		text.tokenize(s, lex)
		var got strings.Builder
		last := int32(0)
		for _, tok := range text.tokens {
			if tok.start < last || tok.end <= tok.start {
				t.Fatalf("%q: token %d-%d after %d", s, tok.start, tok.end, last)
			}
			got.WriteString(s[tok.start:tok.end])
			last = tok.end
		}
		if want := strings.Join(strings.Fields(s), ""); got.String() != want {
			t.Fatalf("%q: tokens give %q, want %q", s, got.String(), want)
		}
	})
}
