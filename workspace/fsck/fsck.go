// Package fsck checks a working folder: every log, every derived file, what is
// known about the books, settings and cards, leftovers, links and permissions.
// Each finding says where, what, what it means for the user's work, and what to
// do.
//
// What to count on: a check changes nothing. A repair deletes nothing: it moves
// damaged files and lines into a dated folder with a list of what came from
// where, so that everything can be put back byte for byte, and it is safe to
// kill at any moment. A book that another program works on is never repaired. A
// second repair finds nothing to do.
package fsck

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// A Kind is what is wrong.
type Kind string

// The kinds of findings. Repairs says what a repair does about each.
const (
	Leftover   Kind = "leftover"         // a temporary file, or what was left of a torn record
	TornTail   Kind = "torn tail"        // the last record of a log was cut off
	BadLine    Kind = "damaged line"     // a line cannot be read
	BadFile    Kind = "damaged file"     // a file cannot be read as what it is
	EditedCopy Kind = "edited copy"      // two decisions have one id, and this is not the original
	Edited     Kind = "edited decision"  // a decision's id is not its hash
	Missing    Kind = "missing decision" // a decision refers to one that is not there
	WrongDate  Kind = "impossible date"  // in the future, or before there were computers for it
	WrongID    Kind = "wrong id"         // a draft's id is not its hash, or a record is about another book
	NoProof    Kind = "no proof"         // a quotation is not in its place in the text
	OtherText  Kind = "other text"       // the text is not the one that the files were made from
	Changed    Kind = "changed file"     // a derived file is not as the program wrote it
	Unfinished Kind = "unfinished file"  // writing it was interrupted
	Link       Kind = "link"             // a link leaves the folder, or leads nowhere
	Special    Kind = "not a file"       // a folder, pipe or device stands where a file should be
	Unreadable Kind = "unreadable"       // no permission
	BadSetting Kind = "bad setting"      // in settings.txt
	BadCard    Kind = "bad card"         // a card, list, prompt or question of the user's own
	Unknown    Kind = "unknown file"     // not a file of the program
	NoText     Kind = "no text"          // the text of a book was not found
	InUse      Kind = "in use"           // another program works on the book
)

// Repairs says what a repair does about each kind, in the order of a list for
// people. What it leaves needs a person.
var Repairs = []struct {
	Kind   Kind
	Action string
}{
	{Leftover, "set aside"},
	{TornTail, "the bytes after the last whole record are set aside"},
	{BadLine, "of a log or of settings.txt: the line is set aside; of a file that can be made again: the whole file"},
	{BadFile, "set aside; with made.json also the files that it describes, which can be made again"},
	{EditedCopy, "the line is set aside; the original counts, as before"},
	{Special, "set aside, unless it is a folder"},
	{Edited, "left: it counts as it is"},
	{Missing, "left"},
	{WrongDate, "left: it counts"},
	{WrongID, "left"},
	{NoProof, "left"},
	{OtherText, "left"},
	{Changed, "left: perhaps a person edited it"},
	{Unfinished, "left: the next run writes it again"},
	{Link, "left: what it leads to may be somebody's work"},
	{Unreadable, "left"},
	{BadSetting, "left: a person wrote it"},
	{BadCard, "left: a person wrote it"},
	{Unknown, "left: it is not ours"},
	{NoText, "left"},
	{InUse, "left until the other program is done"},
}

// An Effect says whose work a finding touches.
type Effect string

// The effects, from none to what people did.
const (
	Note    Effect = "note"    // worth knowing; nothing is wrong
	Nothing Effect = "nothing" // wrong, but no work is affected
	Remade  Effect = "remade"  // only what the program can make again
	Work    Effect = "work"    // what people decided or wrote
)

// A Finding is one thing that is wrong, or worth knowing.
type Finding struct {
	File    string `json:"file"` // in the working folder, with slashes
	Line    int    `json:"line,omitempty"`
	Kind    Kind   `json:"kind"`
	Effect  Effect `json:"effect"`
	What    string `json:"what"`
	Means   string `json:"means"`            // for the user's work
	Do      string `json:"do,omitempty"`     // what to do; empty if a repair does it
	SetTo   string `json:"set_to,omitempty"` // where a repair put it, in the working folder
	Repairs bool   `json:"repairable"`       // a repair does something about it

	cut []int // the lines that a repair sets aside; nil: the whole file
}

// Place is the file and the line.
func (f *Finding) Place() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return f.File
}

// Wrong reports whether the finding makes a folder unhealthy.
func (f *Finding) Wrong() bool { return f.Effect != Note && f.SetTo == "" }

