package fsck

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/chat"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/workspace"
)

// decision is a line of the log of decisions.
type decision struct {
	review.Decision
	line    int
	genuine bool
	copies  []int // other lines with the same id that are not the original
}

// judge gives the check for one line of a file. An error means that the line
// cannot be read; what is odd about a line that can be read is noted.
func (b *bookCheck) judge(f found) func(verbatim.Line) error {
	switch f.file {
	case workspace.Decisions:
		return b.decision
	case workspace.Ledger:
		return func(line verbatim.Line) error {
			when, err := chat.CheckEntry(line)
			if err == nil {
				b.date(line, when, "the answer is still used")
			}
			return err
		}
	case workspace.Votes:
		return func(line verbatim.Line) error {
			vote, err := verbatim.Decode[struct {
				ID   string
				Time time.Time
			}](line)
			if err == nil && vote.ID == "" {
				err = errors.New("a vote must have an id")
			}
			if err == nil {
				b.date(line, vote.Time, "it counts")
			}
			return err
		}
	case workspace.Drafts:
		return b.draft
	case workspace.Tagged:
		return b.tagged
	case workspace.Rejected:
		return func(line verbatim.Line) error {
			_, err := verbatim.Decode[verbatim.RejectedTag](line)
			return err
		}
	case chosen:
		return func(line verbatim.Line) error {
			_, err := verbatim.Decode[map[string]any](line)
			return err
		}
	default:
		return func(line verbatim.Line) error {
			_, err := verbatim.Decode[verbatim.Question](line)
			return err
		}
	}
}

// firstYear is before the first version of the program.
const firstYear = 2020

// date notes a time that cannot be.
func (b *bookCheck) date(line verbatim.Line, when time.Time, still string) {
	what := ""
	switch {
	case when.After(b.o.Now.Add(24 * time.Hour)):
		what = fmt.Sprintf("dated %s, in the future", when.Format(time.DateOnly))
	case when.IsZero():
		what = "without a date"
	case when.Year() < firstYear:
		what = fmt.Sprintf("dated %s, before this program existed", when.Format(time.DateOnly))
	default:
		return
	}
	b.add(Finding{File: line.File, Line: line.Number, Kind: WrongDate, Effect: Nothing, What: what,
		Means: still + "; only the order in which things are shown may be wrong", Do: "set the clock of the computer that made it"})
}

func (b *bookCheck) decision(line verbatim.Line) error {
	d, err := verbatim.Decode[review.Decision](line)
	switch {
	case err != nil:
		return err
	case d.ID == "" || d.Draft == "":
		return errors.New("a decision must have an id and a draft")
	}
	now := &decision{Decision: d, line: line.Number, genuine: d.Genuine()}
	b.date(line, d.Time, "the decision counts")
	if d.Book != b.barcode {
		b.add(Finding{File: line.File, Line: line.Number, Kind: WrongID, Effect: Nothing, What: fmt.Sprintf("this decision is about the book %s", d.Book),
			Means: "it does no harm here, and does not count for " + d.Book, Do: "if it is missing there, append the line to that book's file"})
	}
	old := b.seen[d.ID]
	switch {
	case old == nil:
		b.seen[d.ID] = now
	case old.genuine && !now.genuine:
		old.copies = append(old.copies, line.Number)
	case now.genuine && !old.genuine:
		now.copies = append(old.copies, old.line)
		b.seen[d.ID] = now
	}
	return nil
}

