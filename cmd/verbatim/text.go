package main

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/layout"
)

// count is a number with its noun: 1 repair, 2 repairs.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// wrap breaks a text into lines of at most width, the later ones indented.
func wrap(text string, width, indent int) string {
	return layout.Hang(verbatim.FoldSpace(text), width+indent, indent)
}

// hang wraps a text for a terminal of 80 columns, under its first line.
func hang(first, text string) string {
	return first + wrap(text, 79-len(first), len(first)) + "\n"
}

// lineEnds shows line ends as ⏎: many repairs change them.
var lineEnds = strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\r", "⏎", "\f", "␌", "\t", " ")

// oneLine shortens a text to one line by leaving out its middle.
func oneLine(text string, most int) string {
	runes := []rune(lineEnds.Replace(text))
	if len(runes) <= most {
		return string(runes)
	}
	half := (most - 3) / 2
	return string(runes[:half]) + "..." + string(runes[len(runes)-half:])
}

// bracketed puts brackets around a span.
func bracketed(text string, s verbatim.Span) string {
	return text[:s.Start] + "[" + text[s.Start:s.End] + "]" + text[s.End:]
}
