package grade

import (
	"encoding/json"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// These tests put one kind of error into a copy of the gold and check every
// figure of the summary: only the figures that the error affects change, in the
// right direction.

// week is gold with text in which every figure can change.
func week() (gold []verbatim.JournalItems, journals string) {
	gold = []verbatim.JournalItems{
		{ID: "Mon", Items: []verbatim.Item{
			{Domain: "symptom", EvidenceSpan: "a stiff neck and sore back", Polarity: "present", Intensity: "medium", Time: "today"},
			{Domain: "symptom", EvidenceSpan: "no cough", Polarity: "absent", Intensity: "unknown", Time: "today"},
			{Domain: "food", EvidenceSpan: "two plums with cheese", Polarity: "present", Intensity: "low", Time: "today"},
		}},
		{ID: "Tue", Items: []verbatim.Item{
			{Domain: "emotion", EvidenceSpan: "uneasy before the call", Polarity: "present", Arousal: "high", Time: "today"},
			{Domain: "emotion", EvidenceSpan: "cheerful after it", Polarity: "present", Arousal: "medium", Time: "today"},
			{Domain: "mind", EvidenceSpan: "lay awake till four", Polarity: "uncertain", Intensity: "high", Time: "last_night"},
			{Domain: "mind", EvidenceSpan: "foggy since Monday", Polarity: "present", Intensity: "medium", Time: "past_week"},
		}},
	}
	journals = entry("Mon", "Woke with a stiff neck and sore back, no cough. Ate two plums with cheese.") +
		entry("Tue", "So uneasy before the call, cheerful after it. I lay awake till four and am foggy since Monday.")
	return gold, journals
}

func lines(t *testing.T, records []verbatim.JournalItems) string {
	t.Helper()
	var out strings.Builder
	if err := verbatim.Write(&out, verbatim.All(records)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// withError is a deep copy of the gold with an error in it.
func withError(t *testing.T, gold []verbatim.JournalItems, change func([]verbatim.JournalItems)) []verbatim.JournalItems {
	t.Helper()
	data, err := json.Marshal(gold)
	if err != nil {
		t.Fatal(err)
	}
	var pred []verbatim.JournalItems
	if err := json.Unmarshal(data, &pred); err != nil {
		t.Fatal(err)
	}
	change(pred)
	return pred
}

// Groups of figures that change together.
const (
	allF1      = "micro.f1 macro.f1 macro_answered.f1 macro_domains.f1 exact.f1 overlap.f1 optimal.f1"
	precisions = "micro.precision macro.precision macro_answered.precision macro_domains.precision exact.precision overlap.precision optimal.precision"
	recalls    = "micro.recall macro.recall macro_answered.recall macro_domains.recall exact.recall overlap.recall optimal.recall"
	allFP      = "micro.fp exact.fp overlap.fp optimal.fp"
	allFN      = "micro.fn exact.fn overlap.fn optimal.fn"
	allTP      = "micro.tp exact.tp overlap.tp optimal.tp"
)

// errorCases are errors and the figures that rise and fall.
var errorCases = map[string]struct {
	change   func([]verbatim.JournalItems)
	up, down string
}{
	"nothing": {func([]verbatim.JournalItems) {}, "", ""},
	"an invented span": {
		func(p []verbatim.JournalItems) {
			p[0].Items = append(p[0].Items, verbatim.Item{Domain: "symptom", EvidenceSpan: "a broken arm", Polarity: "present"})
		},
		allFP + " domains.symptom.fp predicted_items absent absent_items not_verbatim",
		allF1 + " " + precisions + " domains.symptom.precision domains.symptom.f1 coverage",
	},
	"a real span that is not in the gold": {
		func(p []verbatim.JournalItems) {
			p[0].Items = append(p[0].Items, verbatim.Item{Domain: "symptom", EvidenceSpan: "Woke", Polarity: "present"})
		},
		allFP + " domains.symptom.fp predicted_items covered_items",
		allF1 + " " + precisions + " domains.symptom.precision domains.symptom.f1",
	},
	"flipped polarity": {
		func(p []verbatim.JournalItems) { p[0].Items[1].Polarity = "present" },
		"attributes.polarity.confusion.absent.present", "attributes.polarity.right attributes.polarity.accuracy attributes.polarity.confusion.absent.absent",
	},
	"a complaint that is there, called absent": {
		func(p []verbatim.JournalItems) { p[0].Items[0].Polarity = "absent" },
		"attributes.polarity.confusion.present.absent attributes.polarity.false_absent.count attributes.polarity.false_absent.rate",
		"attributes.polarity.right attributes.polarity.accuracy attributes.polarity.confusion.present.present",
	},
	"a wrong time": {
		func(p []verbatim.JournalItems) { p[1].Items[3].Time = "today" },
		"attributes.time_bucket.confusion.past_week.today",
		"attributes.time_bucket.right attributes.time_bucket.accuracy attributes.time_bucket.confusion.past_week.past_week buckets.right buckets.accuracy",
	},
	"a value that became unknown": {
		func(p []verbatim.JournalItems) { p[0].Items[0].Intensity = "unknown" },
		"attributes.intensity_bucket.excluded attributes.intensity_bucket.confusion.medium.unknown buckets.excluded",
		"attributes.intensity_bucket.right attributes.intensity_bucket.compared attributes.intensity_bucket.confusion.medium.medium buckets.right buckets.compared",
	},
	"a dropped item": {
		func(p []verbatim.JournalItems) { p[0].Items = p[0].Items[:2] }, // the plums
		allFN + " domains.food.fn",
		allTP + " domains.food.tp domains.food.precision domains.food.recall domains.food.f1 macro_domains.precision " + recalls + " " + allF1 +
			" predicted_items covered_items attributes.*.right attributes.*.compared attributes.*.excluded attributes.*.confusion.* attributes.*.false_absent.of buckets.right buckets.compared buckets.excluded",
	},
	"an item split in two": {
		func(p []verbatim.JournalItems) {
			first := p[0].Items[0]
			second := first
			first.EvidenceSpan, second.EvidenceSpan = "a stiff neck and", "sore back"
			p[0].Items = append([]verbatim.Item{first, second}, p[0].Items[1:]...)
		},
		// By containment, one half is found and the other invented. Exact finds neither.
		allFP + " exact.fn domains.symptom.fp predicted_items covered_items",
		allF1 + " " + precisions + " exact.tp exact.recall domains.symptom.precision domains.symptom.f1",
	},
	"two items merged into one": {
		func(p []verbatim.JournalItems) {
			p[1].Items[0].EvidenceSpan = "uneasy before the call, cheerful after it"
			p[1].Items = append(p[1].Items[:1:1], p[1].Items[2:]...)
		},
		// One of the two is found, the other missed; the first is half or more of the union.
		allFN + " exact.fp domains.emotion.fn",
		"micro.tp overlap.tp optimal.tp exact.tp domains.emotion.tp domains.emotion.recall domains.emotion.f1 exact.precision " + recalls + " " + allF1 +
			" predicted_items covered_items attributes.*.right attributes.*.compared attributes.*.excluded attributes.*.confusion.* attributes.*.false_absent.of buckets.right buckets.compared buckets.excluded",
	},
	"the right span with the wrong domain": {
		func(p []verbatim.JournalItems) { p[1].Items[2].Domain = "symptom" },
		allFP + " " + allFN + " domains.symptom.fp domains.mind.fn",
		allTP + " " + allF1 + " " + precisions + " " + recalls + " domains.symptom.precision domains.symptom.f1 domains.mind.tp domains.mind.recall domains.mind.f1" +
			" attributes.*.right attributes.*.compared attributes.*.excluded attributes.*.confusion.* attributes.*.false_absent.of buckets.right buckets.compared buckets.excluded",
	},
	"another case": {
		func(p []verbatim.JournalItems) { p[0].Items[1].EvidenceSpan = "No Cough" },
		"overlap.fp overlap.fn near near_items not_verbatim", "coverage covered_items overlap.tp overlap.precision overlap.recall overlap.f1",
	},
}

func TestEachErrorChangesOnlyItsFigures(t *testing.T) {
	for name, c := range errorCases {
		t.Run(name, func(t *testing.T) {
			gold, journals := week()
			before := score(t, lines(t, gold), lines(t, gold), journals).Summary("")
			after := score(t, lines(t, gold), lines(t, withError(t, gold, c.change)), journals).Summary("")
			checkChanges(t, before, after, strings.Fields(c.up), strings.Fields(c.down))
		})
	}
}

// checkChanges checks that exactly the named figures changed. Names with a star
// may change in that direction; the others must.
func checkChanges(t *testing.T, before, after Object, up, down []string) {
	t.Helper()
	named := func(names []string, figure string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			ok, _ := path.Match(strings.ReplaceAll(n, ".", "/"), strings.ReplaceAll(figure, ".", "/"))
			return ok || strings.HasSuffix(n, "confusion.*") && strings.Contains(figure, ".confusion.")
		})
	}
	paths := append(before.Paths(), after.Paths()...)
	slices.Sort(paths)
	for _, figure := range slices.Compact(paths) {
		a, _ := before.Figure(figure) // a missing cell of a confusion is 0
		b, _ := after.Figure(figure)
		if strings.HasPrefix(figure, "inputs.") || math.IsNaN(a) && math.IsNaN(b) {
			continue
		}
		switch {
		case b > a && !named(up, figure):
			t.Errorf("%s rose from %v to %v", figure, a, b)
		case b < a && !named(down, figure):
			t.Errorf("%s fell from %v to %v", figure, a, b)
		case a == b && (slices.Contains(up, figure) || slices.Contains(down, figure)):
			t.Errorf("%s stayed at %v", figure, a)
		}
	}
}