// together looks at the decisions as a set.
func (b *bookCheck) together(f found) {
	for id, d := range b.seen {
		for _, line := range d.copies {
			b.add(Finding{File: f.rel, Line: line, Kind: EditedCopy, Effect: Nothing, Repairs: true, cut: []int{line},
				What: "this is an edited copy of the decision " + id, Means: "the original is in the file, and counts"})
		}
		if !d.genuine {
			b.add(Finding{File: f.rel, Line: d.line, Kind: Edited, Effect: Work,
				What:  fmt.Sprintf("this decision of %s was changed after it was made (its id is no longer its hash)", d.Reviewer),
				Means: "it counts as it is now", Do: "if nobody edited it on purpose, put the line back from a backup, or decide again"})
		}
		for _, other := range append(d.Replaces, d.Undoes) {
			if other != "" && b.seen[other] == nil {
				b.add(Finding{File: f.rel, Line: d.line, Kind: Missing, Effect: Work,
					What:  fmt.Sprintf("it replaces or undoes the decision %s, which is not in the file", other),
					Means: "an earlier decision is missing; the later one counts", Do: "if you have a copy of the file, append the missing line"})
			}
		}
	}
}

func (b *bookCheck) draft(line verbatim.Line) error {
	d, err := verbatim.Decode[*cloze.Draft](line)
	switch {
	case err != nil:
		return err
	case d == nil || d.ID == "":
		return errors.New("a draft must have an id")
	case d.Barcode != b.barcode:
		b.add(Finding{File: line.File, Line: line.Number, Kind: WrongID, Effect: Remade, What: fmt.Sprintf("this draft is about the book %s", d.Barcode),
			Means: "decisions about it may not be found again", Do: "make the book's drafts again"})
	case !d.Genuine():
		b.add(Finding{File: line.File, Line: line.Number, Kind: WrongID, Effect: Remade, What: "the draft's id is not the hash of its passage and ground truth",
			Means: "a decision with this id was about another text", Do: "make the book's drafts again"})
	}
	return nil
}

func (b *bookCheck) tagged(line verbatim.Line) error {
	s, err := verbatim.Decode[verbatim.Tagged](line)
	if err != nil {
		return err
	}
	if b.source != nil && b.made == b.source.SHA256 && !within(s.Span, b.source.Text) {
		b.add(noProof(line, fmt.Sprintf("sentence %d has the bytes %d-%d, which the text does not have", s.Index, s.Start, s.End), Remade))
		return nil
	}
	for _, t := range s.Tags {
		if !within(t.InSentence(), s.Sentence) {
			b.add(noProof(line, fmt.Sprintf("the tag %s is outside its sentence %d", t.Name, s.Index), Remade))
			break
		}
	}
	return nil
}

// within reports whether a span is whole characters of a text.
func within(s verbatim.Span, text string) bool {
	edge := func(at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }
	return 0 <= s.Start && s.Start <= s.End && s.End <= len(text) && edge(s.Start) && edge(s.End)
}

func noProof(line verbatim.Line, what string, effect Effect) Finding {
	return Finding{File: line.File, Line: line.Number, Kind: NoProof, Effect: effect, What: what,
		Means: "this quotation is not in the text; it can be made again, and decisions stay", Do: "make the book's files again"}
}

// proofs proves what drafts and questions quote, unless the text is another one.
func (b *bookCheck) proofs(ctx context.Context) {
	if b.source == nil || b.made != "" && b.made != b.source.SHA256 {
		return
	}
	for _, name := range []string{workspace.Drafts, workspace.Questions} {
		if !b.sound[name] {
			continue
		}
		rel, lines := workspace.Name(b.barcode, name), map[int]bool{}
		first := Finding{}
		_, _ = workspace.Verify(ctx, []string{b.folder.Path(b.barcode, name)}, b.o.Texts, func(p workspace.Proof) {
			outdated := (*workspace.OutdatedError)(nil)
			if p.Err == nil || p.Line == 0 || errors.As(p.Err, &outdated) {
				return // out of date is no damage
			}
			if lines[p.Line] = true; len(lines) == 1 && first.What == "" {
				first = noProof(verbatim.Line{File: rel, Number: p.Line}, p.What+": "+p.Err.Error(), Remade)
			}
		}) // its errors were found before: the file and the text were read
		if len(lines) > 1 {
			first.What += fmt.Sprintf("; and %d more lines", len(lines)-1)
		}
		if len(lines) > 0 {
			b.add(first)
		}
	}
}
