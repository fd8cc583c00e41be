package lint

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/period"
)

// A Finding is one fault of one question.
type Finding struct {
	Check    string `json:"check"`
	Question string `json:"question"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	What     string `json:"what"`
}

// Findings are all faults, in the order of the questions.
type Findings []Finding

// Count is how many faults of a check there are; of all, if it is empty.
func (f Findings) Count(check string) int {
	n := 0
	for _, x := range f {
		if check == "" || x.Check == check {
			n++
		}
	}
	return n
}

// The checks, in the order in which a report shows them.
const (
	checkSame       = "same options"
	checkNear       = "near-equal options"
	checkTruthShown = "ground truth in the passage"
	checkLureShown  = "wrong answer in the passage"
	checkQuotes     = "unbalanced quotes"
	checkDamage     = "scan damage"
	checkForm       = "wrong form"
	checkAlsoTruth  = "wrong answer is a ground truth"
	checkTwice      = "same question twice"
	checkSource     = "source not described"
	checkProof      = "no provenance"
	checkPeriod     = "words after the period"
)

// Checks are the names of all checks of single questions.
var Checks = []string{checkSame, checkNear, checkTruthShown, checkLureShown, checkQuotes, checkDamage, checkForm, checkAlsoTruth,
	checkTwice, checkSource, checkProof, checkPeriod}

// A Balance says how the set is spread.
type Balance struct {
	Categories map[string]int `json:"categories"`
	Positions  []int          `json:"positions"` // of the ground truth in the file
	Openings   map[string]int `json:"openings"`  // the most frequent first words of ground truths
	Words      int            `json:"written_words"`
	Dated      int            `json:"dated_words"` // those of them whose first year is known
	Licence    int            `json:"questions_with_licence"`
}

// hygiene looks for faults in every question and at the spread of the set.
func (r *Report) hygiene(s *set) {
	r.Findings = Findings{}
	r.Balance = Balance{Categories: map[string]int{}, Openings: map[string]int{}, Positions: []int{}}
	truths, asked := map[[2]string]*Question{}, map[string]*Question{}
	for _, q := range s.questions {
		truths[[2]string{q.Book, sameness(q.Options[0])}] = q
	}
	for _, q := range s.questions {
		say := func(check, format string, args ...any) {
			r.Findings = append(r.Findings, Finding{check, q.ID, q.File, q.Line, fmt.Sprintf(format, args...)})
		}
		checkOptions(q, say)
		checkTexts(q, say)
		for _, o := range q.Options[1:] {
			if other := truths[[2]string{q.Book, sameness(o)}]; other != nil && other != q && !Same(o, q.Options[0]) {
				say(checkAlsoTruth, "%s is the ground truth of %s", short(o), other.ID)
			}
		}
		key := q.Book + "\x00" + sameness(q.visible()) + "\x00" + sameness(q.Options[0])
		if other := asked[key]; other != nil {
			say(checkTwice, "as in %s", other.ID)
		}
		asked[key] = q
		checkProvenance(q, say)
		r.period(q, say)
		r.spread(q)
	}
	rank := func(f Finding) int { return slices.Index(Checks, f.Check) }
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
	r.keepOpenings(12)
}

func (r *Report) spread(q *Question) {
	r.Balance.Categories[cmp.Or(q.Category, "none")]++
	r.Balance.Openings[Opening(q.Options[0])]++
	for len(r.Balance.Positions) <= q.Position {
		r.Balance.Positions = append(r.Balance.Positions, 0)
	}
	r.Balance.Positions[q.Position]++
	if q.Licence {
		r.Balance.Licence++
	}
}

// keepOpenings keeps the most frequent ones.
func (r *Report) keepOpenings(most int) {
	all := slices.SortedFunc(maps.Keys(r.Balance.Openings), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Balance.Openings[b], r.Balance.Openings[a]), cmp.Compare(a, b))
	})
	for _, w := range all[min(most, len(all)):] {
		delete(r.Balance.Openings, w)
	}
}

func short(text string) string {
	runes := []rune(text)
	if len(runes) > 60 {
		return `"` + string(runes[:59]) + `…"`
	}
	return `"` + text + `"`
}

// near is the share of common words from which two options are near-equal. A
// negation is meant to be like what it negates.
const near = 0.8

func checkOptions(q *Question, say func(check, format string, args ...any)) {
	passage := sameness(q.visible())
	for i, o := range q.Options {
		for j, other := range q.Options[:i] {
			switch {
			case Same(o, other):
				say(checkSame, "%s is offered twice", short(o))
			case Overlap(o, other) >= near && !opposed(q, i) && !opposed(q, j):
				say(checkNear, "%s and %s", short(other), short(o))
			}
		}
		if text := sameness(o); len(strings.Fields(text)) >= 4 && strings.Contains(passage, text) {
			if i == 0 {
				say(checkTruthShown, "%s", short(o))
			} else {
				say(checkLureShown, "%s", short(o))
			}
		}
	}
}

// opposed reports whether an option is a negation of another.
func opposed(q *Question, option int) bool {
	return option < len(q.Types) && (strings.Contains(q.Types[option], "negation") || strings.Contains(q.Types[option], "twin"))
}

func checkTexts(q *Question, say func(check, format string, args ...any)) {
	for i, o := range q.Options {
		if why := unbalanced(o); why != "" {
			say(checkQuotes, "%s: %s", short(o), why)
		}
		if why := damage(o); why != "" {
			say(checkDamage, "%s: %s", short(o), why)
		}
		if why := form(q, o); q.Ours && why != "" {
			what := "a wrong answer"
			if i == 0 {
				what = "the ground truth"
			}
			say(checkForm, "%s, %s: %s", short(o), what, why)
		}
	}
	if why := damage(q.visible()); why != "" {
		say(checkDamage, "the passage: %s", why)
	}
}

// unbalanced says which quotation mark or bracket has no partner.
func unbalanced(text string) string {
	for _, pair := range []string{"“”", "()", "[]"} {
		runes := []rune(pair)
		opening, closing := strings.Count(text, string(runes[0])), strings.Count(text, string(runes[1]))
		if opening != closing {
			return fmt.Sprintf("%d %c and %d %c", opening, runes[0], closing, runes[1])
		}
	}
	if n := strings.Count(text, `"`); n%2 == 1 {
		return fmt.Sprintf(`%d "`, n)
	}
	return ""
}

