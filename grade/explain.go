package grade

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"verbatim"
)

// An Explanation is one journal, item by item: what matched what, and why. It
// carries the journal's words.
type Explanation struct {
	ID   string
	Text string // empty without journals
	Gold []ExplainedItem
	Pred []ExplainedItem

	TP, FP, FN              int
	Exact, Overlap, Optimal int
	Rates                   Rates
	HasText                 bool
}

// An ExplainedItem is an item with its place and its partner.
type ExplainedItem struct {
	Number  int    // from 1
	Domain  string // empty where it is not in the list
	Span    string
	Place   verbatim.Span // bytes of the text
	Placed  bool
	Valid   bool
	Gold    int    // of a prediction: the number of its gold item, or 0
	Pred    int    // of a gold item: the number of its prediction, or 0
	Context string // of a prediction that matched nothing: what stands around it
	// Fits are, for a prediction without partner, the gold items that it would
	// fit and that were taken before.
	Fits       []int
	Attributes []AttributeVerdict // of a prediction with a partner
	Equal      bool               // the spans of the pair are equal but for case
	Within     bool               // the prediction is a piece of the gold item
}

// AttributeVerdict is a comparison of one attribute.
type AttributeVerdict struct {
	Name       string
	Gold, Pred string // their values, or (not given), (not in the list)
	Verdict    Verdict
}

// A Verdict says how a comparison went.
type Verdict string

// The verdicts.
const (
	Right    Verdict = "right"
	Wrong    Verdict = "wrong"
	Excluded Verdict = "excluded"
)

// Explain gives one journal of the gold in full.
func (r *Result) Explain(id string) (*Explanation, error) {
	number, known := r.roster.number[id]
	if !known {
		return nil, fmt.Errorf("there is no journal %q in %s", id, r.roster.gold.source.Name)
	}
	return r.explain(int(number), 0)
}

// explain explains one system's items: 0 the predictions, 1 what they are
// compared to.
func (r *Result) explain(i, system int) (*Explanation, error) {
	gold, pred, text, err := r.readAgain(i, system)
	if err != nil {
		return nil, err
	}
	var m matcher
	found := m.match(gold, pred, text, r.HasText)
	e := &Explanation{ID: r.roster.ids[i], Text: text, HasText: r.HasText, Exact: found.exact, Overlap: found.overlap, Optimal: found.optimal}
	e.Gold, e.Pred = r.explainItems(gold, text), r.explainItems(pred, text)
	for p, g := range found.pairs {
		it := &e.Pred[p]
		if g < 0 {
			it.Context = contextOf(text, it)
			for k := range m.gold {
				if m.fits(&m.pred[p], &m.gold[k]) {
					it.Fits = append(it.Fits, k+1)
				}
			}
			continue
		}
		e.TP++
		it.Gold, e.Gold[g].Pred = int(g)+1, p+1
		it.Equal = m.equal(&m.pred[p], &m.gold[g])
		it.Within = len(m.text(&m.pred[p])) < len(m.text(&m.gold[g]))
		it.Attributes = r.verdicts(gold, pred, int(g), p)
	}
	e.FP, e.FN = len(e.Pred)-e.TP, len(e.Gold)-e.TP
	e.Rates = ratesOf(float64(e.TP), float64(len(e.Pred)), float64(len(e.Gold)))
	return e, nil
}

// readAgain reads a journal that has been scored, so that its faults are known.
func (r *Result) readAgain(i, system int) (gold, pred *record, text string, err error) {
	gold, pred = &record{}, &record{}
	lines := make([]string, 1+len(r.roster.columns))
	if lines[0], err = r.roster.gold.source.at(r.roster.gold.lines[i]); err != nil {
		return nil, nil, "", err
	}
	for c := range r.roster.columns {
		column := &r.roster.columns[c]
		if at := column.at[i]; at.number > 0 {
			if lines[c+1], err = column.source.at(at); err != nil {
				return nil, nil, "", err
			}
		}
	}
	read := func(line string, rec *record) {
		if line != "" && !r.Schema.read(line, rec) {
			if _, readable := r.Schema.examine(line, rec); !readable {
				rec.reset()
			}
		}
	}
	read(lines[0], gold)
	read(lines[1+system], pred)
	if r.HasText {
		_, text, _ = examineJournal(lines[len(lines)-1])
	}
	return gold, pred, text, nil
}

func (r *Result) explainItems(rec *record, text string) []ExplainedItem {
	list := make([]ExplainedItem, len(rec.items))
	for i := range rec.items {
		it := &rec.items[i]
		list[i] = ExplainedItem{Number: i + 1, Span: it.span, Valid: it.valid()}
		if it.domain != badDomain {
			list[i].Domain = r.Schema.Domains[it.domain]
		}
		if r.HasText {
			known := verbatim.Item{EvidenceSpan: it.span, Place: &verbatim.Place{
				ByteStart: it.place[0], ByteEnd: it.place[1], Start: it.place[2], End: it.place[3]}}
			list[i].Place, list[i].Placed = known.Locate(text)
		}
	}
	return list
}

func (r *Result) verdicts(gold, pred *record, g, p int) (list []AttributeVerdict) {
	for a, attribute := range r.Schema.Attributes {
		v, w := r.Schema.value(gold, g, a), r.Schema.value(pred, p, a)
		names := append(slices.Clone(attribute.Values), notGiven, notListed)
		verdict := AttributeVerdict{Name: attribute.Name, Gold: names[attribute.place(v)], Pred: names[attribute.place(w)]}
		switch {
		case attribute.silent(v) || attribute.silent(w):
			verdict.Verdict = Excluded
		case v == w:
			verdict.Verdict = Right
		default:
			verdict.Verdict = Wrong
		}
		list = append(list, verdict)
	}
	return list
}

// contextOf is an item's words with some letters on either side.
func contextOf(text string, it *ExplainedItem) string {
	const around = 40
	if !it.Placed {
		return ""
	}
	from, to := max(0, it.Place.Start-around), min(len(text), it.Place.End+around)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return text[from:it.Place.Start] + "[" + text[it.Place.Start:it.Place.End] + "]" + text[it.Place.End:to]
}