// Options say how to check.
type Options struct {
	Texts    string                    // the folder with the texts; empty: beside the working folder
	Repair   bool                      // set aside what is damaged
	Now      time.Time                 // the time by which dates are judged
	Progress func(done, total int)     // may be nil
	step     func(action, path string) // called around each change of a repair, for tests
}

// A Report is the result of a check.
type Report struct {
	Folder   string    `json:"folder"`
	Books    int       `json:"books"`
	Files    int       `json:"files"`
	Records  int       `json:"records"`
	Findings []Finding `json:"findings"`
	SetAside string    `json:"set_aside,omitempty"` // where a repair put things, in the working folder
}

// Check looks at a whole working folder, and with o.Repair sets aside what is
// damaged. Findings are in the order of the files. The error says that the
// folder could not be checked, or that a repair stopped: what it has
// set aside by then is in the report.
func Check(ctx context.Context, folder *workspace.Folder, o Options) (*Report, error) {
	c := &checker{folder: folder, o: o, report: &Report{Folder: folder.Dir(), Findings: []Finding{}}}
	if c.o.Now.IsZero() {
		c.o.Now = time.Now()
	}
	c.repair.folder, c.repair.now, c.repair.step = folder, c.o.Now, o.step
	if err := c.survey(); err != nil {
		return nil, err
	}
	barcodes := c.barcodes()
	c.report.Books = len(barcodes)
	if o.Repair {
		release, inUse := folder.InUse(repairLock)
		if release(); inUse {
			return nil, fmt.Errorf("another repair of %s is running; wait until it is done", folder.Dir())
		}
		unlock, err := folder.Lock(repairLock)
		if err != nil {
			return nil, err
		}
		defer func() { _ = unlock() }()
	}
	var failed error
	for i, barcode := range barcodes {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failed == nil {
			failed = c.book(ctx, barcode)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(barcodes))
		}
	}
	if failed == nil {
		failed = c.common()
	}
	c.repair.end()
	c.report.SetAside = c.repair.dir
	slices.SortStableFunc(c.report.Findings, func(a, b Finding) int { return byPlace(&a, &b) })
	return c.report, failed
}

// repairLock keeps two repairs of one folder apart.
const repairLock = ".repair"

// Sound reports whether nothing is wrong, or nothing is wrong any more.
func (r *Report) Sound() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Wrong() })
}

// Affected are the findings that touch what people decided or wrote.
func (r *Report) Affected() []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Effect != Work })
}

// checker is one check of a folder.
type checker struct {
	folder *workspace.Folder
	o      Options
	report *Report
	repair repair

	files []found // everything in the folder, in order
	busy  bool    // another program works on the book being checked
	todo  []int   // findings of the report that the next settle repairs
}

// add notes a finding. Its file is a path in the folder.
func (c *checker) add(f Finding) {
	c.report.Findings = append(c.report.Findings, f)
	if f.Repairs {
		c.todo = append(c.todo, len(c.report.Findings)-1)
	}
}

// settle repairs what was found since the last call, unless a book is in use.
func (c *checker) settle() error {
	list := c.todo
	c.todo = nil
	if !c.o.Repair || c.busy {
		return nil
	}
	return c.repair.apply(c.report.Findings, list)
}

func (c *checker) path(rel string) string {
	return filepath.Join(c.folder.Dir(), filepath.FromSlash(rel))
}

// book checks the files of one book, while nobody else works on it.
func (c *checker) book(ctx context.Context, barcode string) error {
	if release, inUse := c.folder.InUse(barcode); inUse {
		c.busy = true
		c.add(Finding{File: barcode, Kind: InUse, Effect: Note, What: "another verbatim is working on this book",
			Means: "it was checked as far as it is written; its last line and its temporary files were not judged",
			Do:    "check again when the other program is done"})
	} else if c.busy = false; c.o.Repair {
		release() // and lock it for good
		unlock, err := c.folder.Lock(barcode)
		if err != nil {
			return err
		}
		defer func() { _ = unlock() }()
	} else {
		defer release()
	}
	b := &bookCheck{checker: c, barcode: barcode}
	b.check(ctx)
	return c.settle()
}

// common checks what belongs to no book.
func (c *checker) common() error {
	c.busy = false
	c.settings()
	c.cards()
	c.strangers()
	return c.settle()
}

// readable opens a regular file, or notes why it cannot be read.
func (c *checker) readable(f found) *os.File {
	c.report.Files++
	file, err := os.Open(c.path(f.rel))
	if err != nil {
		c.add(Finding{File: f.rel, Kind: Unreadable, Effect: f.effect(), What: durable.CannotRead(err).Error(),
			Means: f.meansUnread(), Do: "give yourself permission to read it (chmod u+rw), and check again"})
		return nil
	}
	return file
}
