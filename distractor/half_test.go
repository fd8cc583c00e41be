package distractor

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// A shortSighted scorer reads 125 words of a pair, as the small model reads 125
// wordpieces, and scores a pair by a hash of what it reads.
type shortSighted struct {
	heads bool            // read the start of the first text too, as other models do
	read  []verbatim.Pair // of all pairs
}

func (*shortSighted) Measure(text string) (length, limit int) {
	return min(len(strings.Fields(text)), 126), 125
}

func (s *shortSighted) Room(partner string) int {
	length, limit := s.Measure(partner)
	return limit - min(length, (limit+1)/2)
}

func (s *shortSighted) Score(_ context.Context, pairs []verbatim.Pair) ([]float64, error) {
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		first, second := strings.Fields(p.First), strings.Fields(p.Second)
		mine := min(len(first), max(62, 125-len(second)))
		second = second[:min(len(second), 125-mine)]
		if s.heads {
			first = first[:mine]
		} else {
			first = first[len(first)-mine:]
		}
		hash := fnv.New32a()
		fmt.Fprint(hash, first, second)
		scores[i] = -float64(hash.Sum32()) / (1 << 32)
		s.read = append(s.read, verbatim.Pair{First: strings.Join(first, " "), Second: strings.Join(second, " ")})
	}
	return scores, nil
}

// numbered is n different words.
func numbered(name string, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint(name, i)
	}
	return strings.Join(words, " ")
}

func TestSpec7TheScorerReadsTheCandidateInASentenceOf300Words(t *testing.T) {
	short, long := "One came.", "There was "+numbered("far", 298)+"."
	for name, c := range map[string]struct{ before, after, previous, next string }{
		"clause at the end":                     {numbered("b", 300) + ", ", ".", short, short},
		"clause at the end, long neighbours":    {numbered("b", 300) + ", ", ".", long, long},
		"clause in the middle":                  {numbered("b", 150) + ", ", ", " + numbered("a", 150) + ".", short, short},
		"clause in the middle, long neighbours": {numbered("b", 150) + ", ", ", " + numbered("a", 150) + ".", long, long},
		"clause at the start":                   {"", ", " + numbered("a", 300) + ".", long, long},
		"sentence":                              {"", "", long, long},
	} {
		for _, heads := range []bool{false, true} {
			scorer := &shortSighted{heads: heads}
			s := setting{c.previous, c.before, c.after, c.next}
			candidates := []Ranked{{Candidate: numbered("x", 25)}, {Candidate: numbered("y", 20)}}
			for _, h := range s.halves(scorer, candidates) {
				for _, candidate := range candidates {
					pair := h.pair(candidate.Candidate)
					_, _ = scorer.Score(t.Context(), []verbatim.Pair{pair})
					read := scorer.read[len(scorer.read)-1]
					before, after := strings.Fields(c.before), strings.Fields(c.after)
					touching := strings.Join(before[max(0, len(before)-3):], " ") + " " + candidate.Candidate + strings.Join(after[:min(len(after), 3)], " ")
					if !strings.Contains(read.First+"|"+read.Second, strings.TrimSpace(touching)) {
						t.Errorf("%s, %s: the scorer reads %q", name, h.name, read)
					}
					if !strings.HasSuffix(c.before, h.before) || !strings.HasPrefix(c.after, h.after) {
						t.Errorf("%s, %s: the scorer gets %q", name, h.name, pair)
					}
				}
			}
		}
	}
}

