package grade

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/align"
	"verbatim/internal/layout"
)

// An Explanation shows what matched what in one journal, and why. It contains
// the journal's text.
type Explanation struct {
	ID   string
	Text string // empty if the texts were not given
	Gold []ExplainedItem
	Pred []ExplainedItem

	TP, FP, FN              int
	Exact, Overlap, Optimal int
	Rates                   Rates
	HasText                 bool
}

// An ExplainedItem is an item with its place and its match.
type ExplainedItem struct {
	Number  int    // from 1
	Domain  string // empty if it is not in the list
	Span    string
	Place   verbatim.Span // bytes of the text, if Placed
	Placed  bool          // the span occurs in the text
	Valid   bool
	Gold    int    // of a prediction: the number of its gold item, or 0
	Pred    int    // of a gold item: the number of its prediction, or 0
	Context string // of a prediction without a match: the text around it
	// Fits lists, for a prediction without a match, the gold items that it fits
	// but that earlier predictions took.
	Fits       []int
	Attributes []AttributeVerdict // of a prediction with a match
	Relation   string             // of a prediction with a match: how the spans relate, for people
}

// An AttributeVerdict compares one attribute of a pair.
type AttributeVerdict struct {
	Name       string
	Gold, Pred string // labels of the values
	Verdict    Verdict
}

// A Verdict is the result of comparing an attribute.
type Verdict string

// The verdicts.
const (
	Right    Verdict = "right"
	Wrong    Verdict = "wrong"
	Excluded Verdict = "excluded"
)

func (a Attribute) compare(gold, pred int8) Verdict {
	switch {
	case a.excluded(gold) || a.excluded(pred):
		return Excluded
	case gold == pred:
		return Right
	}
	return Wrong
}

// Explain explains the items of one journal of the gold.
func (r *Result) Explain(id string) (*Explanation, error) { return r.explain(id, 0) }

// ExplainAgainst is Explain for the system that the predictions are compared
// with.
func (r *Result) ExplainAgainst(id string) (*Explanation, error) {
	if r.Against == nil {
		return nil, errors.New("there is no second system to explain")
	}
	return r.explain(id, 1)
}

// JournalIDs lists the journals of the gold in file order.
func (r *Result) JournalIDs() []string { return slices.Clone(r.roster.ids) }

// explain explains one system's items: 0 for Pred, 1 for Against.
func (r *Result) explain(id string, system int) (*Explanation, error) {
	number, known := r.roster.number[id]
	if !known {
		return nil, fmt.Errorf("%s has no journal %q", r.Gold.Name, id)
	}
	i := int(number)
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
		switch pred, gold := &m.pred[p], &m.gold[g]; {
		case m.equal(pred, gold):
			it.Relation = "the spans are equal, ignoring case"
		case len(m.text(pred)) < len(m.text(gold)):
			it.Relation = "the gold span contains the prediction"
		default:
			it.Relation = "the prediction contains the gold span"
		}
		for a, attribute := range r.Schema.Attributes {
			v, w := r.Schema.value(gold, int(g), a), r.Schema.value(pred, p, a)
			labels := attribute.Labels()
			it.Attributes = append(it.Attributes, AttributeVerdict{attribute.Name, labels[attribute.label(v)], labels[attribute.label(w)], attribute.compare(v, w)})
		}
	}
	e.FP, e.FN = len(e.Pred)-e.TP, len(e.Gold)-e.TP
	e.Rates = ratesOf(float64(e.TP), float64(len(e.Pred)), float64(len(e.Gold)))
	return e, nil
}

