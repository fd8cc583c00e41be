package cue

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// An occurrence is a line of the gold files; see the notes on connectors.
type occurrence struct {
	Doc       string `json:"doc"`
	Sentence  string `json:"sentence"`
	Previous  string `json:"prev"`
	Connector string `json:"connector"`
	Start     int    `json:"start"`
	Gold      string `json:"gold"`
	ToEnd     bool   `json:"arg2_to_end"`
}

// gold reads a gold file, or skips the test if the data folder is not there.
func gold(t *testing.T, name string) []occurrence {
	path := filepath.Join("..", "..", "shared", "data", "connectors", name)
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("the gold data is not here (%v); this test needs ../shared/data/connectors beside the checkout", err)
	}
	defer file.Close()
	var all []occurrence
	for o, err := range verbatim.Read[occurrence](file, name) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// A score counts the results for one sense.
type score struct{ hit, false, missed int }

func (s score) precision() float64 { return ratio(s.hit, s.hit+s.false) }
func (s score) recall() float64    { return ratio(s.hit, s.hit+s.missed) }
func (s score) f1() float64        { return ratio(2*s.hit, 2*s.hit+s.false+s.missed) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// senseOf returns the cards' sense for a gold occurrence. The gold files call
// purpose causal.
func senseOf(r *Reader, o occurrence) string {
	for _, hit := range r.Hits(o.Previous, o.Sentence) {
		if hit.Start == o.Start {
			if hit.Sense == "effect" && hit.Subtype == "purpose" {
				return "causal"
			}
			return hit.Sense
		}
	}
	return "none"
}

// The floors are a little below the results on the open halves, so that a
// change that breaks a card fails here first.
func TestGoldSenses(t *testing.T) {
	floors := map[string]map[string]float64{
		"gold_senses.jsonl":   {"causal": .79, "effect": .73, "contrast": .915, "conditional": .91, "concessive": .91, "accuracy": .84},
		"period_labels.jsonl": {"causal": .94, "effect": .92, "concessive": .90, "accuracy": .90},
	}
	for _, name := range []string{"gold_senses.jsonl", "period_labels.jsonl"} {
		t.Run(name, func(t *testing.T) {
			r := Connectors().NewReader()
			scores := map[string]*score{}
			for _, s := range r.cards.lex.wordsOf("senses") {
				scores[s] = &score{}
			}
			right := 0
			all := gold(t, name)
			for _, o := range all {
				got := senseOf(r, o)
				if got == o.Gold {
					right++
					scores[got].hit++
				} else {
					scores[got].false++
					scores[o.Gold].missed++
				}
			}
			for sense, floor := range floors[name] {
				got := ratio(right, len(all))
				if s := scores[sense]; s != nil {
					got = s.f1()
					t.Logf("%-12s P %.3f R %.3f F1 %.3f", sense, s.precision(), s.recall(), got)
				} else {
					t.Logf("%-12s %.3f", sense, got)
				}
				if got < floor {
					t.Errorf("%s is %.3f, want %.3f", sense, got, floor)
				}
			}
		})
	}
}

// The test takes the sense from the gold, as the notes do: for connectors of
// three senses after , ; : it measures only the end of the clause.
func TestGoldClauseEnds(t *testing.T) {
	r := Connectors().NewReader()
	tiers := map[string]*score{Sure: {}, Wide: {}}
	ends := 0
	for _, o := range gold(t, "gold_senses.jsonl") {
		if !slices.Contains([]string{"causal", "conditional", "concessive"}, o.Gold) ||
			slices.Contains([]string{"for", "so", "so that", "in order to"}, o.Connector) || !afterMark(o) {
			continue
		}
		if o.ToEnd {
			ends++
		}
		kind := "subordinator"
		if o.Connector == "because" {
			kind = "because"
		}
		tag, ok := r.scopeOf(o.Previous, o.Sentence, o.Start, o.Gold, kind)
		if !ok || tag.Reason != "" {
			if testing.Verbose() && o.ToEnd {
				t.Logf("missed (%s): %s[%s", tag.ScopeCard, o.Sentence[:o.Start], o.Sentence[o.Start:])
			}
			continue
		}
		for _, tier := range []string{Sure, Wide} { // wide includes sure
			if tier == Sure && tag.Tier != Sure {
				continue
			}
			if o.ToEnd {
				tiers[tier].hit++
			} else {
				tiers[tier].false++
				if testing.Verbose() && tier == tag.Tier {
					t.Logf("%s, wrong: %s[%s", tier, o.Sentence[:o.Start], o.Sentence[o.Start:])
				}
			}
		}
	}
	for _, tier := range []string{Sure, Wide} {
		s := tiers[tier]
		s.missed = ends - s.hit
		t.Logf("%s: P %.3f R %.3f (%d offered)", tier, s.precision(), s.recall(), s.hit+s.false)
	}
	if p := tiers[Sure].precision(); p < .88 {
		t.Errorf("the precision of the sure tier is %.3f, want 0.88", p)
	}
}

func afterMark(o occurrence) bool {
	before := strings.TrimRight(o.Sentence[:o.Start], " \n\"“'‘")
	return before != "" && strings.ContainsAny(before[len(before)-1:], ",;:")
}

// scopeOf applies the scope cards to an occurrence with a given sense and kind.
func (r *Reader) scopeOf(previous, sentence string, start int, sense, kind string) (Tag, bool) {
	for _, hit := range r.Hits(previous, sentence) {
		if hit.Start == start {
			hit.Sense, hit.Kind, hit.Sure = sense, kind, true
			tag, _, ok := r.scope(hit)
			return tag, ok
		}
	}
	return Tag{}, false
}
