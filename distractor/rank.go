package distractor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/sentence"
)

// Ranked is a candidate with its score. Score is the sum of two log probabilities:
// Previous, that the filled sentence follows the one before it, and Next, that the
// sentence after it follows the filled sentence.
type Ranked struct {
	Index     int      `json:"index"` // in the list of candidates
	Candidate string   `json:"candidate"`
	Score     float64  `json:"score"`
	Previous  *float64 `json:"previous"` // nil if no sentence comes before
	Next      *float64 `json:"next"`     // nil if no sentence comes after

	// Tied names the halves (previous, next) in which another candidate has the same
	// score and this one is too long for the scorer to read whole.
	Tied []string `json:"tied,omitempty"`

	// Of RankLures only: the sum that decides the order, the topic in it, the reason
	// if the candidate was set aside and came back because others were too few, and
	// whether its connector is as sure as that of the ground truth.
	Total  float64 `json:"total,omitempty"`
	Topic  float64 `json:"topic,omitempty"`
	Reason string  `json:"reason,omitempty"`
	Kin    bool    `json:"kin,omitempty"`
}

// Rank sorts candidates by how well they fit in place of the mask, the best first;
// if the scores are equal, by the half that differs; equal ones keep their order.
// The ground truth and duplicates are left out. All candidates have the same
// neighbours: those of the mask. In a filled text, the punctuation of a candidate
// could move them. For a verbatim.Measurer, a long sentence is shortened around the
// mask, the same for all candidates.
func Rank(ctx context.Context, scorer verbatim.Scorer, passage, mask string, candidates []string, groundTruth string) ([]Ranked, error) {
	setting, err := findSetting(passage, mask)
	if err != nil {
		return nil, err
	}
	if setting.previous == "" && setting.next == "" {
		return nil, fmt.Errorf("no sentence comes before or after %s, so nothing can be ranked; give a longer passage", mask)
	}
	var ranked []Ranked
	seen := map[string]bool{sameness(groundTruth): true, "": true}
	for i, candidate := range candidates {
		if key := sameness(candidate); !seen[key] {
			seen[key] = true
			ranked = append(ranked, Ranked{Index: i, Candidate: candidate})
		}
	}
	if len(ranked) == 0 {
		return nil, nil
	}
	var pairs []verbatim.Pair
	halves := setting.halves(scorer, ranked)
	for _, h := range halves {
		for _, r := range ranked {
			pairs = append(pairs, h.pair(r.Candidate))
		}
	}
	scores, err := scorer.Score(ctx, pairs)
	if err != nil {
		return nil, err
	}
	if len(scores) != len(pairs) {
		return nil, fmt.Errorf("the scorer gave %d scores for %d pairs", len(scores), len(pairs))
	}
	for i, score := range scores {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			candidate := ranked[i%len(ranked)].Candidate
			return nil, fmt.Errorf("the scorer gave %v for the candidate %q; a log probability must be finite", score, candidate)
		}
	}
	scores = slices.Clone(scores) // the scorer's own slice may change
	for i, h := range halves {
		h.give(ranked, scores[i*len(ranked):][:len(ranked)])
	}
	slices.SortStableFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), compareHalf(b.Previous, a.Previous), compareHalf(b.Next, a.Next))
	})
	return ranked, nil
}

// compareHalf compares scores of one half, which all candidates have or none.
func compareHalf(a, b *float64) int {
	if a == nil {
		return 0
	}
	return cmp.Compare(*a, *b)
}

// A setting is what surrounds a mask: the neighbouring sentences, which may be
// missing, and the rest of its own sentence.
type setting struct{ previous, before, after, next string }

func findSetting(passage, mask string) (setting, error) {
	before, after, err := cutMask(passage, mask)
	if err != nil {
		return setting{}, err
	}
	if !masksSentence(before, mask, after) {
		return aroundClause(before, after), nil
	}
	var s setting
	if all := split(before); len(all) > 0 {
		s.previous = all[len(all)-1]
	}
	if all := split(after); len(all) > 0 {
		s.next = all[0]
	}
	return s, nil
}

// cutMask is the passage before and after its mask, which must occur once.
func cutMask(passage, mask string) (before, after string, err error) {
	before, after, found := strings.Cut(passage, mask)
	switch {
	case mask == "":
		err = fmt.Errorf("the mask is empty; give the text that replaces the answer, for example [masked sentence describing a cause or reason]")
	case !found:
		err = fmt.Errorf("the mask %q is not in the passage", mask)
	case strings.Contains(after, mask):
		err = fmt.Errorf("the mask %q is in the passage more than once; mask one place", mask)
	}
	return before, after, err
}

// masksSentence reports whether a mask replaces a whole sentence. Its position
// decides, and its words only if the position does not: the specification's list
// calls a clause a sentence once.
func masksSentence(before, mask, after string) bool {
	if next, _ := utf8.DecodeRuneInString(after); after != "" && !unicode.IsSpace(next) {
		return false // the final punctuation comes after the mask
	}
	before = strings.TrimRight(strings.TrimSpace(before), `"'”’)]`)
	switch last, _ := utf8.DecodeLastRuneInString(before); {
	case before == "", strings.ContainsRune(".?!…", last):
		return true
	case strings.ContainsRune(",;", last):
		return false
	default: // a heading, a colon, a dash
		return strings.Contains(mask, "sentence")
	}
}

// aroundClause finds the sentence of a masked clause. It replaces the mask by plain
// words, for the sentence splitter.
func aroundClause(before, after string) setting {
	words := "so it was"
	if next, _ := utf8.DecodeRuneInString(after); after == "" || unicode.IsSpace(next) {
		words += "." // the mask includes the final punctuation
	}
	text := before + words + after
	place := verbatim.Span{Start: len(before), End: len(before) + len(words)}
	var found setting
	for s := range sentence.SplitText(text) {
		switch {
		case s.End <= place.Start:
			found.previous = text[s.Start:s.End]
		case s.Start < place.End:
			found.before = text[min(s.Start, place.Start):place.Start]
			found.after = text[place.End:max(s.End, place.End)]
		default:
			found.next = text[s.Start:s.End]
			return found
		}
	}
	return found
}

// InPassage reports whether a candidate occurs in a passage.
func InPassage(passage, candidate string) bool {
	return strings.Contains(sameness(passage), sameness(candidate))
}

// Same reports whether two answers are the same, apart from white space, case,
// quotation marks and final punctuation.
func Same(a, b string) bool { return sameness(a) == sameness(b) }

// sameness is the key by which answers are compared.
func sameness(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case '“', '”', '"':
			return -1
		case '’', '‘':
			return '\''
		}
		return unicode.ToLower(r)
	}, verbatim.FoldSpace(text))
	return strings.TrimRight(strings.TrimSpace(text), ".,;:!? ")
}

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
			_, limit := measurer.Measure("")
			h.room = measurer.Room(h.neighbour)
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
