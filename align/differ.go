package align

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A describer says in words what differs between a quotation and the text.
type describer struct {
	quotation, text      string
	saidBefore, hereEnds int // the ends of the tokens before, 0 at the start
	letters              int
	names                []string
}

func (d *describer) say(name string) {
	if name != "" && !slices.Contains(d.names, name) {
		d.names = append(d.names, name)
	}
}

// step describes one step, with the tokens that it consumed of both sides.
func (d *describer) step(s step, said, here []token) {
	d.gap(said, here)
	switch s.how {
	case equal:
		d.form(d.quotation[said[0].start:said[0].end], d.text[here[0].start:here[0].end])
	case letter:
		if x, y := unlike(said[0].word, here[0].word); x+y == "'" {
			d.say("apostrophe")
		} else {
			d.letters++
		}
	case joined, split:
		d.say("space inside a word")
	case added:
		d.say(markName(said[0].word))
	case missed, other:
		d.say(markName(here[0].word))
	}
}

// gap compares the white space before the tokens of a step.
func (d *describer) gap(said, here []token) {
	if len(said) > 0 && len(here) > 0 && d.hereEnds > 0 && d.saidBefore > 0 {
		d.form(d.quotation[d.saidBefore:said[0].start], d.text[d.hereEnds:here[0].start])
	}
	d.saidBefore, d.hereEnds = 0, 0 // of a mark on one side, the space says nothing
	if len(said) > 0 && len(here) > 0 {
		d.saidBefore, d.hereEnds = int(said[len(said)-1].end), int(here[len(here)-1].end)
	}
}

func (d *describer) words() []string {
	switch {
	case d.letters == 1:
		d.names = append(d.names, "1 letter")
	case d.letters > 1:
		d.names = append(d.names, fmt.Sprintf("%d letters", d.letters))
	}
	return d.names
}

// form names the difference of two forms of the same token or gap.
func (d *describer) form(a, b string) {
	if a == b {
		return
	}
	both := a + b
	switch {
	case strings.TrimFunc(both, blank) == "":
		d.say(spaceName(a, b))
	case strings.ContainsAny(both, "‘’“”‚„‛‟"):
		d.say("curly quote")
	case strings.ContainsAny(both, "'\"`´′″«»‹›ʼ"):
		d.say("quotation mark")
	case strings.ContainsRune(both, '…'):
		d.say("ellipsis")
	case strings.Trim(both, ".") == "":
		d.say("dots")
	case strings.TrimFunc(both, func(r rune) bool { return unicode.Is(unicode.Pd, r) || r == '−' }) == "":
		d.say("dash")
	}
	a, b = visible(a), visible(b)
	if a == b {
		d.say("invisible character")
		return
	}
	x, y := norm.NFC.String(a), norm.NFC.String(b)
	if a != x || b != y {
		d.say("Unicode form")
	}
	if letters(x) != letters(y) {
		d.say("case")
	}
}

// blank reports whether a character cannot be seen.
func blank(r rune) bool { return unicode.IsSpace(r) || invisible(r) }

// visible leaves out invisible characters.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
}

// letters leaves out everything but letters.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s)
}

// spaceName names the difference of two runs of white space.
func spaceName(a, b string) string {
	both := a + b
	switch {
	case visible(a) == visible(b):
		return "invisible character"
	case strings.ContainsAny(both, "\n\r\v\f\u0085\u2028\u2029"):
		return "line break"
	case strings.ContainsRune(both, '\t'):
		return "tab"
	case strings.ContainsAny(both, "\u00a0\u202f"):
		return "non-breaking space"
	case a == "" || b == "":
		return "space"
	case strings.Trim(both, " ") == "" && len(both) == 3:
		return "two spaces"
	case strings.Trim(both, " ") == "":
		return "several spaces"
	}
	return "white space"
}

// outside names the marks of quoting that were left out at both ends.
func outside(said, core []token) (names []string) {
	d := describer{}
	for i, t := range said {
		switch first, last := core[0].start, core[len(core)-1].start; {
		case t.start >= first && t.start <= last:
		case t.word != ".":
			d.say("quotation marks around it")
		case t.letters > 1 || i == 0 || t.start < first:
			d.say("ellipsis")
		default:
			d.say("final stop")
		}
	}
	return d.names
}

var markNames = map[string]string{",": "comma", ".": "full stop", ";": "semicolon", ":": "colon", "!": "exclamation mark",
	"-": "dash", "'": "quotation mark", `"`: "quotation mark"}

func markName(mark string) string {
	if name := markNames[mark]; name != "" {
		return name
	}
	if strings.ContainsAny(mark, "()[]") {
		return "bracket"
	}
	return "punctuation"
}
