package grade

import (
	"fmt"
	"html"
	"os"
	"strings"
	"testing"
)

// threeDays is a small set with every kind of mistake; the browser looks at it,
// too.
func threeDays(t *testing.T) (gold, pred, journals string) {
	t.Helper()
	return threeDaysFile(t, "gold"), threeDaysFile(t, "pred"), threeDaysFile(t, "journals")
}

func threeDaysFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/three-days/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// compareDays holds one system's predictions of the three days against
// another's. Only the first finds that there is no itch and the unease, only the
// second the night.
func compareDays(t *testing.T, draws int) *Result {
	t.Helper()
	from := func(name string) *Source { return FromString(name+".jsonl", threeDaysFile(t, name)) }
	r, err := Score(t.Context(), Options{Gold: from("gold"), Pred: from("new"), Against: from("old"), Journals: from("journals"), Draws: draws, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheReportComparesTwoSystems(t *testing.T) {
	page := html.UnescapeString(pageOf(t, compareDays(t, 200), false))
	for _, want := range []string{
		`<strong>A</strong> is new.jsonl, <strong>B</strong> is old.jsonl.`,
		`<th scope="row">recall, containment</th><td class="n" data-label="A">0.833</td><td class="n" data-label="B">0.667</td><td class="n" data-label="A less B">+0.167</td>`,
		`aria-label="recall, containment: A less B +0.167, 95 % +0.000 to +0.333"`,
		`<td class="verdict">may be chance</td>`, `<td class="verdict">no difference</td>`,
		`Gold items that only A found: 2; that only B found: 1.`,
		`<mark class="only-a" title="only A found it: emotion" data-domains="emotion">Uneasy all day</mark><sup class="only-a">A</sup>`,
		`<mark class="only-b" title="only B found it: mind" data-domains="mind">Slept badly</mark><sup class="only-b">B</sup>`,
		`<td class="k k-only-b">only B</td><td>mind</td><td data-label="gold">"Slept badly"</td><td data-label="predicted">"badly"</td><td><span class="wrong">≠ time_bucket: gold last_night, predicted today</span>`,
		`<option value="only-b">only B: old.jsonl</option>`, `old.jsonl: sha256 `,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	gold, pred, journals := threeDays(t)
	if alone := pageOf(t, score(t, gold, pred, journals), false); strings.Contains(alone, `id="compared"`) || strings.Contains(alone, `id="differing"`) {
		t.Error("a page of one system has a comparison")
	}
}

func TestTheComparisonWithoutBootstrapHasNoVerdict(t *testing.T) {
	page := pageOf(t, compareDays(t, 0), false)
	if !strings.Contains(page, `aria-label="recall, containment: A less B &#43;0.167"`) || strings.Contains(page, `class="verdict"`) {
		t.Error("a difference without an interval is called sure, or is not drawn")
	}
}

func TestTheRedactedComparisonHasNoWords(t *testing.T) {
	page := html.UnescapeString(pageOf(t, compareDays(t, 0), true))
	body := page[strings.Index(page, `id="differing"`):]
	for _, word := range strings.Fields("stiff neck two plums toast itch Uneasy Überm Bett Buch Slept badly Head clear") {
		if strings.Contains(body, word) {
			t.Errorf("the redacted page says %q", word)
		}
	}
	if !strings.Contains(body, `data-domains="mind">···········</mark><sup class="only-b">B</sup>`) {
		t.Error("the redacted comparison has lost its marks")
	}
}

// The journals that differ are not the worst ones: they are chosen for
// themselves, and as many are shown.
func TestTheComparisonOfManyJournalsShows200(t *testing.T) {
	var gold, pred, other strings.Builder
	for i := range 1000 {
		id := fmt.Sprintf("J%03d", i)
		items := []string{claim("mind", "clear"), claim("food", "plums"), claim("emotion", "glad")}
		gold.WriteString(journal(id, items...))
		switch {
		case i == 990: // A found all, B nothing
			pred.WriteString(journal(id, items...))
		case i%2 == 0:
			pred.WriteString(journal(id, claim("mind", "clear")))
			other.WriteString(journal(id, claim("food", "plums")))
		}
	}
	r := scoreDraws(t, gold.String(), pred.String(), other.String(), 0, 2)
	if len(r.Differing) != MaxWorst || r.OnlyPred != 502 || r.OnlyAgainst != 499 {
		t.Fatalf("%d journals differ, only A found %d, only B %d", len(r.Differing), r.OnlyPred, r.OnlyAgainst)
	}
	if r.Differing[0].ID != "J990" || r.Differing[1].ID != "J000" || r.Differing[199].ID != "J396" {
		t.Errorf("the journals that differ most are %v to %v", r.Differing[0], r.Differing[199])
	}
	page := pageOf(t, r, false)
	if n := strings.Count(page, `<article id="differing-`); n != MaxWorst || !strings.Contains(page, "the 200 journals with the most of them") {
		t.Errorf("%d journals that differ are shown", n)
	}
}

func TestTwoSystemsThatFoundTheSame(t *testing.T) {
	line := journal("A", claim("mind", "clear"))
	page := pageOf(t, scoreDraws(t, line, line, line, 0, 1), false)
	if !strings.Contains(page, "Both found the same gold items.") || strings.Contains(page, `<article id="differing`) {
		t.Error("the page does not say that both found the same")
	}
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
	gold, pred, journals := threeDays(t)
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
	gold, pred, journals := threeDays(t)
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
