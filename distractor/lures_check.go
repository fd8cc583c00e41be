package distractor

import (
	"fmt"
	"strings"

	"verbatim"
)

// Check tests every reason and every slip with its own examples, and returns
// what does not hold, with file and line.
func (l *Lures) Check() []error {
	var wrong []error
	for _, r := range l.reasons {
		for _, e := range r.yes {
			wrong = append(wrong, r.compare(e, "yes", r.name, l.reasonFor(e.text))...)
		}
		for _, e := range r.no {
			if got := l.reasonFor(e.text); got == r.name || strings.HasPrefix(got, "!") {
				wrong = append(wrong, r.failed(e, "no", got)...)
			}
		}
	}
	for _, s := range l.slips {
		for _, e := range s.yes {
			text, marked := unbracket(e.text)
			wrong = append(wrong, s.compare(e, "yes", s.name+marked, l.slipOf(s.name, text, marked != ""))...)
		}
		for _, e := range s.no {
			wrong = append(wrong, s.compare(e, "no", "", l.slipOf(s.name, e.text, false))...)
		}
	}
	return wrong
}

// Examples is how many examples there are.
func (l *Lures) Examples() (cards, examples int) {
	for _, r := range l.reasons {
		examples += len(r.yes) + len(r.no)
	}
	for _, s := range l.slips {
		examples += len(s.yes) + len(s.no)
	}
	return len(l.reasons) + len(l.slips), examples
}

func (c lureCard) compare(e lureExample, which, want, got string) []error {
	if want == got {
		return nil
	}
	return c.failed(e, which, got)
}

func (c lureCard) failed(e lureExample, which, got string) []error {
	if got == "" {
		got = "nothing"
	}
	return []error{&verbatim.LineError{File: c.file, Line: e.line,
		What:   fmt.Sprintf("%s: %s\n\t%s does not do this: it finds %s", which, e.text, c.name, strings.TrimPrefix(got, "!")),
		Remedy: "fix the paragraph or the example"}}
}

// reasonFor is the reason why the candidate of an example is set aside.
func (l *Lures) reasonFor(example string) string {
	const mask = "[masked]"
	passage, candidate, found := strings.Cut(example, " | ")
	before, rest, open := strings.Cut(passage, "[")
	truth, after, closed := strings.Cut(rest, "]")
	if !found || !open || !closed {
		return "!no passage with [brackets], a bar and a candidate"
	}
	r := &Request{Passage: before + mask + after, Mask: mask, GroundTruth: truth}
	c := newLure(candidate)
	aside, _ := l.newScene(r).setAside(&c)
	return aside.Reason
}

// unbracket removes the outermost [brackets] of an example and returns what was in
// them, after a space.
func unbracket(text string) (plain, marked string) {
	start, end := strings.Index(text, "["), strings.LastIndex(text, "]")
	if start < 0 || end < start {
		return text, ""
	}
	return text[:start] + text[start+1:end] + text[end+1:], " " + text[start+1:end]
}

// slipOf is the name of a slip if a text has it and, if asked for, the slip itself.
func (l *Lures) slipOf(name, text string, whole bool) string {
	for _, found := range l.Slips(text, nil) {
		if found.Name == name && whole {
			return name + " " + found.Text
		} else if found.Name == name {
			return name
		}
	}
	return ""
}
