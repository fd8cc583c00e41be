package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"verbatim"
	"verbatim/balance"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/review"
)

// Choice is the file of a book with the wrong answers that were chosen over a
// closed set. Without it, questions have the answers that were accepted.
const Choice = "choice.jsonl"

// chosenAnswers is one line of that file: the wrong answers of one question.
type chosenAnswers struct {
	Draft     string   `json:"draft"`
	Decisions []string `json:"decisions"` // that accepted it; with others the line does not count
	verbatim.Choice
	Options []verbatim.Option `json:"options"`
}

// answersOf are the wrong answers of an accepted question, and what chose them.
func (b *Book) answersOf(s *review.Standing) ([]verbatim.Option, *verbatim.Choice) {
	for _, line := range b.chosen() {
		if line.Draft == s.Draft && slices.Equal(line.Decisions, headsOf(s)) {
			choice := line.Choice
			return line.Options, &choice
		}
	}
	return s.Options(), choiceOf(s.Options())
}

// choiceOf is what chose the answers of a draft, where it was not the fit alone.
func choiceOf(options []verbatim.Option) *verbatim.Choice {
	for _, o := range options {
		if o.Chosen != "" {
			return &verbatim.Choice{By: o.Chosen}
		}
	}
	return nil
}

func headsOf(s *review.Standing) []string {
	var ids []string
	for _, head := range s.Heads {
		ids = append(ids, head.ID)
	}
	slices.Sort(ids)
	return ids
}

// chosen are the lines of the book's file of choices. A file that cannot be read
// is as good as none, and a note says so.
func (b *Book) chosen() []chosenAnswers {
	lines, err := readFile[chosenAnswers](b.File(Choice))
	if err != nil {
		b.Note("%w", damaged(Name(b.Barcode, Choice), err))
		return nil
	}
	return lines
}

// A Balanced value says what Balance has done.
type Balanced struct {
	Questions int // of the set
	Changed   int // questions with other wrong answers than before
	Unseen    int // wrong answers that no reviewer has accepted
	Small     int // questions with nothing to choose from
	Set       string
	Books     []string
	Problems  []error // books that could not be read
}

// BalanceOptions say how to balance a set.
type BalanceOptions struct {
	Texts    string // the folder with the texts; empty: beside the working folder
	Reviewed bool   // choose only among answers that a reviewer has accepted
	Scorer   Options
}

// Balance chooses the wrong answers of all accepted questions of the folder, so
// that together they give nothing away, and writes the files of questions. It
// never offers what a reviewer rejected. What it chose depends on the set of
// accepted questions alone.
func (ws *Workspace) Balance(ctx context.Context, o BalanceOptions) (*Balanced, error) {
	barcodes, err := ws.Books()
	if err != nil {
		return nil, err
	}
	done := &Balanced{}
	var open []*Book
	defer func() {
		for _, b := range open {
			_ = b.Close()
		}
	}()
	var all []*closing
	for i, barcode := range barcodes {
		b, err := ws.openDecided(barcode, o.Texts)
		if err != nil {
			done.Problems = append(done.Problems, err)
			continue
		}
		open = append(open, b)
		found, err := b.closings(ctx, &o)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
		ws.progress("books read")(i+1, len(barcodes))
	}
	var items []balance.Item
	for _, c := range all {
		items = append(items, c.item)
	}
	done.Questions, done.Set = len(all), setOf(all)
	for i, chosen := range balance.Choose(items) {
		all[i].settle(chosen, done)
	}
	for _, b := range open {
		if err := b.saveChoice(all, done.Set); err != nil {
			return nil, err
		}
		done.Books = append(done.Books, b.Barcode)
	}
	return done, ctx.Err()
}

// Unbalance removes the choices over a closed set: the questions have the
// answers again that were accepted.
func (ws *Workspace) Unbalance(texts string) (removed int, err error) {
	barcodes, err := ws.Books()
	if err != nil {
		return 0, err
	}
	for _, barcode := range barcodes {
		err := os.Remove(ws.Path(barcode, Choice))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return removed, err
		}
		removed++
		b, err := ws.openDecided(barcode, texts)
		if err == nil {
			err = errors.Join(b.SaveQuestions(false), b.Close())
		}
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// openDecided opens a book for which something was decided, with its drafts.
func (ws *Workspace) openDecided(barcode, texts string) (*Book, error) {
	path, err := ws.Text(barcode, texts)
	if err != nil {
		return nil, err
	}
	b, err := ws.OpenBook(path)
	if err != nil {
		return nil, err
	}
	if b.About, err = ws.Describe(ws.Catalogue, barcode); err == nil {
		if err = b.reviewTags(); err == nil {
			b.drafts, err = ReadDrafts(b.File(Drafts))
		}
	}
	return b.unless(err)
}

// A closing is an accepted question whose wrong answers are chosen.
type closing struct {
	book     *Book
	standing review.Standing
	item     balance.Item
	pool     []verbatim.Option
	fixed    []verbatim.Option
	result   []verbatim.Option
	unseen   int
}

// closings are the accepted questions of a book, each with what it could offer.
func (b *Book) closings(ctx context.Context, o *BalanceOptions) ([]*closing, error) {
	truths := map[string]bool{}
	var standings []review.Standing
	for s := range b.log.Standings() {
		if s.Verdict == review.Accepted && !s.Disputed {
			truths[s.Truth] = true
			standings = append(standings, s)
		}
	}
	var all []*closing
	for _, s := range standings {
		c := &closing{book: b, standing: s}
		want := 0
		for _, option := range s.Options() {
			if option.Type == sameBookType {
				want++
			} else {
				c.fixed = append(c.fixed, option)
			}
		}
		d, err := b.pooled(ctx, &s, o, truths)
		if err != nil {
			return nil, err
		}
		c.fill(d, want, o.Reviewed, truths)
		all = append(all, c)
	}
	return all, nil
}

// pooled is the draft of an accepted question with the answers around its ground
// truth; they are ranked now, if that was not done before.
func (b *Book) pooled(ctx context.Context, s *review.Standing, o *BalanceOptions, truths map[string]bool) (*cloze.Draft, error) {
	d := &cloze.Draft{ID: s.Draft, Barcode: b.Barcode, Category: s.Category, Masking: s.Masking}
	if i := slices.IndexFunc(b.drafts, func(d *cloze.Draft) bool { return d.ID == s.Draft }); i >= 0 {
		d = b.drafts[i]
	}
	if d.Truth != s.Truth || d.Masked != s.Masked { // edited: other answers may fit
		d = &cloze.Draft{ID: d.ID, Barcode: d.Barcode, Category: d.Category, Masking: s.Masking, Tier: d.Tier, Sure: d.Sure}
	}
	if len(poolOf(d)) > 0 && d.TruthFit != 0 || o.Reviewed {
		return d, nil
	}
	g, err := b.ws.Generator()
	if err != nil || g.Scorer == nil {
		return d, err
	}
	own := *d
	sameBook := []string{sameBookType}
	answers, err := g.Make(ctx, b.Cloze().PoolRequest(&own, b.Frame(), sameBook, nil))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Barcode, err)
	}
	b.Cloze().TakePool(&own, answers, truths)
	return &own, nil
}