// Whatever the lengths, candidates that differ in their first 20 words have
// different scores. If only the next sentence is there, the scorer may read only
// their ends, so these differ too.
func TestSpec7DifferentCandidatesDoNotTieBecauseOfLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 3))
	for round := range 500 {
		length := func() int { return rng.IntN(1 + rng.IntN(400)) }
		s := setting{"", numbered("b", length()) + ", ", ", " + numbered("a", length()) + ".", ""}
		if rng.IntN(4) > 0 {
			s.previous = numbered("p", 1+length())
		}
		if rng.IntN(4) > 0 || s.previous == "" {
			s.next = numbered("n", 1+length())
		}
		scorer := &shortSighted{heads: rng.IntN(2) == 0}
		tail := ""
		if s.previous != "" || scorer.heads {
			tail = " " + numbered("same", length())
		}
		var ranked []Ranked
		for i := range 8 {
			words := strings.Fields(numbered("w", 1+rng.IntN(20)))
			words[rng.IntN(len(words))] = fmt.Sprint("own", i)
			ranked = append(ranked, Ranked{Candidate: strings.Join(words, " ") + tail})
		}
		halves := s.halves(scorer, ranked)
		seen := map[float64]bool{}
		for _, r := range ranked {
			var pairs []verbatim.Pair
			for _, h := range halves {
				pairs = append(pairs, h.pair(r.Candidate))
			}
			scores, _ := scorer.Score(t.Context(), pairs)
			sum := 0.0
			for _, score := range scores {
				sum += score
			}
			if seen[sum] {
				t.Fatalf("round %d: %q ties; the scorer reads %q", round, r.Candidate, scorer.read[len(scorer.read)-len(pairs):])
			}
			seen[sum] = true
		}
	}
}

// A pair that the scorer reads whole is not shortened.
func TestPairsThatFitAreUnchanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 4))
	for range 500 {
		s := setting{numbered("p", 1+rng.IntN(60)), numbered("b", rng.IntN(30)) + " ", " " + numbered("a", rng.IntN(10)), numbered("n", 1+rng.IntN(60))}
		candidates := []Ranked{{Candidate: numbered("c", 1+rng.IntN(24))}, {Candidate: numbered("d", 1+rng.IntN(24))}}
		whole, got := s.halves(&overlap{}, candidates), s.halves(&shortSighted{}, candidates)
		for i, h := range got {
			for _, c := range candidates {
				if h.pair(c.Candidate) != whole[i].pair(c.Candidate) {
					t.Fatalf("%q became %q", whole[i].pair(c.Candidate), h.pair(c.Candidate))
				}
			}
		}
	}
}

// Candidates that are the same as far as the scorer reads are named, and the half
// that differs gives the order.
func TestTiesBecauseOfLengthAreNamed(t *testing.T) {
	start := "But " + numbered("same", 150)
	candidates := []string{start + " first.", start + " second.", "But he left.", start + " third."}
	for _, c := range []struct{ passage, tied string }{
		{numbered("p", 70) + ". M Nobody came.", "[previous]"},
		{numbered("p", 70) + ". M", "[previous]"},
		{"Nobody came. M", "[previous]"},
	} {
		ranked, err := Rank(t.Context(), &shortSighted{}, c.passage, "M", candidates, "")
		if err != nil || len(ranked) != 4 {
			t.Fatal(ranked, err)
		}
		var order []int
		for _, r := range ranked {
			want := c.tied
			if r.Index == 2 {
				want = "[]"
			} else {
				order = append(order, r.Index)
			}
			if fmt.Sprint(r.Tied) != want {
				t.Errorf("%.20q is tied in %v, want %s", r.Candidate, r.Tied, want)
			}
		}
		if ranked[0].Next == nil && !slices.IsSorted(order) {
			t.Errorf("equal candidates have the order %v", order)
		}
	}
}

// The sum of a large and a small score may hide that the small ones differ.
func TestTheHalfThatDiffersGivesTheOrder(t *testing.T) {
	for name, scores := range map[string][]float64{"next": {-1e18, -1e18, -2, -1}, "previous": {-2, -1, -1e18, -1e18}} {
		ranked, err := Rank(t.Context(), broken{scores: scores}, "One came. M Two left.", "M", []string{"But a.", "But b."}, "")
		if err != nil || ranked[0].Candidate != "But b." || ranked[0].Score != ranked[1].Score {
			t.Errorf("%s differs: %+v, %v", name, ranked, err)
		}
	}
}
