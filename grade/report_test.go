package grade

import (
	"fmt"
	"html"
	"strings"
	"testing"
)

// threeDays is a small set with every kind of mistake.
func threeDays() (gold, pred, journals string) {
	journals = entry("Mon", "A stiff neck.\nAte <two> plums & toast. No itch.") + entry("Tue", "Uneasy all day. Überm Bett ein Buch. Slept badly.") + entry("Wed", "Head clear.")
	gold = journal("Mon", claim("symptom", "stiff neck", "polarity", "present"), claim("food", "<two> plums & toast", "polarity", "present"), claim("symptom", "No itch", "polarity", "absent")) +
		journal("Tue", claim("emotion", "Uneasy all day", "arousal_bucket", "high"), claim("mind", "Slept badly", "time_bucket", "last_night")) +
		journal("Wed", claim("mind", "Head clear"))
	pred = journal("Mon", claim("symptom", "A stiff neck", "polarity", "present"), claim("symptom", "No itch", "polarity", "present"), claim("symptom", "a broken arm"), claim("food", "")) +
		journal("Tue", claim("emotion", "Uneasy", "arousal_bucket", "high"), claim("food", "Buch")) +
		journal("Wed", claim("mind", "Head clear"))
	return gold, pred, journals
}

func pageOf(t *testing.T, r *Result, redact bool) string {
	t.Helper()
	var out strings.Builder
	if err := r.WriteHTML(&out, redact); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTheReportDrawsTheSpans(t *testing.T) {
	gold, pred, journals := threeDays()
	page := html.UnescapeString(pageOf(t, score(t, gold, pred, journals), false))
	for _, want := range []string{
		`<mark class="part" title="the prediction's part of a pair: symptom" data-domains="symptom">A </mark><mark class="found" title="found: symptom" data-domains="symptom">stiff neck</mark>`,
		`<mark class="missed" title="missed: food" data-domains="food"><two> plums & toast</mark><sup class="missed">−</sup>`,
		`<mark class="found" title="found: symptom" data-domains="symptom">No itch</mark><sup class="wrong">≠</sup>`,
		`<mark class="invented" title="invented: food" data-domains="food">Buch</mark><sup class="invented">+</sup>`,
		`<span class="wrong">≠ polarity: gold absent, predicted present</span>`,
		`data-kinds="invented ungrounded"`, `data-kinds="invented invalid"`,
		`3 journals, 6 gold items, 7 predicted items`,
		`This page holds the text of journals.`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(pageOf(t, score(t, gold, pred, journals), false), "<two>") {
		t.Error("a journal's text is not escaped")
	}
	for _, never := range []string{"http://", "https://", "src=", "@import", "url("} {
		if strings.Contains(page, never) {
			t.Errorf("the page reaches out: it has %s", never)
		}
	}
}

func TestTheRedactedReportKeepsMarksAndNoWords(t *testing.T) {
	gold, pred, journals := threeDays()
	page := pageOf(t, score(t, gold, pred, journals), true)
	body := page[strings.Index(page, `id="journals"`):]
	for _, word := range strings.Fields("stiff neck two plums toast itch Uneasy Überm Bett Buch Slept badly Head clear broken arm") {
		if strings.Contains(html.UnescapeString(body), word) {
			t.Errorf("the redacted page says %q", word)
		}
	}
	if !strings.Contains(body, `<mark class="found" title="found: symptom" data-domains="symptom">··········</mark>`) {
		t.Error("the redacted page has lost its marks")
	}
}

func TestTheReportOfManyJournalsShowsTheWorst200(t *testing.T) {
	const many = 100_000
	var gold, pred, journals strings.Builder
	for i := range many {
		id := fmt.Sprintf("J%06d", i)
		gold.WriteString(journal(id, claim("mind", "clear"), claim("food", "plums")))
		switch {
		case i%500 == 499: // 200 of them: nothing found, two invented
			pred.WriteString(journal(id, claim("mind", "dim"), claim("food", "figs")))
		case i%3 == 0:
			pred.WriteString(journal(id, claim("mind", "clear")))
		default:
			pred.WriteString(journal(id, claim("mind", "clear"), claim("food", "plums")))
		}
		journals.WriteString(entry(id, "Head clear. Ate plums."))
	}
	r := score(t, gold.String(), pred.String(), journals.String())
	page := pageOf(t, r, false)
	if n := strings.Count(page, "<article"); n != 200 {
		t.Errorf("%d journals are shown", n)
	}
	if len(r.Worst) != 200 || r.Worst[0].ID != "J000499" || r.Worst[199].ID != "J099999" || r.Worst[199].FP != 2 {
		t.Errorf("the worst are %v to %v", r.Worst[0], r.Worst[len(r.Worst)-1])
	}
	if !strings.Contains(page, "The 200 with the most mistakes, of 100000 journals.") || len(page) > 1<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// A journal without text, without items, with spans that lie in one another.
func TestTheReportBearsOddJournals(t *testing.T) {
	gold := journal("empty") + journal("nested", claim("mind", "a b c d"), claim("mind", "b c"), claim("food", "c d"))
	pred := journal("nested", claim("mind", "a b c d"), claim("food", "b"), claim("food", "b"))
	page := html.UnescapeString(pageOf(t, score(t, gold, pred, entry("empty", "")+entry("nested", "a b c d")), false))
	text := page[strings.Index(page, `data-id="nested"`):]
	for _, want := range []string{`class="found missed invented"`, `class="found missed"`, `<sup class="invented">+</sup>`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %.1200s", want, text)
		}
	}
	if page := pageOf(t, score(t, gold, pred, ""), false); strings.Contains(page, "<mark class=\"found\" title") || !strings.Contains(page, "without the journals") {
		t.Error("a report without texts draws marks or does not say why not")
	}
}
