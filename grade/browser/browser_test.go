// Package browser tests the report in a real Chromium. It is a package of its own
// because the library that drives the browser takes long to compile.
package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"verbatim/grade"
	"verbatim/grade/report"
)

// browser starts Chromium. If none is installed, the test is skipped; with
// VERBATIM_NEED_BROWSER set, as in .ci/run, it fails.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		if os.Getenv("VERBATIM_NEED_BROWSER") != "" {
			t.Fatal("Chromium is not installed, but VERBATIM_NEED_BROWSER is set")
		}
		t.Skip("Chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute))
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	ctx, close1 := chromedp.NewExecAllocator(ctx, options...)
	ctx, close2 := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, so its folder can be removed
		close2()
		close1()
		stop()
	})
	return ctx
}

// open scores the three days of grade's tests and opens the report.
func open(t *testing.T, ctx context.Context, pred, against string) {
	t.Helper()
	from := func(name string) *grade.Source {
		data, err := os.ReadFile("../testdata/three-days/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		return grade.FromString(name+".jsonl", string(data))
	}
	o := grade.Options{Gold: from("gold"), Pred: from(pred), Journals: from("journals"), Draws: 200, Workers: 2}
	if against != "" {
		o.Against = from(against)
	}
	r, err := grade.Score(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := report.WriteHTML(&page, r, false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate("file://"+filepath.ToSlash(file)), chromedp.WaitReady(chromedp.CSS("article")))
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// is compares the value of an expression in the page.
func is[T comparable](t *testing.T, ctx context.Context, what, expression string, want T) {
	t.Helper()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func media(t *testing.T, ctx context.Context, params emulation.SetEmulatedMediaParams) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, params); err != nil {
		t.Fatal(err)
	}
}

const (
	shownCount = `document.getElementById("count").textContent`
	shownIDs   = `[...document.querySelectorAll("article:not([hidden])")].map(a => a.dataset.id).join(" ")`
	shownRows  = `[...document.querySelectorAll("article:not([hidden]) .items tbody tr:not([hidden])")].length`
)

func TestReportInABrowser(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, "pred", "")

	is(t, ctx, "all are shown", shownCount, "3 of 3 shown")
	is(t, ctx, "the worst comes first", shownIDs, "Mon Tue Wed")

	choose := func(id, value string) {
		t.Helper()
		do(t, ctx, chromedp.SetValue(chromedp.CSS("#"+id), value), chromedp.Evaluate[chromedp.Void](`document.getElementById("`+id+`").dispatchEvent(new Event("change"))`))
	}
	choose("domain", "food")
	is(t, ctx, "by domain", shownIDs, "Mon Tue")
	is(t, ctx, "other domains are dimmed", `document.querySelector('mark[data-domains="symptom"]').classList.contains("dim")`, true)
	choose("kind", "missed")
	is(t, ctx, "by domain and kind", shownIDs+`+": "+`+shownRows, "Mon: 1")
	choose("domain", "")
	is(t, ctx, "by kind", shownIDs+`+": "+`+shownRows, "Mon Tue: 2")
	choose("kind", "attribute")
	is(t, ctx, "wrong attributes", shownIDs, "Mon")
	choose("kind", "ungrounded")
	is(t, ctx, "not verbatim", shownIDs+`+": "+`+shownRows, "Mon: 1")
	choose("kind", "invalid")
	is(t, ctx, "invalid", shownIDs, "Mon")
	choose("kind", "")
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#id"), "we"))
	is(t, ctx, "by name, while typing", shownIDs, "Wed")
	is(t, ctx, "the count follows", shownCount, "1 of 3 shown")

	is(t, ctx, "the page made no requests", `performance.getEntriesByType("resource").length`, 0)
}

func TestReportWithTheKeyboard(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, "pred", "")
	press := func(keys string) {
		t.Helper()
		do(t, ctx, chromedp.KeyEvent(keys))
	}
	press(kb.Tab)
	is(t, ctx, "the first tab stop skips to the journals", `document.activeElement.className`, "skip")
	press("j")
	is(t, ctx, "j moves to the first journal", `document.activeElement.dataset.id`, "Mon")
	press("j")
	is(t, ctx, "j moves to the next", `document.activeElement.dataset.id`, "Tue")
	press("k")
	is(t, ctx, "k moves back", `document.activeElement.dataset.id`, "Mon")
}

