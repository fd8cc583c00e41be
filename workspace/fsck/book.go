package fsck

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"verbatim"
	"verbatim/book"
	"verbatim/workspace"
)

// bookCheck is the check of one book.
type bookCheck struct {
	*checker
	barcode string

	hashes map[string]string    // what made.json says about the files
	made   string               // the hash of the text that they were made from
	source *verbatim.Document   // the text; nil: not found
	sound  map[string]bool      // derived files without a damaged line
	seen   map[string]*decision // by id

	lastBad int // the last finding about a damaged line
}

func (b *bookCheck) check(ctx context.Context) {
	b.sound, b.seen = map[string]bool{}, map[string]*decision{}
	var files []found
	for _, f := range b.files {
		if f.barcode == b.barcode && b.usable(f) {
			files = append(files, f)
		}
	}
	for _, f := range files { // made.json first: the others are compared with it
		if f.class == record {
			b.record(f)
		}
	}
	b.text(files)
	for _, f := range files {
		switch f.class {
		case log, derived:
			b.lines(f)
		case metadata, rawRow, typed:
			b.about(f)
		}
	}
	b.proofs(ctx)
}

// usable reports whether a file of the book can be opened. What cannot is noted.
func (b *bookCheck) usable(f found) bool {
	switch {
	case f.class == leftover:
		if !b.busy { // or else it is perhaps being written
			b.leftover(f)
		}
		return false
	case f.mode&fs.ModeSymlink != 0:
		return b.link(f)
	case !f.mode.IsRegular():
		b.add(Finding{File: f.rel, Kind: Special, Effect: f.effect(), Repairs: !f.mode.IsDir(),
			What:  "this is a " + special(f.mode) + ", not a file",
			Means: "the program cannot read or write the file that should be here",
			Do:    "move it away"})
		return false
	}
	return true
}

func special(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// record reads made.json.
func (b *bookCheck) record(f found) {
	file := b.readable(f)
	if file == nil {
		return
	}
	file.Close()
	var err error
	if b.hashes, b.made, err = b.folder.Recorded(b.barcode); err == nil {
		for _, name := range remade {
			if hash, known := b.hashes[name]; known && hash == "" {
				b.add(Finding{File: workspace.Name(b.barcode, name), Kind: Unfinished, Effect: Nothing, What: "writing this file was interrupted",
					Means: "the program knows, and writes it again the next time", Do: "make the book's drafts again"})
			}
		}
		return
	}
	b.add(Finding{File: f.rel, Kind: BadFile, Effect: Remade, Repairs: true, What: reason(err),
		Means: "the program does not know what the book's files were made from, and stops; no decision depends on it, but options of the last run that the settings do not hold are gone",
		Do:    "after a repair, make the book's drafts again"})
	for _, other := range b.files { // without made.json they would count as edited by hand, forever
		if other.barcode == b.barcode && other.class == derived && other.mode.IsRegular() {
			b.add(Finding{File: other.rel, Kind: BadFile, Effect: Remade, Repairs: true, What: "nothing says what this file was made from",
				Means: "the program would take it for a file that a person edited, and never make it again",
				Do:    "after a repair, make the book's drafts again"})
		}
	}
}

// reason is the cause inside an error of the workspace, without its remedies.
func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	text := err.Error()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		text = fmt.Sprintf("this is not valid JSON (byte %d)", syntax.Offset)
	}
	return text
}

// text finds and reads the book's text.
func (b *bookCheck) text(files []found) {
	if !slices.ContainsFunc(files, func(f found) bool { return f.class == derived || f.file == workspace.Decisions }) {
		return // nothing quotes it
	}
	path, err := b.folder.Text(b.barcode, b.o.Texts)
	if err == nil {
		b.source, err = workspace.OpenText(path)
	}
	if err != nil {
		b.add(Finding{File: b.barcode + ".txt", Kind: NoText, Effect: Note, What: err.Error(),
			Means: "the quotations of this book could not be proved; the other checks were made", Do: "say where the text is, and check again"})
		return
	}
	if b.made != "" && b.made != b.source.SHA256 {
		b.add(Finding{File: b.barcode + ".txt", Kind: OtherText, Effect: Remade, What: "the text is not the one that the book's files were made from",
			Means: "decisions stay; tags and drafts are out of date",
			Do:    "make the book's drafts again, or put the old text back"})
	}
}

