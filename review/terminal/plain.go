package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"verbatim/review"
)

// Plain prints each question as plain text and reads one command per line. A
// command that takes a text has it on the same line: "m because the sea was
// calm". It returns an error if a decision could not be saved and the same
// command did not succeed later.
func Plain(ctx context.Context, s *review.Session, in io.Reader, out io.Writer) error {
	s.Start()
	defer s.Leave()
	p := &plain{s: s, out: out}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	if err := s.Next(ctx); err != nil {
		return err
	}
	for s.Item() != nil {
		p.show()
		if ctx.Err() != nil {
			break // nobody saw it
		}
		if !lines.Scan() {
			return errors.Join(lines.Err(), p.notSaved())
		}
		line := strings.TrimSpace(lines.Text())
		if line == "q" {
			break
		}
		if err := p.do(ctx, line); err != nil {
			return errors.Join(err, p.notSaved())
		}
	}
	return p.notSaved()
}

// A plain is a session line by line.
type plain struct {
	s     *review.Session
	out   io.Writer
	shown string   // what was printed last
	lost  []string // the commands whose decisions could not be saved
}

// do runs one line. An error ends the session.
func (p *plain) do(ctx context.Context, line string) error {
	name, text, _ := strings.Cut(line, " ")
	if name == "?" {
		fmt.Fprintf(p.out, "%s, %s\n", plainHelp[p.s.Item().Stage], plainAll)
		return nil
	}
	before := p.s.Item().Draft.ID + " " + line
	err := p.run(ctx, name, strings.TrimSpace(text))
	switch {
	case ctx.Err() != nil:
		return nil // every decision is on the disk
	case err == nil:
		p.lost = slices.DeleteFunc(p.lost, func(lost string) bool { return lost == before })
		if p.s.Message() != "" {
			fmt.Fprintln(p.out, "!", p.s.Message())
		}
		return nil
	}
	fmt.Fprintln(p.out, "!", err)
	if lost(err) {
		p.lost = append(p.lost, before)
		fmt.Fprintf(p.out, "! You typed: %s\n", line)
	}
	if p.s.Item() == nil {
		return err
	}
	return nil
}

// lost reports whether an error means that something is not on the disk.
func lost(err error) bool {
	var decision *review.NotSavedError
	var question *review.NotWrittenError
	return errors.As(err, &decision) || errors.As(err, &question)
}

// notSaved says which commands are not on the disk.
func (p *plain) notSaved() error {
	if len(p.lost) == 0 {
		return nil
	}
	var lines []string
	for _, line := range p.lost {
		_, typed, _ := strings.Cut(line, " ")
		lines = append(lines, "  "+typed)
	}
	return fmt.Errorf("not saved (see above); you typed:\n%s", strings.Join(lines, "\n"))
}

// show prints the item as plain lines, unless it was just printed: a person who
// listens to it should not have to hear it again after each mistake.
func (p *plain) show() {
	item := p.s.Item()
	page := item.Page(false)
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s\n%s\n", page.Title, p.s.Progress())
	fmt.Fprintln(&text)
	for _, part := range page.Parts {
		words := part.Text
		if part.Kind == review.PartLabel {
			words += ":"
		}
		fmt.Fprintln(&text, words)
	}
	fmt.Fprintf(&text, "\n%s\n", plainHints[item.Stage])
	if text.String() != p.shown {
		p.shown = text.String()
		io.WriteString(p.out, p.shown)
	}
}

// plainHints are the commands that are printed with each draft; plainHelp are
// all, which ? prints.
var (
	plainHints = []string{
		"a accept, x reject, s skip, f flag, u undo, ? all commands, q quit",
		"a accept, x reject, e TEXT edit, m TEXT my own instead, A accept all, p preview, u undo, ? all commands, q quit",
		"a save, x reject the question, b back, u undo, ? all commands, q quit",
	}
	plainHelp = []string{
		"e TEXT edit the passage, T TEXT edit the ground truth, [ ] { } move the clause",
		"e TEXT edit this answer, m TEXT my own instead, n TEXT one more, w ask a language model, A accept all, 1-9 select, p preview, b back",
		"b back",
	}
)

const plainAll = "a accept, x reject, X WHY reject with a reason, s skip, f flag, ; TEXT note, u undo, U redo, " +
	"< > previous and next, L list (L flagged, L causalclause: only those), g NUMBER go to, / TEXT search, q quit"

// plainKeys are the commands whose key on the screen is no letter.
var plainKeys = map[string]string{"s": "space", "p": "enter", "b": "esc"}

func (p *plain) run(ctx context.Context, name, text string) error {
	switch name {
	case "L", "/", "g":
		return p.list(ctx, name, text)
	}
	if text == "" && slices.Contains([]string{"e", "T", "m", "n", "X", ";"}, name) {
		return errors.New("write the text on the same line, after the letter")
	}
	err := p.s.Press(ctx, cmp.Or(plainKeys[name], name), text)
	if errors.Is(err, review.ErrNoKey) {
		return fmt.Errorf("there is no command %q; ? shows them", name)
	}
	return err
}
