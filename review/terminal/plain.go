package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Plain is the line mode: each question is printed as plain text, and each
// line that is read is one command. A command that takes a text has it on the
// same line: "m because the sea was calm".
func Plain(ctx context.Context, s *Session, in io.Reader, out io.Writer) error {
	s.Start()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	if err := s.Next(ctx); err != nil {
		return err
	}
	for s.Item != nil {
		s.print(out)
		if ctx.Err() != nil {
			return nil // nobody saw it
		}
		if !lines.Scan() {
			return lines.Err()
		}
		command, text, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if command == "q" {
			return nil
		}
		s.Note = ""
		err := s.command(ctx, command, strings.TrimSpace(text), out)
		if ctx.Err() != nil {
			return nil // every decision was on the disk
		}
		if err != nil {
			fmt.Fprintln(out, "!", err)
			if s.Item == nil {
				return err
			}
		}
		if s.Note != "" {
			fmt.Fprintln(out, "!", s.Note)
		}
	}
	return nil
}

// print says the item in plain lines.
func (s *Session) print(out io.Writer) {
	p := s.pageOf(s.Item, false)
	fmt.Fprintf(out, "\n%s\n%s\n\n", p.title, s.progress())
	for _, part := range p.parts {
		text := part.text
		if part.kind == label {
			text += ":"
		}
		fmt.Fprintln(out, text)
	}
	fmt.Fprintf(out, "\n%s\n", plainHints[s.Item.Stage])
}

var plainHints = []string{
	"a accept, x refuse, s skip, e TEXT edit passage, T TEXT edit truth, [ ] { } move clause, f flag, u undo, U redo, ? help, q quit",
	"a accept, x refuse, e TEXT edit, m TEXT my own instead, n TEXT one more, A all, 1-9 choose, p preview, b back, u undo, U redo, q quit",
	"a save, x refuse the question, b back, u undo, U redo, q quit",
}

func (s *Session) command(ctx context.Context, command, text string, out io.Writer) error {
	switch command {
	case "a":
		return s.Accept(ctx)
	case "x":
		return s.Refuse(ctx)
	case "s":
		return s.Skip(ctx)
	case "f":
		return s.Flag(ctx)
	case "u":
		return s.Undo(ctx)
	case "U":
		return s.Redo(ctx)
	case "A":
		return s.AcceptRest()
	case "e":
		return needs(text, s.Edit)
	case "T":
		return needs(text, s.EditTruth)
	case "m":
		return needs(text, s.Replace)
	case "n":
		return needs(text, s.Add)
	case "p":
		return s.Preview()
	case "b":
		s.Back()
		return nil
	case "[":
		return s.Move(-1, 0)
	case "]":
		return s.Move(1, 0)
	case "{":
		return s.Move(0, -1)
	case "}":
		return s.Move(0, 1)
	case "?":
		_, err := fmt.Fprintln(out, plainHints[s.Item.Stage])
		return err
	}
	if n, err := strconv.Atoi(command); err == nil {
		return s.Choose(n - 1)
	}
	return fmt.Errorf("there is no command %q; ? shows them", command)
}

func needs(text string, act func(string) error) error {
	if text == "" {
		return errors.New("write the text on the same line, after the letter")
	}
	return act(text)
}
