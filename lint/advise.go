package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Advice is a finding about the set and what to do about it.
type Advice struct {
	What string `json:"what"`
	Do   string `json:"do"`
	// Remedy names a way out that a program may offer: balance, twin, more books.
	Remedy string `json:"remedy,omitempty"`
}

// Remedies that a caller can put into commands of its own.
const (
	RemedyBalance = "balance" // choose the wrong answers so that they give nothing away
	RemedyReview  = "review"  // look at the questions again
)

// advise says for everything that was found what to do.
func (r *Report) advise(s *set) {
	say := func(remedy, do, what string, args ...any) {
		r.Advice = append(r.Advice, Advice{fmt.Sprintf(what, args...), do, remedy})
	}
	if n := len(s.questions); n > 0 && n < 100 {
		say("", "measure again when the set has grown; differences below the luck line mean nothing yet",
			"the set has only %d questions, so luck alone gives %+.1f points", n, 100*r.Luck)
	}
	leaks := map[string]*Result{}
	for i := range r.Attacks {
		if a := &r.Attacks[i]; a.Leaks && (leaks[group(a)] == nil || leaks[group(a)].Strength() < a.Strength()) {
			leaks[group(a)] = a
		}
	}
	for _, g := range slices.Sorted(maps.Keys(leaks)) {
		a := leaks[g]
		way := a.Attack
		if a.Inverse > a.Lift {
			way = "the opposite of " + way
		}
		say(remedyOf[g], todo[g], "%q is right in %.1f %% (chance %.1f, by luck at most %.1f)", way, 100*(a.Chance+a.Strength()), 100*a.Chance, 100*(a.Chance+r.Luck))
	}
	r.adviseSpread(say)
	for _, check := range Checks {
		if n := r.Findings.Count(check); n > 0 {
			say(RemedyReview, todo[check], "%s: %d", check, n)
		}
	}
}

// group puts attacks together that have one cause.
func group(a *Result) string {
	switch name := a.Attack; {
	case a.Kind == Ranker:
		return "ranker"
	case strings.Contains(name, "pair"), strings.Contains(name, "twin"), strings.Contains(name, "negat"), strings.HasPrefix(name, "like the others"), strings.Contains(name, "odd one"):
		return "negation"
	case strings.Contains(name, "connector"), strings.Contains(name, "prior"):
		return "connector"
	case strings.Contains(name, "seen "):
		return "reuse"
	case a.Kind == Learned:
		return "learned"
	}
	return "form"
}

var remedyOf = map[string]string{"ranker": RemedyBalance, "connector": RemedyBalance, "learned": RemedyBalance, "form": RemedyBalance, "negation": RemedyBalance, "reuse": RemedyBalance}

var todo = map[string]string{
	"ranker":        "offer wrong answers around the ground truth's own fit, not only the best ones: choose them balanced",
	"connector":     "choose wrong answers with the connectors of the ground truths: choose them balanced",
	"learned":       "a model that never saw the passage can tell them apart: choose the wrong answers balanced",
	"form":          "choose wrong answers of all lengths and forms: choose them balanced",
	"negation":      "a near copy points at the ground truth: negate a drawn option instead (type twin), or leave negations out",
	"reuse":         "offer no wrong answer in several questions, or ground truths as often: choose them balanced",
	checkSame:       "reject one of them and accept another",
	checkNear:       "reject one of them, unless a reader must tell exactly these apart",
	checkTruthShown: "reject the question: the reader sees the answer",
	checkLureShown:  "reject this answer: the reader sees that it stands elsewhere",
	checkQuotes:     "reject or edit the answer: half a quotation gives it away",
	checkDamage:     "reject the question, or edit the text (it is then no quotation any more)",
	checkForm:       "edit or reject the answer: another form gives it away",
	checkAlsoTruth:  "a reader of the other question knows it: reject the answer here",
	checkTwice:      "reject one of the two questions",
	checkSource:     "complete what is known about the book",
	checkProof:      "make the question again from its source, or say why there is none",
	checkPeriod:     "edit or reject the answer: one modern word gives it away",
	"positions":     "shuffle the options with a recorded seed",
	"categories":    "draft more of the rare categories, or report accuracy per category",
	"licence":       "add a field licence to the questions, or a note to the set, before you publish it",
}

// adviseSpread looks at categories, positions and the licence.
func (r *Report) adviseSpread(say func(remedy, do, what string, args ...any)) {
	if r.Questions == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(r.Balance.Categories))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(r.Balance.Categories[a], r.Balance.Categories[b])
	})
	if n := len(names); n > 1 && r.Balance.Categories[names[n-1]] >= 4*r.Balance.Categories[names[0]] {
		say("", todo["categories"], "categories are uneven: %s %d, %s %d", names[n-1], r.Balance.Categories[names[n-1]], names[0], r.Balance.Categories[names[0]])
	}
	if len(r.Balance.Positions) > 1 {
		most := slices.Max(r.Balance.Positions)
		if share := float64(most) / float64(r.Questions); r.Questions >= 20 && share > 1.5*r.Chance+.1 {
			say("", todo["positions"], "the ground truth is at position %d in %.0f %% of the questions", slices.Index(r.Balance.Positions, most)+1, 100*share)
		}
	}
	if r.Balance.Licence == 0 {
		say("", todo["licence"], "no question says under which licence its text may be used")
	}
}