func TestReportOnAPhoneInDarkModeAndInPrint(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, "pred", "")
	const background = `getComputedStyle(document.body).backgroundColor`
	is(t, ctx, "light mode", background, "rgb(253, 252, 249)")
	do(t, ctx, chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	is(t, ctx, "the page fits a phone", `document.documentElement.scrollWidth <= 360`, true)
	is(t, ctx, "rows are blocks on a phone", `getComputedStyle(document.querySelector(".items tbody tr")).display`, "block")
	media(t, ctx, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	is(t, ctx, "dark mode", background, "rgb(23, 22, 20)")
	media(t, ctx, emulation.SetEmulatedMediaParams{Media: "print"})
	is(t, ctx, "no controls in print", `getComputedStyle(document.querySelector(".filters")).display`, "none")
	is(t, ctx, "journals in print", `getComputedStyle(document.querySelector("article")).display`, "block")
}

func TestComparisonInABrowser(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, "new", "old")
	const (
		list  = `document.getElementById("differing").closest(".list")`
		ids   = `[...` + list + `.querySelectorAll("article:not([hidden])")].map(a => a.dataset.id).join(" ")`
		rows  = `[...` + list + `.querySelectorAll("article:not([hidden]) .items tbody tr:not([hidden])")].length`
		count = list + `.querySelector("[role=status]").textContent`
	)
	is(t, ctx, "all journals that differ are shown", ids+`+": "+`+rows+`+", "+`+count, "Tue Mon: 3, 2 of 2 shown")
	choose := func(name, value, event string) {
		t.Helper()
		do(t, ctx, chromedp.Evaluate[chromedp.Void](`{
			const control = `+list+`.querySelector("[name=`+name+`]");
			control.value = "`+value+`";
			control.dispatchEvent(new Event("`+event+`"));
		}`))
	}
	choose("kind", "only-a", "change")
	is(t, ctx, "only A found it", ids+`+": "+`+rows, "Tue Mon: 2")
	choose("kind", "only-b", "change")
	is(t, ctx, "only B found it", ids+`+": "+`+rows, "Tue: 1")
	choose("domain", "emotion", "change")
	is(t, ctx, "by system and domain", count, "0 of 2 shown")
	choose("kind", "", "change")
	is(t, ctx, "by domain", ids, "Tue")
	choose("domain", "", "change")
	choose("id", "mo", "input")
	is(t, ctx, "by name", ids, "Mon")
	is(t, ctx, "the other list has its own filters", shownCount, "3 of 3 shown")
	is(t, ctx, "no difference is in the middle", `document.querySelector(".compare .zero").getAttribute("d")`, "M50 0V10")

	do(t, ctx, chromedp.KeyEvent("j"))
	is(t, ctx, "j starts with the journals that differ", `document.activeElement.id`, "differing-2")
	do(t, ctx, chromedp.KeyEvent("j"))
	is(t, ctx, "j continues with all journals", `document.activeElement.id`, "journal-1")

	for _, scheme := range []string{"light", "dark"} {
		media(t, ctx, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		is(t, ctx, "A and B have different colors, "+scheme, `getComputedStyle(document.querySelector("mark.only-a")).backgroundColor !==
			getComputedStyle(document.querySelector("mark.only-b")).backgroundColor`, true)
	}
	do(t, ctx, chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	is(t, ctx, "the page fits a phone", `document.documentElement.scrollWidth <= 360`, true)
	is(t, ctx, "nothing is cut off", `[...document.querySelectorAll(".compare *")].every(e => e.getBoundingClientRect().right <= 360)`, true)
	media(t, ctx, emulation.SetEmulatedMediaParams{Media: "print"})
	is(t, ctx, "no controls in print", `[...document.querySelectorAll(".filters")].every(f => getComputedStyle(f).display === "none")`, true)
	is(t, ctx, "the page made no requests", `performance.getEntriesByType("resource").length`, 0)
}