// about reads what is known about the book.
func (b *bookCheck) about(f found) {
	file := b.readable(f)
	if file == nil {
		return
	}
	data, err := io.ReadAll(file)
	file.Close()
	finding := Finding{File: f.rel, Kind: BadFile, Effect: Work, Repairs: true,
		Means: "what a person said about this book cannot be read; its questions keep what they have",
		Do:    "after a repair, describe the book again; the old file helps"}
	switch {
	case err != nil:
	case f.class == rawRow || f.class == typed:
		finding.Effect, finding.Do = f.effect(), ""
		finding.Means = "what a person typed and did not save yet cannot be read; nothing that was saved depends on it"
		if f.class == rawRow {
			finding.Effect, finding.Means = Nothing, "it is only a note of what the catalogue said"
		}
		if !json.Valid(data) {
			err = errors.New("this is not valid JSON")
		}
	default:
		if at := bytes.IndexFunc(data, func(r rune) bool { return r == '\uFFFD' }); at >= 0 && !bytes.HasPrefix(data[at:], []byte("\uFFFD")) {
			err = fmt.Errorf("byte %d is not valid UTF-8", at+1)
		} else {
			_, err = book.Parse(data, f.rel)
		}
	}
	if err != nil {
		finding.What = strings.TrimPrefix(err.Error(), f.rel+": ")
		b.add(finding)
	}
}

// piece is a line of a file, with its end.
type piece struct {
	line   int
	offset int64
	bytes  []byte
}

// each reads a file line by line. torn is what follows the last newline.
func each(r io.Reader, visit func(p piece, torn bool)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	at := int64(0)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			visit(piece{number, at, line}, err == io.EOF)
		}
		at += int64(len(line))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// mostLines is how many damaged lines of one file are named one by one.
const mostLines = 10

// lines checks a file of records.
func (b *bookCheck) lines(f found) {
	file := b.readable(f)
	if file == nil {
		return
	}
	defer file.Close()
	sum, bad, judge := sha256.New(), 0, b.judge(f)
	err := each(io.TeeReader(file, sum), func(p piece, torn bool) {
		record := bytes.TrimSpace(bytes.TrimPrefix(p.bytes, []byte("\uFEFF")))
		if len(record) == 0 {
			return
		}
		b.report.Records++
		if torn && f.class == log && !json.Valid(record) {
			b.torn(f, p)
			return
		}
		if err := judge(verbatim.Line{File: f.rel, Number: p.line, Text: record}); err != nil {
			bad++
			b.badLine(f, p, err, bad)
		}
	})
	if err != nil {
		b.add(Finding{File: f.rel, Kind: Unreadable, Effect: f.effect(), What: err.Error(), Means: f.meansUnread(),
			Do: "the disk may be failing: copy the folder to another one at once"})
		return
	}
	if f.file == workspace.Decisions {
		b.together(f)
	}
	if f.class == derived {
		b.sound[f.file] = bad == 0
		if hash := b.hashes[f.file]; bad == 0 && hash != "" && hash != hex.EncodeToString(sum.Sum(nil)) {
			b.add(Finding{File: f.rel, Kind: Changed, Effect: Remade, What: "this file is not as the program wrote it",
				Means: "a person edited it, or the disk damaged it; the program uses it as it is and does not make it again",
				Do:    "if nobody edited it, move it away and make it again"})
		}
	}
}

// torn notes a last record that was cut off.
func (b *bookCheck) torn(f found, p piece) {
	if b.busy {
		return // perhaps it is being written
	}
	b.add(Finding{File: f.rel, Line: p.line, Kind: TornTail, Effect: Nothing, Repairs: true, cut: []int{p.line},
		What:  fmt.Sprintf("the last record was cut off after %d bytes", len(p.bytes)),
		Means: "a crash interrupted it: nobody was told that it was saved; all records before it count"})
}

// badLine notes a line that cannot be read. Of many only the first are named,
// but all are set aside.
func (b *bookCheck) badLine(f found, p piece, err error, n int) {
	what := err.Error()
	if line := (*verbatim.LineError)(nil); errors.As(err, &line) {
		what = line.What
		if line.Column > 0 {
			what += fmt.Sprintf(" (byte %d of the line)", line.Column)
		}
	}
	finding := Finding{File: f.rel, Line: p.line, Kind: BadLine, Effect: f.effect(), Repairs: true, What: what}
	switch {
	case f.class == derived:
		finding.Means = "the program cannot use the file; it can be made again, and decisions stay"
		finding.Do = "after a repair, make the book's drafts again"
		if n > 1 {
			return // the whole file is set aside once
		}
	case f.file == workspace.Ledger:
		finding.cut = []int{p.line}
		finding.Means = "one answer of a language model cannot be replayed: it will be asked again"
	default:
		finding.cut = []int{p.line}
		finding.Means = "what this line said does not count; all other lines count"
		finding.Do = "if you have a copy of the file, put this line back; otherwise decide again"
	}
	if n > mostLines {
		last := &b.report.Findings[b.lastBad]
		last.What = fmt.Sprintf("%s; and %d more damaged lines after it", strings.Split(last.What, "; and ")[0], n-mostLines)
		last.cut = append(last.cut, p.line)
		return
	}
	b.lastBad = len(b.report.Findings)
	b.add(finding)
}

// byPlace orders findings by file and line.
func byPlace(a, b *Finding) int {
	if n := strings.Compare(a.File, b.File); n != 0 {
		return n
	}
	return a.Line - b.Line
}
