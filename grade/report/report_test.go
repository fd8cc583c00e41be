package report

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"strings"
	"testing"

	"verbatim"
	"verbatim/grade"
)

// items is a line of items, each a domain and a span.
func items(id string, pairs ...string) string {
	record := verbatim.JournalItems{ID: id}
	for i := 0; i < len(pairs); i += 2 {
		record.Items = append(record.Items, verbatim.Item{Domain: pairs[i], EvidenceSpan: pairs[i+1]})
	}
	line, _ := json.Marshal(record)
	return string(line) + "\n"
}

// text is a line of a journals file.
func text(id, text string) string {
	line, _ := json.Marshal(verbatim.Journal{ID: id, Text: text})
	return string(line) + "\n"
}

// score scores texts; against and journals may be empty.
func score(t *testing.T, gold, pred, against, journals string, draws int) *grade.Result {
	t.Helper()
	o := grade.Options{Gold: grade.FromString("gold.jsonl", gold), Pred: grade.FromString("pred.jsonl", pred), Draws: draws, Workers: 2}
	if against != "" {
		o.Against = grade.FromString("against.jsonl", against)
	}
	if journals != "" {
		o.Journals = grade.FromString("journals.jsonl", journals)
	}
	r, err := grade.Score(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// file reads one of the three days: a small set with every kind of mistake,
// which the browser tests use too.
func file(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../testdata/three-days/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func threeDays(t *testing.T) *grade.Result {
	t.Helper()
	return score(t, file(t, "gold"), file(t, "pred"), "", file(t, "journals"), 0)
}

// compareDays compares two systems on the three days. Only the first finds that
// there is no itch and the unease, only the second the bad night.
func compareDays(t *testing.T, draws int) *grade.Result {
	t.Helper()
	return score(t, file(t, "gold"), file(t, "new"), file(t, "old"), file(t, "journals"), draws)
}

func pageOf(t *testing.T, r *grade.Result, redact bool) string {
	t.Helper()
	var out strings.Builder
	if err := WriteHTML(&out, r, redact); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPageComparesTwoSystems(t *testing.T) {
	page := html.UnescapeString(pageOf(t, compareDays(t, 200), false))
	for _, want := range []string{
		`<strong>A</strong> is pred.jsonl, <strong>B</strong> is against.jsonl.`,
		`<th scope="row">recall, containment</th><td class="n" data-label="A">0.833</td><td class="n" data-label="B">0.667</td><td class="n" data-label="A minus B">+0.167</td>`,
		`aria-label="recall, containment: A minus B +0.167, 95 % +0.000 to +0.333"`,
		`<td class="verdict">may be chance</td>`, `<td class="verdict">no difference</td>`,
		`Gold items that only A found: 2; only B: 1.`,
		`<mark class="only-a" title="only A found it: emotion" data-domains="emotion">Uneasy all day</mark><sup class="only-a">A</sup>`,
		`<mark class="only-b" title="only B found it: mind" data-domains="mind">Slept badly</mark><sup class="only-b">B</sup>`,
		`<td class="k k-only-b">only B</td><td>mind</td><td data-label="gold">"Slept badly"</td><td data-label="predicted">"badly"</td><td><span class="wrong">≠ time_bucket: gold last_night, predicted today</span>`,
		`<option value="only-b">only B: against.jsonl</option>`, `against.jsonl: sha256 `,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if alone := pageOf(t, threeDays(t), false); strings.Contains(alone, `id="compared"`) || strings.Contains(alone, `id="differing"`) {
		t.Error("the page of one system has a comparison")
	}
}

func TestComparisonWithoutBootstrapHasNoVerdict(t *testing.T) {
	page := pageOf(t, compareDays(t, 0), false)
	if !strings.Contains(page, `aria-label="recall, containment: A minus B &#43;0.167"`) || strings.Contains(page, `class="verdict"`) {
		t.Error("a difference without interval is missing or has a verdict")
	}
}

func TestRedactedComparisonHasNoText(t *testing.T) {
	page := html.UnescapeString(pageOf(t, compareDays(t, 0), true))
	body := page[strings.Index(page, `id="differing"`):]
	for _, word := range strings.Fields("stiff neck two plums toast itch Uneasy Überm Bett Buch Slept badly Head clear") {
		if strings.Contains(body, word) {
			t.Errorf("the redacted page contains %q", word)
		}
	}
	if !strings.Contains(body, `data-domains="mind">···········</mark><sup class="only-b">B</sup>`) {
		t.Error("the redacted comparison has no marks")
	}
}

// The journals that differ most are not the worst ones.
func TestComparisonShowsThe200JournalsThatDifferMost(t *testing.T) {
	var gold, pred, other strings.Builder
	for i := range 1000 {
		id := fmt.Sprintf("J%03d", i)
		all := []string{"mind", "clear", "food", "plums", "emotion", "glad"}
		gold.WriteString(items(id, all...))
		switch {
		case i == 990: // A found all, B nothing
			pred.WriteString(items(id, all...))
		case i%2 == 0:
			pred.WriteString(items(id, "mind", "clear"))
			other.WriteString(items(id, "food", "plums"))
		}
	}
	r := score(t, gold.String(), pred.String(), other.String(), "", 0)
	if len(r.Differing) != grade.MaxWorst || r.Pred.Only != 502 || r.Against.Only != 499 {
		t.Fatalf("%d journals differ, only A found %d, only B %d", len(r.Differing), r.Pred.Only, r.Against.Only)
	}
	if r.Differing[0].ID != "J990" || r.Differing[1].ID != "J000" || r.Differing[199].ID != "J396" {
		t.Errorf("the journals that differ most are %v to %v", r.Differing[0], r.Differing[199])
	}
	page := pageOf(t, r, false)
	if n := strings.Count(page, `<article id="differing-`); n != grade.MaxWorst || !strings.Contains(page, "the 200 journals with the most.") {
		t.Errorf("%d journals that differ are shown", n)
	}
}

func TestComparisonOfEqualSystems(t *testing.T) {
	line := items("A", "mind", "clear")
	page := pageOf(t, score(t, line, line, line, "", 0), false)
	if !strings.Contains(page, "Both found the same gold items.") || strings.Contains(page, `<article id="differing`) {
		t.Error("the page does not say that both found the same items")
	}
}

func TestPageMarksSpans(t *testing.T) {
	page := html.UnescapeString(pageOf(t, threeDays(t), false))
	for _, want := range []string{
		`<mark class="part" title="part of the predicted span only: symptom" data-domains="symptom">A </mark><mark class="found" title="found: symptom" data-domains="symptom">stiff neck</mark>`,
		`<mark class="missed" title="missed: food" data-domains="food"><two> plums & toast</mark><sup class="missed">−</sup>`,
		`<mark class="found" title="found: symptom" data-domains="symptom">No itch</mark><sup class="wrong">≠</sup>`,
		`<mark class="invented" title="invented: food" data-domains="food">Buch</mark><sup class="invented">+</sup>`,
		`<span class="wrong">≠ polarity: gold absent, predicted present</span>`,
		`data-kinds="invented ungrounded"`, `data-kinds="invented invalid"`,
		`3 journals, 6 gold items, 7 predicted items`,
		`This page contains the text of journals.`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if strings.Contains(pageOf(t, threeDays(t), false), "<two>") {
		t.Error("the text of a journal is not escaped")
	}
	for _, never := range []string{"http://", "https://", "src=", "@import", "url("} {
		if strings.Contains(page, never) {
			t.Errorf("the page could make a request: it contains %s", never)
		}
	}
}

func TestRedactedPageHasMarksButNoText(t *testing.T) {
	page := pageOf(t, threeDays(t), true)
	body := page[strings.Index(page, `id="journals"`):]
	for _, word := range strings.Fields("stiff neck two plums toast itch Uneasy Überm Bett Buch Slept badly Head clear broken arm") {
		if strings.Contains(html.UnescapeString(body), word) {
			t.Errorf("the redacted page contains %q", word)
		}
	}
	if !strings.Contains(body, `<mark class="found" title="found: symptom" data-domains="symptom">··········</mark>`) {
		t.Error("the redacted page has no marks")
	}
}

func TestPageShowsTheWorst200Journals(t *testing.T) {
	const many = 2000
	var gold, pred, journals strings.Builder
	for i := range many {
		id := fmt.Sprintf("J%04d", i)
		gold.WriteString(items(id, "mind", "clear", "food", "plums"))
		switch {
		case i%10 == 9: // 200 of them: nothing found, two invented
			pred.WriteString(items(id, "mind", "dim", "food", "figs"))
		case i%3 == 0:
			pred.WriteString(items(id, "mind", "clear"))
		default:
			pred.WriteString(items(id, "mind", "clear", "food", "plums"))
		}
		journals.WriteString(text(id, "Head clear. Ate plums."))
	}
	r := score(t, gold.String(), pred.String(), "", journals.String(), 0)
	page := pageOf(t, r, false)
	if n := strings.Count(page, "<article"); n != 200 {
		t.Errorf("%d journals are shown", n)
	}
	if len(r.Worst) != 200 || r.Worst[0].ID != "J0009" || r.Worst[199].ID != "J1999" || r.Worst[199].FP != 2 {
		t.Errorf("the worst are %v to %v", r.Worst[0], r.Worst[len(r.Worst)-1])
	}
	if !strings.Contains(page, "The 200 of 2000 journals with the most mistakes.") || len(page) > 1<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// A journal without text and items, and one with spans inside each other.
func TestPageOfUnusualJournals(t *testing.T) {
	gold := items("empty") + items("nested", "mind", "a b c d", "mind", "b c", "food", "c d")
	pred := items("nested", "mind", "a b c d", "food", "b", "food", "b")
	page := html.UnescapeString(pageOf(t, score(t, gold, pred, "", text("empty", "")+text("nested", "a b c d"), 0), false))
	nested := page[strings.Index(page, `data-id="nested"`):]
	for _, want := range []string{`class="found missed invented"`, `class="found missed"`, `<sup class="invented">+</sup>`} {
		if !strings.Contains(nested, want) {
			t.Errorf("no %s in %.1200s", want, nested)
		}
	}
	if page := pageOf(t, score(t, gold, pred, "", "", 0), false); strings.Contains(page, "<mark class=\"found\" title") || !strings.Contains(page, "without the journals") {
		t.Error("a page without texts has marks, or does not say why it has none")
	}
}
