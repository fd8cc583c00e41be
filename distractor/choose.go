package distractor

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"verbatim"
)

// RankLures ranks the candidates of a request by how good a wrong answer each
// makes, the best first: by fit, topic and nearness, with the weights of the
// request's lures. Before that, candidates that a reader would exclude at a glance
// are set aside, with the reason, and are not scored. If fewer than `want` are
// left, those set aside for the least severe reason come back, after all others.
// What must not be used is in neither list: the ground truth, what is in the
// passage, and what the request excludes.
func RankLures(ctx context.Context, scorer verbatim.Scorer, r *Request, want int) ([]Ranked, []Aside, error) {
	ranked, _, aside, err := rankLures(ctx, scorer, r, want)
	return ranked, aside, err
}

// rankLures is RankLures, with the score of the ground truth if the request asks
// for it.
func rankLures(ctx context.Context, scorer verbatim.Scorer, r *Request, want int) (ranked []Ranked, truth *Ranked, aside []Aside, err error) {
	lures := cmp.Or(r.Lures, usual)
	var all []candidate
	all, aside = r.usable(lures)
	usable := enough(all, want, lures)
	aside = slices.DeleteFunc(aside, func(a Aside) bool {
		return slices.ContainsFunc(usable, func(c candidate) bool { return c.index == a.Index })
	})
	texts := make([]string, len(r.Candidates))
	for i := range usable {
		texts[usable[i].index] = usable[i].text // the others are empty, and Rank leaves them out
	}
	without := r.GroundTruth
	if r.RankTruth { // as the last candidate
		texts, without = append(texts, r.GroundTruth), ""
	}
	if ranked, err = Rank(ctx, scorer, r.Passage, r.Mask, texts, without); err != nil {
		return nil, nil, nil, err
	}
	ranked, truth = takeTruth(ranked, len(r.Candidates))
	byIndex := map[int]*candidate{}
	for i := range usable {
		byIndex[usable[i].index] = &usable[i]
	}
	for place := range ranked {
		one, c := &ranked[place], byIndex[ranked[place].Index]
		fit := 1 - float64(place)/float64(len(ranked))
		one.Topic, one.Kin = c.topic, c.detail != nil && c.detail.Kin
		one.Total = lures.weights["fit"]*fit + c.order(lures)
		one.Reason = c.reason
	}
	slices.SortStableFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(byIndex[a.Index].severity, byIndex[b.Index].severity), cmp.Compare(b.Total, a.Total))
	})
	return ranked, truth, aside, nil
}

// GoodLures counts the candidates of a request that are not set aside and speak of
// what the passage speaks of.
func GoodLures(r *Request) int {
	const spoken = 0.2
	all, _ := r.usable(cmp.Or(r.Lures, usual))
	n := 0
	for _, c := range all {
		if c.severity == 0 && c.topic >= spoken {
			n++
		}
	}
	return n
}

// A Memory keeps what was found out about candidates that several requests share.
// It may be used from several goroutines.
type Memory struct{ texts sync.Map } // *lure without detail, by text

// lure returns a candidate with its words, and whether it is several sentences.
func (m *Memory) lure(text string) lure {
	if m == nil {
		return newLure(text)
	}
	if known, found := m.texts.Load(text); found {
		return known.(lure)
	}
	made := newLure(text)
	m.texts.Store(text, made)
	return made
}

func newLure(text string) lure {
	return lure{text: text, tokens: tokens(text), several: severalSentencesIn(text)}
}

// A candidate is a lure with its place in the request.
type candidate struct {
	lure
	index    int
	severity int    // 0 if it was not set aside
	reason   string // why it was
	topic    float64
}

// order is what is known about a candidate before it is scored.
func (c *candidate) order(l *Lures) float64 {
	return l.weights["topic"]*c.topic + l.weights["near"]*nearness(c.detail)
}

// usable returns the candidates that may be used, each with its severity, and
// which of them are set aside.
func (r *Request) usable(l *Lures) (all []candidate, aside []Aside) {
	seen := map[string]bool{sameness(r.GroundTruth): true, "": true}
	for _, text := range r.Exclude {
		seen[sameness(text)] = true
	}
	passage, s := sameness(r.Passage), l.newScene(r)
	for i, text := range r.Candidates {
		key := sameness(text)
		if seen[key] || strings.Contains(passage, key) {
			continue
		}
		seen[key] = true
		c := candidate{lure: r.Memory.lure(text), index: i}
		if i < len(r.Details) {
			c.detail = &r.Details[i]
		}
		if a, out := s.setAside(&c.lure); out {
			a.Index, c.severity, c.reason = i, a.Severity, a.Reason
			aside = append(aside, a)
		}
		if c.severity < never {
			c.topic = s.topic(&c.lure)
			all = append(all, c)
		}
	}
	return all, aside
}

// enough returns the candidates that were not set aside and, if they are fewer
// than `want`, the best of the others: those of the least severity first, among
// equals by topic and nearness. The order stays that of the request.
func enough(all []candidate, want int, l *Lures) []candidate {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), cmp.Compare(b.order(l), a.order(l)))
	})
	n := 0
	for n < len(order) && (n < want || order[n].severity == 0) {
		n++
	}
	order = order[:n]
	slices.SortFunc(order, func(a, b candidate) int { return a.index - b.index })
	return order
}
