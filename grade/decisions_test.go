package grade

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// claim is an item as JSON: domain, span, then names and values of attributes.
func claim(domain, span string, attributes ...string) string {
	o := Object{{"domain", domain}, {"evidence_span", span}}
	for i := 0; i < len(attributes); i += 2 {
		o = append(o, Member{attributes[i], attributes[i+1]})
	}
	out, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// journal is a line of items; entry is a line of a journals file.
func journal(id string, items ...string) string {
	return fmt.Sprintf(`{"journal_id":%q,"items":[%s]}`+"\n", id, strings.Join(items, ","))
}

func entry(id, text string) string {
	line, _ := json.Marshal(verbatim.Journal{ID: id, Text: text})
	return string(line) + "\n"
}

// matched reports whether one prediction matches one gold item.
func matched(t *testing.T, gold, pred string) bool {
	t.Helper()
	r := score(t, journal("A", claim("symptom", gold)), journal("A", claim("symptom", pred)), "")
	return r.Pred.total[cMatched] == 1
}

func TestDecision1CaseAndForm(t *testing.T) {
	for _, c := range []struct {
		gold, pred string
		want       bool
	}{
		{"a stiff NECK", "Stiff neck", true},
		{"cafe\u0301 noir", "caf\u00e9 noir", true},                    // decomposed, composed
		{"didn't rest", "didn\u2019t rest", false},                     // quotes are not folded
		{"stra\u00dfe", "STRASSE", false},                              // simple folding is one to one
		{"STRA\u1e9eE", "stra\u00dfe", true},                           // capital sharp s
		{"\u212aelvin", "kelvin", true},                                // the Kelvin sign is a K
		{"re\u017ft", "rest", true},                                    // long s
		{"\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2", true}, // final sigma
		{"\u0130stirahat", "istirahat", false},                         // dotted capital I folds only to itself
	} {
		if got := matched(t, c.gold, c.pred); got != c.want {
			t.Errorf("%q and %q: match %v, want %v", c.gold, c.pred, got, c.want)
		}
	}
}

func TestDecision2ContainmentNotOverlap(t *testing.T) {
	if matched(t, "dull ache above the brow", "bad dull ache") {
		t.Error("spans that only overlap match")
	}
	if !matched(t, "dull ache above the brow", "ache above") || !matched(t, "ache", "a bad ache today") {
		t.Error("a span inside the other does not match")
	}
}

func TestDecision3OverlapShowsTheWrongMention(t *testing.T) {
	r := score(t, journal("A", claim("symptom", "no fever")), journal("A", claim("symptom", "fever")),
		entry("A", "My brother had fever all week. As for me: no fever."))
	figures(t, r, map[string]float64{"micro.tp": 1, "overlap.tp": 0, "exact.tp": 0})
}

func TestDecision4EmptyOrMissingSpanIsAnInvalidItem(t *testing.T) {
	r := score(t, journal("A", claim("food", "porridge")), journal("A", claim("food", ""), `{"domain":"food"}`, `{"domain":"food","evidence_span":null}`),
		entry("A", "Ate porridge."))
	figures(t, r, map[string]float64{"micro.tp": 0, "micro.fp": 3, "micro.fn": 1, "invalid_items": 3, "covered_items": 0, "coverage": 0,
		"domains.food.fp": 3, "optimal.tp": 0, "overlap.tp": 0})
	wantProblems(t, r, "pred.jsonl:1: item 1: evidence_span is empty", `pred.jsonl:1: item 2: field "evidence_span" is missing`,
		"pred.jsonl:1: item 3: evidence_span is of type null; it must be a string")
}

func wantProblems(t *testing.T, r *Result, want ...string) {
	t.Helper()
	var got []string
	for _, p := range r.Pred.Problems {
		got = append(got, p.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDecision5OtherModesExposeTheWholeText(t *testing.T) {
	text := "Woke with a sore back. Porridge for breakfast. Calm all day."
	gold := journal("A", claim("symptom", "a sore back"), claim("food", "Porridge for breakfast"), claim("emotion", "Calm all day"))
	pred := journal("A", claim("symptom", text), claim("food", text), claim("emotion", text))
	figures(t, score(t, gold, pred, entry("A", text)), map[string]float64{
		"micro.f1": 1, "coverage": 1, "exact.f1": 0, "overlap.f1": 0, "optimal.f1": 1})
}

func TestDecision6GreedyInFileOrderAndOptimal(t *testing.T) {
	gold := []string{claim("symptom", "dull ache above the brow"), claim("symptom", "mild ache")}
	pred := []string{claim("symptom", "ache"), claim("symptom", "dull ache above")}
	for name, c := range map[string]struct {
		gold, pred []string
		greedy     float64
	}{
		"in file order":        {gold, pred, 1},
		"gold reversed":        {reversed(gold), pred, 2},
		"predictions reversed": {gold, reversed(pred), 2},
	} {
		t.Run(name, func(t *testing.T) {
			figures(t, score(t, journal("A", c.gold...), journal("A", c.pred...), ""), map[string]float64{
				"micro.tp": c.greedy, "micro.f1": c.greedy / 2, "optimal.tp": 2, "optimal.f1": 1})
		})
	}
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func TestDecision7JournalsWithoutPredictionsStayInEveryAverage(t *testing.T) {
	gold := journal("A", claim("mind", "clear")) + journal("B", claim("mind", "foggy"))
	figures(t, score(t, gold, journal("A", claim("mind", "clear")), ""), map[string]float64{
		"micro.fn": 1, "macro.journals": 2, "macro.f1": 0.5, "macro_answered.f1": 1})
}

func TestDecision8PredictionsForUnknownJournalsAreListed(t *testing.T) {
	r := score(t, journal("A", claim("mind", "clear")), journal("A", claim("mind", "clear"))+"\n"+journal("Z", claim("mind", "dim"), claim("mind", "slow")), "")
	figures(t, r, map[string]float64{"micro.fp": 0, "micro.f1": 1, "unknown_journals": 1, "unknown_journal_items": 2, "inputs.pred.items": 3})
	if want := []UnknownJournal{{"Z", 3, 2}}; !slices.Equal(r.Pred.Unknown, want) {
		t.Errorf("unknown journals %v, want %v", r.Pred.Unknown, want)
	}
}

func TestDecision9DuplicateJournalIsAnError(t *testing.T) {
	good, twice := journal("A", claim("mind", "clear")), journal("A", claim("mind", "clear"))+journal("B")+journal("A")
	for name, o := range map[string]Options{
		"gold":     {Gold: FromString("f", twice), Pred: FromString("p", good)},
		"pred":     {Gold: FromString("g", good), Pred: FromString("f", twice)},
		"unknown":  {Gold: FromString("g", good), Pred: FromString("f", journal("X")+journal("Y")+journal("X"))},
		"journals": {Gold: FromString("g", good), Pred: FromString("p", good), Journals: FromString("f", entry("A", "x")+entry("B", "")+entry("A", "y"))},
	} {
		_, err := Score(t.Context(), o)
		var input *InputError
		if !errors.As(err, &input) || len(input.Problems) != 1 || !strings.Contains(err.Error(), "f:3: journal ") || !strings.Contains(err.Error(), "is already on line 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecision10MissingAttributeIsExcluded(t *testing.T) {
	gold := journal("A", claim("symptom", "sore back", "polarity", "present", "intensity_bucket", "high"), claim("emotion", "calm", "arousal_bucket", "unknown"))
	pred := journal("A", claim("symptom", "sore back", "intensity_bucket", "high"), claim("emotion", "calm", "arousal_bucket", "low", "polarity", "present"))
	figures(t, score(t, gold, pred, ""), map[string]float64{
		"attributes.polarity.compared": 0, "attributes.polarity.excluded": 2, "attributes.polarity.accuracy": null,
		"attributes.intensity_bucket.right": 1, "attributes.intensity_bucket.excluded": 1,
		"attributes.arousal_bucket.compared": 0, "attributes.arousal_bucket.excluded": 2,
		"buckets.right": 1, "buckets.compared": 1, "buckets.excluded": 5})
}

func TestDecision11EmptyJournalsAreLeftOutOfTheMacroAverage(t *testing.T) {
	gold := journal("A", claim("mind", "clear")) + journal("B")
	figures(t, score(t, gold, gold, ""), map[string]float64{"macro.f1": 1, "macro.journals": 1, "macro.left_out_as_empty": 1})
	// A prediction counts even if there is nothing to find.
	figures(t, score(t, gold, gold[:strings.Index(gold, "\n")+1]+journal("B", claim("mind", "dim")), ""),
		map[string]float64{"macro.f1": 0.5, "macro.journals": 2, "macro.left_out_as_empty": 0})
}

func TestDecision12OtherRatesOfNothingAre0(t *testing.T) {
	figures(t, score(t, journal("A"), "", ""), map[string]float64{"micro.precision": 0, "micro.recall": 0, "micro.f1": 0, "macro.f1": 0,
		"domains.food.f1": 0, "macro_domains.f1": 0, "exact.f1": 0, "optimal.f1": 0})
}

func TestDecision13CoverageOfNothingIsNull(t *testing.T) {
	r := score(t, journal("A", claim("mind", "clear")), "", entry("A", "All clear."))
	figures(t, r, map[string]float64{"coverage": null, "covered_items": 0})
	out, err := r.Summary("test").JSON()
	if err != nil || !strings.Contains(string(out), `"coverage": null`) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestDecision14And15GoldHasNoSpecialCases(t *testing.T) {
	gold := journal("A", claim("mind", "kind of slow", "polarity", "present"), claim("symptom", "maybe a cold", "polarity", "uncertain", "intensity_bucket", "medium", "time_bucket", "today"))
	pred := journal("A", claim("mind", "kind of slow", "polarity", "uncertain"), claim("symptom", "maybe a cold", "polarity", "uncertain", "intensity_bucket", "low", "time_bucket", "today"))
	figures(t, score(t, gold, pred, ""), map[string]float64{"attributes.polarity.right": 1, "attributes.polarity.compared": 2,
		"attributes.intensity_bucket.right": 0, "attributes.intensity_bucket.compared": 1, "attributes.time_bucket.right": 1})
}

func TestDecision16MentionThatIsNotInTheGoldIsAFalsePositive(t *testing.T) {
	text := "Calm all day. Ate well."
	r := score(t, journal("A", claim("emotion", "Calm all day")), journal("A", claim("emotion", "Calm all day"), claim("food", "Ate well")), entry("A", text))
	figures(t, r, map[string]float64{"micro.tp": 1, "micro.fp": 1})
	e, err := r.Explain("A")
	if err != nil || len(e.Pred) != 2 || e.Pred[1].Gold != 0 || e.Pred[1].Context == "" {
		t.Errorf("the false positive has no context: %+v, %v", e, err)
	}
}

func TestDecision17BlankLinesAndByteOrderMark(t *testing.T) {
	line := journal("A", claim("mind", "clear"))
	file := "\uFEFF" + line + "\r\n  \n\t\n" + strings.TrimSuffix(journal("B"), "\n") + "\r\n"
	r := score(t, file, file, "\uFEFF\n"+entry("A", "All clear.")+"\n"+strings.TrimSpace(entry("B", "")))
	figures(t, r, map[string]float64{"micro.f1": 1, "coverage": 1, "macro.left_out_as_empty": 1})
}

func TestItemsPlaceDecidesBetweenTwoOccurrences(t *testing.T) {
	text := "Été: fever. Later: no fever."
	gold := journal("A", claim("symptom", "no fever"))
	for name, c := range map[string]struct {
		place string
		want  float64
	}{
		"none":              {``, 0},
		"bytes":             {`,"byte_start":24,"byte_end":29`, 1},
		"code points":       {`,"start":22,"end":27`, 1},
		"wrong bytes":       {`,"byte_start":0,"byte_end":5`, 0},
		"bytes in a letter": {`,"byte_start":1,"byte_end":6`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			pred := fmt.Sprintf(`{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"fever"%s}]}`, c.place)
			figures(t, score(t, gold, pred, entry("A", text)), map[string]float64{"overlap.tp": c.want, "covered_items": 1})
		})
	}
}

// A place in code points right after a letter of several bytes.
func TestItemsPlaceAfterALongLetter(t *testing.T) {
	text := "fever. No—fever."
	pred := `{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"fever","start":10,"end":15}]}`
	figures(t, score(t, journal("A", claim("symptom", "No—fever")), pred, entry("A", text)), map[string]float64{"overlap.tp": 1})
}

func TestOverlapCountsCodePoints(t *testing.T) {
	// 4 of 8 code points are shared, but 4 of 12 bytes.
	r := score(t, journal("A", claim("mind", "abcdéèêë")), journal("A", claim("mind", "abcd")), entry("A", "x abcdéèêë y"))
	figures(t, r, map[string]float64{"overlap.tp": 1})
	r = score(t, journal("A", claim("mind", "abcdéèêëx")), journal("A", claim("mind", "abcd")), entry("A", "x abcdéèêëx y"))
	figures(t, r, map[string]float64{"overlap.tp": 0})
}

func TestCoverageIsByteForByte(t *testing.T) {
	r := score(t, journal("A", claim("mind", "clear")), journal("A", claim("mind", "CLEAR")), entry("A", "All clear."))
	figures(t, r, map[string]float64{"micro.tp": 1, "coverage": 0})
}

func TestValuesThatAreNotInTheirList(t *testing.T) {
	gold := journal("A", claim("mind", "clear", "time_bucket", "today"), claim("mind", "foggy", "time_bucket", "unknown"))
	pred := "\n" + journal("A", claim("mind", "clear", "time_bucket", "yesterday"), claim("mind", "foggy", "time_bucket", "soon"), claim("sleep", "nap"), claim("mind", "so clear", "polarity", "yes"))
	r := score(t, gold, pred, entry("A", "clear, foggy, nap"))
	figures(t, r, map[string]float64{"attributes.time_bucket.compared": 1, "attributes.time_bucket.right": 0, "invalid_items": 1, "invalid_values": 3,
		"micro.tp": 2, "micro.fp": 2, "covered_items": 3, "attributes.time_bucket.confusion.today.(not in the list)": 1})
	wantProblems(t, r,
		"pred.jsonl:2: item 1: time_bucket is not one of today, last_night, past_week, unknown",
		"pred.jsonl:2: item 2: time_bucket is not one of today, last_night, past_week, unknown",
		"pred.jsonl:2: item 3: domain is not one of symptom, food, emotion, mind",
		"pred.jsonl:2: item 4: polarity is not one of present, absent, uncertain")
}

func TestAllProblemsOfGoldAndJournalsAreListed(t *testing.T) {
	gold := journal("A", claim("mind", ""), claim("mind", "x", "time_bucket", "yesterday")) + "{\n" + journal("B", claim("sleep", "nap")) + `{"journal_id":"C"}` + "\n"
	_, err := Score(t.Context(), Options{Gold: FromString("gold.jsonl", gold), Pred: FromString("p", "")})
	if err == nil || err.Error() != "gold.jsonl:2:1: not valid JSON; each line must contain one complete JSON object" {
		t.Errorf("a line that is not JSON: %v", err) // without its id it cannot be joined
	}
	gold = strings.Replace(gold, "{\n", "\n", 1)
	_, err = Score(t.Context(), Options{Gold: FromString("gold.jsonl", gold), Pred: FromString("p", ""),
		Journals: FromString("journals.jsonl", entry("A", "x")+`{"journal_id":"C","text":7}`+"\n"+`{"journal_id":"D"}`)})
	var input *InputError
	if !errors.As(err, &input) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range input.Problems {
		got = append(got, f.Error())
	}
	want := []string{
		"gold.jsonl:1: item 1: evidence_span is empty",
		"gold.jsonl:1: item 2: time_bucket is not one of today, last_night, past_week, unknown",
		"gold.jsonl:3: item 1: domain is not one of symptom, food, emotion, mind",
		`gold.jsonl:3: journal "B" is not in journals.jsonl; add its text, or score without the journals' texts`,
		`gold.jsonl:4: field "items" is missing`,
		`journals.jsonl:2: text is of type number; it must be a string`,
		`journals.jsonl:3: field "text" is missing`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