// readAgain reads a journal that was scored, so its problems are already known.
func (r *Result) readAgain(i, system int) (gold, pred *record, text string, err error) {
	lines, err := r.roster.fetch(i, i+1)
	if err != nil {
		return nil, nil, "", err
	}
	read := func(c int) *record {
		rec := &record{}
		r.roster.columns[c].readItems(r.Schema, lines[c][0], r.roster.columns[c].at[i], rec)
		return rec
	}
	if r.HasText {
		text, _ = r.journals().readText(lines[len(lines)-1][0], r.journals().at[i])
	}
	return read(0), read(1 + system), text, nil
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

// contextOf returns an item's span in brackets, with some text on either side.
func contextOf(text string, it *ExplainedItem) string {
	const around = 40
	if !it.Placed {
		return ""
	}
	start, end := max(0, it.Place.Start-around), min(len(text), it.Place.End+around)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[start:it.Place.Start] + "[" + text[it.Place.Start:it.Place.End] + "]" + text[it.Place.End:end]
}

// Write prints the pairs of a journal, why each matched, and the sums. With
// redact, it prints places instead of text.
func (e *Explanation) Write(w io.Writer, redact bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Journal %s\n", printable(e.ID))
	if e.Text != "" && !redact {
		fmt.Fprintf(&b, "\n  %s\n", wrap(e.Text))
	}
	for i := range e.Pred {
		e.writePred(&b, &e.Pred[i], redact)
	}
	for i := range e.Gold {
		if g := &e.Gold[i]; g.Pred == 0 {
			fmt.Fprintf(&b, "\nGold item %d, %s: %s\n  No prediction matches it.\n  Result: false negative\n", g.Number, g.Domain, g.Quote(redact))
		}
	}
	fmt.Fprintf(&b, "\nTP %d, FP %d, FN %d\n", e.TP, e.FP, e.FN)
	fmt.Fprintf(&b, "precision = %d/(%d+%d) = %s\n", e.TP, e.TP, e.FP, FormatFigure(e.Rates.Precision))
	fmt.Fprintf(&b, "recall    = %d/(%d+%d) = %s\n", e.TP, e.TP, e.FN, FormatFigure(e.Rates.Recall))
	fmt.Fprintf(&b, "F1        = 2*%d/(2*%d+%d+%d) = %s\n", e.TP, e.TP, e.FP, e.FN, FormatFigure(e.Rates.F1))
	fmt.Fprintf(&b, "pairs in the other modes: exact %d, optimal %d", e.Exact, e.Optimal)
	if e.HasText {
		fmt.Fprintf(&b, ", overlap %d", e.Overlap)
	}
	fmt.Fprintln(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (e *Explanation) writePred(b *strings.Builder, p *ExplainedItem, redact bool) {
	domain := p.Domain
	if domain == "" {
		domain = "a domain that is not in the list"
	}
	fmt.Fprintf(b, "\nPredicted item %d, %s: %s\n", p.Number, domain, p.Quote(redact))
	if e.HasText && p.Valid && !p.Placed {
		fmt.Fprintf(b, "  Not covered: the span is not in the journal, character by character.\n")
		if near := align.NewText(e.Text).Find(p.Span, 0); near.Kind != align.Absent {
			fmt.Fprintf(b, "  It is nearly verbatim; what differs: %s.\n", near.Words())
		}
	}
	result := "false positive"
	switch {
	case !p.Valid:
		fmt.Fprintln(b, "  Invalid: an item needs a domain from the list and a span.")
	case p.Gold == 0 && len(p.Fits) > 0:
		fmt.Fprintf(b, "  Fits gold item %s, which an earlier prediction took.\n", p.FitsList())
	case p.Gold == 0:
		fmt.Fprintln(b, "  No gold item of this domain contains it or is contained in it.")
		if p.Context != "" && !redact {
			fmt.Fprintf(b, "  Context: %s\n", wrap(p.Context))
		}
	default:
		g := &e.Gold[p.Gold-1]
		fmt.Fprintf(b, "  Gold item %d, %s: %s\n  Same domain, and %s.\n", g.Number, g.Domain, g.Quote(redact), p.Relation)
		for _, a := range p.Attributes {
			if a.Gold != NotGiven || a.Pred != NotGiven {
				fmt.Fprintf(b, "  %s: gold %s, predicted %s: %s\n", a.Name, a.Gold, a.Pred, a.Verdict)
			}
		}
		result = "true positive"
	}
	fmt.Fprintf(b, "  Result: %s\n", result)
}

// Quote returns the item's span in quotation marks or, with redact, its place.
func (it *ExplainedItem) Quote(redact bool) string {
	switch {
	case !redact && it.Span != "":
		return fmt.Sprintf("%q", it.Span)
	case it.Span == "":
		return "(no span)"
	case it.Placed:
		return fmt.Sprintf("bytes %d to %d", it.Place.Start, it.Place.End)
	default:
		return fmt.Sprintf("%d bytes, not in the text", len(it.Span))
	}
}

// FitsList is Fits as text, such as "2, 5".
func (it *ExplainedItem) FitsList() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(it.Fits), " ", ", "), "[]")
}

// wrap breaks a text into lines of at most 76 columns, indented by two. Several
// spaces in a row are shown, because a span must have them too.
func wrap(text string) string {
	text = spaces.ReplaceAllStringFunc(text, func(run string) string { return strings.Repeat("␣", len(run)) })
	return layout.Hang(strings.Join(strings.Fields(text), " "), 78, 2)
}

var spaces = regexp.MustCompile(` {2,}`)
