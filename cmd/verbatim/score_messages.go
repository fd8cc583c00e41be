package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"verbatim/grade"
)

// maxMessages is the number of messages of one sort that a command prints.
const maxMessages = 20

// A limit prints the first messages and counts the others.
type limit struct{ n int }

func (l *limit) print(show func()) {
	if l.n++; l.n <= maxMessages {
		show()
	}
}

// rest is the last line, or "".
func (l *limit) rest(what string) string {
	if l.n <= maxMessages {
		return ""
	}
	return "and " + count(l.n-maxMessages, "more "+what)
}

func say(c *console, format string, args ...any) { fmt.Fprintf(c.messages, format+"\n", args...) }

// sayAll prints the first of many messages, and how many more there are.
func sayAll[T any](c *console, what string, list []T, all int) {
	var l limit
	for _, one := range list {
		l.print(func() { say(c, "%v", one) })
	}
	l.n = max(l.n, all)
	if rest := l.rest(what); rest != "" {
		say(c, "%s", rest)
	}
}

// inputProblems lists the problems of the predictions, and returns the sentences
// that say why the command fails.
func inputProblems(c *console, r *grade.Result) (wrong []string) {
	for _, s := range []*grade.System{r.Pred, r.Against} {
		if s == nil {
			continue
		}
		wrong = append(wrong, sayProblems(c, s.Name, s.Problems)...)
		var unknown []string
		for _, u := range s.Unknown {
			unknown = append(unknown, fmt.Sprintf("%s:%d: journal %q is not in the gold; its items (%d) are counted separately", s.Name, u.Line, u.ID, u.Items))
		}
		sayAll(c, "unknown journal", unknown, len(unknown))
		sayRemarks(c, &s.Remarks)
	}
	if r.GoldWithoutPlace > 0 {
		sayRemarks(c, &r.GoldRemarks)
		say(c, "gold spans that are not in their journal: %d; they cannot match in overlap", r.GoldWithoutPlace)
	}
	return wrong
}

// sayRemarks names the spans that are not where they should be.
func sayRemarks(c *console, r *grade.Remarks) {
	text := func(list []grade.Remark) (texts []string) {
		for i := range list {
			texts = append(texts, list[i].Error())
		}
		return texts
	}
	sayAll(c, "nearly verbatim span", text(r.Near), r.NearCount)
	sayAll(c, "non-verbatim span", text(r.Absent), r.AbsentCount)
	sayAll(c, "wrong place", text(r.Places), r.PlaceCount)
}

// listProblems prints the problems of the input.
func listProblems(c *console, err error) error {
	var input *grade.InputError
	if errors.As(err, &input) && len(input.Problems) > 1 {
		sayAll(c, "problem", input.Problems, len(input.Problems))
	}
	return err
}

func sayProblems(c *console, name string, problems []error) []string {
	sayAll(c, "problem", problems, len(problems))
	if len(problems) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s has %s (listed above)", name, count(len(problems), "problem"))}
}

// scoreVerdict prints every gate. It returns an error if something is wrong with
// the input or a gate failed.
func scoreVerdict(c *console, wrong []string, gates []grade.CheckedGate) error {
	for _, gate := range gates {
		say(c, "gate %s: %s", gate.Verdict, gate.Why)
		if gate.Verdict == grade.Failed {
			wrong = append(wrong, "gate failed: "+gate.Figure)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return &CheckFailed{strings.Join(wrong, "; ")}
}

// writeCI writes the files for a CI server. They contain no text of a journal.
func writeCI(c *console, f scoreFlags, gates []grade.CheckedGate, wrong []string, markdown func(io.Writer) error) error {
	if f.junit != "" {
		if err := writeOut(c, f.junit, false, func(w io.Writer) error { return grade.WriteJUnit(w, gates, wrong) }); err != nil {
			return err
		}
	}
	if f.summary != "" {
		return writeOut(c, f.summary, false, markdown)
	}
	return nil
}