var damagePatterns = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(`\pL\d\pL|\b[a-z]+\d+\b`), "a digit in a word"},
	{regexp.MustCompile(`[\^~|\\{}<>¬¦§•■□►£¥¢©®°]{2,}|[|^~\\¬¦■□►]`), "a character that books do not have"},
	{regexp.MustCompile(`\[(?:Footnote|Illustration|Pg|Page)\b`), "a mark of the transcription"},
	{regexp.MustCompile(`<page|\bp\. ?\d+ ?$`), "a page mark"},
	{regexp.MustCompile(`\pL-\s+\pL?[a-z]+\b.*\pL-\s`), "words broken at the line end"},
	{regexp.MustCompile(`(?i)\b[b-df-hj-np-tv-xz]{6,}\b`), "a word without a vowel"},
	{regexp.MustCompile(`[.,;:]{2,}[,;:]|,\.|;,|\.,\pL`), "stops that do not go together"},
	{regexp.MustCompile(`\pL\p{Ll}\p{Lu}\p{Ll}`), "a capital inside a word"},
	{regexp.MustCompile(`\x{FFFD}`), "a character that was lost"},
}

var innerCapital = regexp.MustCompile(`\b(?:Mac|Mc|De|La|Le|Fitz|Van|Du)\p{Lu}`)

// damage says what a scan or its reading has left in a text.
func damage(text string) string {
	for _, p := range damagePatterns {
		if found := p.pattern.FindString(text); found != "" && !innerCapital.MatchString(text) {
			return p.what + " (" + strings.TrimSpace(found) + ")"
		}
	}
	return ""
}

var twoSentences = regexp.MustCompile(`\p{Ll}{3,}[.!?] \p{Lu}\p{Ll}`)

// form says what keeps an option from looking like a clause or a sentence.
func form(q *Question, text string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, `"“‘'([`))
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"”’')]`))
	switch {
	case strings.TrimSpace(text) == "":
		return "it is empty"
	case text != strings.TrimSpace(text):
		return "white space at its ends"
	case q.Clause && strings.ContainsRune(".;,:", last):
		return "a clause ends without a stop"
	case !q.Clause && !strings.ContainsRune(".!?—-:;…*", last):
		return "a sentence ends with a stop"
	case !q.Clause && unicode.IsLower(first):
		return "a sentence begins with a capital"
	case twoSentences.MatchString(text) && !q.Clause:
		return "two sentences"
	}
	return ""
}

// checkProvenance asks for what every question of ours must say of its source.
func checkProvenance(q *Question, say func(check, format string, args ...any)) {
	if !q.Ours {
		return
	}
	var missing []string
	for _, name := range []string{"source_title", "source_author", "source_date"} {
		if v := strings.ToLower(q.Fields[name]); v == "" || v == "unknown" || v == "null" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		say(checkSource, "no %s", strings.Join(missing, ", "))
	}
	if q.Fields["sha256"] == "" {
		say(checkProof, "no verbatim.sha256: nothing proves the quotations")
	}
}

// period looks for words of a written option that a book of its year could not
// have: they give an answer away without being read.
func (r *Report) period(q *Question, say func(check, format string, args ...any)) {
	for i, o := range q.Options {
		if q.Year == 0 || !q.written(i) {
			continue
		}
		modern, checked, dated := period.Modern(o, q.Year)
		r.Balance.Words, r.Balance.Dated = r.Balance.Words+checked, r.Balance.Dated+dated
		if len(modern) > 0 {
			say(checkPeriod, "%s (%s, %d): %s", short(o), q.Types[i], q.Year, strings.Join(modern, ", "))
		}
	}
}
