package grade

import "verbatim"

// A Pair is a gold item and the prediction that matches it, by index.
type Pair struct{ Gold, Pred int }

// Match pairs the gold and predicted items of one journal by the rule of this
// package. Items without a domain or a span match nothing. The pairs are in the
// order of the predictions.
func Match(gold, pred []verbatim.Item) []Pair {
	var m matcher
	m.startItems(gold, pred)
	m.containment()
	return pairsOf(m.pairs)
}

// MatchOptimal pairs the items so that no other choice gives more pairs.
func MatchOptimal(gold, pred []verbatim.Item) []Pair {
	var m matcher
	m.startItems(gold, pred)
	m.containment()
	m.optimal()
	for g, p := range m.partner {
		if p >= 0 {
			m.pairs[p] = int32(g)
		}
	}
	return pairsOf(m.pairs)
}

func (m *matcher) startItems(gold, pred []verbatim.Item) {
	domains := map[string]int32{"": badDomain}
	g, p := recordOf(gold, domains), recordOf(pred, domains)
	m.start(g, p, len(g.items)*len(p.items) > plainLimit)
}

func recordOf(items []verbatim.Item, domains map[string]int32) *record {
	rec := &record{}
	for i := range items {
		domain, known := domains[items[i].Domain]
		if !known {
			domain = int32(len(domains) - 1)
			domains[items[i].Domain] = domain
		}
		it, _ := rec.add(0)
		it.domain, it.span = domain, items[i].EvidenceSpan
	}
	return rec
}

func pairsOf(goldOf []int32) (pairs []Pair) {
	for p, g := range goldOf {
		if g >= 0 {
			pairs = append(pairs, Pair{int(g), p})
		}
	}
	return pairs
}
