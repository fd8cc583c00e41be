package distractor

import (
	"strings"
	"unicode"

	"verbatim"
)

// A half is one of the two pairs of a candidate: the filled sentence with the
// previous one, or with the next.
type half struct {
	name          string // previous or next
	neighbour     string
	before, after string            // the rest of the filled sentence, as the scorer gets it
	measurer      verbatim.Measurer // nil: the scorer reads everything
	room          int               // how much of the filled sentence is read
}

// halves are the pairs of a setting. If the scorer might not reach a candidate, the
// text on each side of the mask is shortened until there is room for a few words of
// the other side and for the longest candidate, or a quarter of the limit.
func (s setting) halves(scorer verbatim.Scorer, candidates []Ranked) []half {
	measurer, _ := scorer.(verbatim.Measurer)
	longest := 0
	for _, c := range candidates {
		if measurer != nil {
			length, limit := measurer.Measure(c.Candidate)
			longest = max(longest, min(length, limit/4))
		}
	}
	var halves []half
	for _, h := range []half{{name: "previous", neighbour: s.previous}, {name: "next", neighbour: s.next}} {
		if h.neighbour == "" {
			continue
		}
		if h.before, h.after, h.measurer = s.before, s.after, measurer; measurer != nil {
			length, limit := measurer.Measure(h.neighbour)
			h.room = limit - min(length, (limit+1)/2)
			room := h.room - longest
			h.before = h.lastWords(s.before, room-min(h.length(s.after), limit/16))
			h.after = h.firstWords(s.after, room-min(h.length(s.before), limit/16))
		}
		halves = append(halves, h)
	}
	return halves
}

func (h half) filled(candidate string) string { return h.before + candidate + h.after }

func (h half) pair(candidate string) verbatim.Pair {
	if h.name == "previous" {
		return verbatim.Pair{First: h.neighbour, Second: h.filled(candidate)}
	}
	return verbatim.Pair{First: h.filled(candidate), Second: h.neighbour}
}

// give adds the scores of this half to the candidates.
func (h half) give(ranked []Ranked, scores []float64) {
	count := map[float64]int{}
	for _, score := range scores {
		count[score]++
	}
	for i := range ranked {
		r := &ranked[i]
		if r.Score += scores[i]; h.name == "previous" {
			r.Previous = &scores[i]
		} else {
			r.Next = &scores[i]
		}
		if count[scores[i]] > 1 && h.length(h.filled(r.Candidate)) > h.room {
			r.Tied = append(r.Tied, h.name)
		}
	}
}

func (h half) length(text string) int {
	if h.measurer == nil {
		return 0
	}
	length, _ := h.measurer.Measure(text)
	return length
}

func notSpace(r rune) bool { return !unicode.IsSpace(r) }

// lastWords is the end of a text, in whole words, for which there is room.
func (h half) lastWords(text string, room int) string {
	start := len(text)
	for start > 0 {
		word := len(strings.TrimRightFunc(strings.TrimRightFunc(text[:start], unicode.IsSpace), notSpace))
		if room -= h.length(text[word:start]); room < 0 {
			break
		}
		start = word
	}
	return text[start:]
}

// firstWords is the start of a text, in whole words, for which there is room.
func (h half) firstWords(text string, room int) string {
	rest := text
	for rest != "" {
		next := strings.TrimLeftFunc(strings.TrimLeftFunc(rest, unicode.IsSpace), notSpace)
		if room -= h.length(rest[:len(rest)-len(next)]); room < 0 {
			break
		}
		rest = next
	}
	return text[:len(text)-len(rest)]
}