// fill makes the item of a question: what stays, and what may be chosen.
func (c *closing) fill(d *cloze.Draft, want int, reviewed bool, truths map[string]bool) {
	rejected, accepted := map[string]bool{}, map[string]verbatim.Option{}
	for _, a := range c.standing.Answers {
		switch {
		case a.Verdict == review.Rejected:
			rejected[a.Text], rejected[a.Was] = true, true
		case a.Verdict == review.Accepted && a.Type == sameBookType:
			accepted[a.Text] = a.Option
		}
	}
	for _, o := range poolOf(d) {
		_, ok := accepted[o.Text]
		if ok || !reviewed && !rejected[o.Text] && !truths[o.Text] && !distractor.Same(o.Text, c.standing.Truth) {
			c.pool = append(c.pool, o)
		}
	}
	for _, o := range c.standing.Options() {
		if o.Type == sameBookType && !slices.ContainsFunc(c.pool, func(x verbatim.Option) bool { return x.Text == o.Text }) {
			c.pool = append(c.pool, o)
		}
	}
	c.item = balance.Item{ID: d.ID, Book: c.book.Barcode, Category: d.Category, Passage: c.standing.Masked, Want: want,
		Truth: balance.Option{Text: c.standing.Truth, Fit: d.TruthFit}}
	for _, o := range c.fixed {
		c.item.Fixed = append(c.item.Fixed, balance.Option{Text: o.Text, Fit: o.Fit})
	}
	for i, o := range c.pool {
		c.item.Pool = append(c.item.Pool, balance.Option{Text: o.Text, Fit: o.Fit})
		if _, seen := accepted[o.Text]; seen {
			c.item.Seen = append(c.item.Seen, i)
		}
	}
}

// settle takes the chosen answers. Those of other types keep their places.
func (c *closing) settle(chosen []int, done *Balanced) {
	was := c.standing.Options()
	next := 0
	for _, o := range was {
		if o.Type != sameBookType {
			c.result = append(c.result, o)
			continue
		}
		if next < len(chosen) {
			o = c.pool[chosen[next]]
			o.Chosen = verbatim.Balanced
			c.result = append(c.result, o)
			next++
		}
	}
	changed := false
	for _, o := range c.result {
		if !slices.ContainsFunc(was, func(x verbatim.Option) bool { return x.Text == o.Text }) {
			c.unseen++
			changed = true
		}
	}
	if done.Unseen += c.unseen; changed {
		done.Changed++
	}
	if len(c.pool) <= c.item.Want {
		done.Small++
	}
}

// setOf identifies a set of accepted questions.
func setOf(all []*closing) string {
	var ids []string
	for _, c := range all {
		ids = append(ids, c.book.Barcode+" "+c.standing.Draft+" "+strings.Join(headsOf(&c.standing), " "))
	}
	slices.Sort(ids)
	return hashOf(strings.Join(ids, "\n"))[:16]
}

// saveChoice writes the choices of a book and its questions.
func (b *Book) saveChoice(all []*closing, set string) error {
	var records []chosenAnswers
	for _, c := range all {
		if c.book == b {
			records = append(records, chosenAnswers{Draft: c.standing.Draft, Decisions: headsOf(&c.standing), Options: c.result,
				Choice: verbatim.Choice{By: verbatim.Balanced, Set: set, Questions: len(all), Unseen: c.unseen}})
		}
	}
	if len(records) == 0 {
		return nil
	}
	err := b.ws.write(b.Barcode, Sources{"set of questions": set}, nil, map[string]func(io.Writer) error{Choice: lines(records)})
	if err != nil {
		return b.cannot(err)
	}
	return b.SaveQuestions(false)
}

// choiceSource is what the questions owe to choices over a closed set; empty if
// there are none.
func (b *Book) choiceSource() string {
	sum, err := hashFile(b.File(Choice))
	if err != nil {
		return ""
	}
	return sum
}
