package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"verbatim"
)

const (
	goldLine    = `{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"Zwiebelhusten","polarity":"present","time_bucket":"today"},{"domain":"food","evidence_span":"Quittenmus"}]}` + "\n"
	predLine    = `{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"Zwiebelhusten","polarity":"absent","time_bucket":"today"},{"domain":"mind","evidence_span":"Traumgespinst"}]}` + "\n"
	journalLine = `{"journal_id":"A","text":"Wieder Zwiebelhusten. Abends Quittenmus."}` + "\n"
)

// secrets are the words of the journal and of the items. They must not appear
// unless the user asks for text.
var secrets = []string{"Zwiebelhusten", "Quittenmus", "Traumgespinst", "Wieder", "yesterdayish", "Abends"}

func secretsIn(text string) (found []string) {
	for _, s := range secrets {
		if strings.Contains(text, s) {
			found = append(found, s)
		}
	}
	return found
}

// typed writes the files, runs the program and returns its exit code and output.
func typed(t *testing.T, files map[string]string, args ...string) (code int, out, messages string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var o, w strings.Builder
	code = run(t.Context(), args, strings.NewReader(""), &o, &w)
	return code, o.String(), w.String()
}

func scoring(more ...string) []string {
	return append([]string{"score", "--gold", "gold.jsonl", "--pred", "pred.jsonl", "--journals", "journals.jsonl", "--out", "out/summary.json"}, more...)
}

func TestScoreExitCodes(t *testing.T) {
	bad := strings.Replace(predLine, `"today"`, `"yesterdayish"`, 1)
	for name, c := range map[string]struct {
		gold, pred string
		args       []string
		want       int
		say        []string
	}{
		"success":                     {goldLine, predLine, nil, 0, nil},
		"unknown journals":            {goldLine, predLine + `{"journal_id":"Z","items":[]}`, nil, 0, []string{`pred.jsonl:2: journal "Z" is not in the gold`}},
		"a failed gate":               {goldLine, predLine, []string{"--min", "micro.f1=0.9"}, 1, []string{"gate failed: micro.f1"}},
		"a gate on null":              {goldLine, "", []string{"--min", "coverage=0"}, 1, []string{"coverage is null"}},
		"a bad value":                 {goldLine, bad, nil, 1, []string{"pred.jsonl:1: item 1: time_bucket is not one of today, last_night, past_week, unknown", "pred.jsonl has 1 problem (listed above)"}},
		"an invalid item and a gate":  {goldLine, strings.Replace(predLine, "Traumgespinst", "", 1), []string{"--min", "exact.f1=0.9"}, 1, []string{"pred.jsonl:1: item 2: evidence_span is empty", "gate failed: exact.f1"}},
		"a torn line":                 {goldLine, predLine + `{"journal_id":"B","items":[{"domain":"Traumgespi`, nil, 1, []string{"pred.jsonl:2:48: not valid JSON"}},
		"bad gold":                    {strings.Replace(goldLine, `"today"`, `"yesterdayish"`, 1) + "7\n", predLine, nil, 2, []string{"gold.jsonl:2: the line is of type number; it must be an object"}},
		"bad gold, more than one":     {strings.ReplaceAll(strings.Replace(goldLine, `"today"`, `"yesterdayish"`, 1), "Quittenmus", ""), predLine, nil, 2, []string{"gold.jsonl:1: item 1: time_bucket", "gold.jsonl:1: item 2: evidence_span is empty", "nothing was scored"}},
		"no gold":                     {"\n", predLine, nil, 2, []string{"gold.jsonl contains no journals"}},
		"a gold journal without text": {goldLine + strings.Replace(goldLine, `"A"`, `"B"`, 1), predLine, nil, 2, []string{`gold.jsonl:2: journal "B" is not in journals.jsonl`}},
		"an unknown gate":             {goldLine, predLine, []string{"--min", "f2=1"}, 2, []string{`there is no figure "f2"`}},
		"a gate without value":        {goldLine, predLine, []string{"--min", "micro.f1"}, 2, []string{"such as micro.f1=0.5"}},
		"a drop with nothing to drop": {goldLine, predLine, []string{"--max-drop", "micro.f1=1"}, 2, []string{"--against"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			code, out, messages := typed(t, map[string]string{"gold.jsonl": c.gold, "pred.jsonl": c.pred, "journals.jsonl": journalLine}, scoring(c.args...)...)
			if code != c.want {
				t.Errorf("exit %d, want %d\n%s", code, c.want, messages)
			}
			for _, say := range c.say {
				if !strings.Contains(messages, say) {
					t.Errorf("the messages lack %q:\n%s", say, messages)
				}
			}
			if found := secretsIn(out + messages); found != nil {
				t.Errorf("the output contains %v:\n%s%s", found, out, messages)
			}
			if _, err := os.Stat("out/summary.json"); (err == nil) != (code < 2) {
				t.Errorf("exit %d, summary: %v", code, err)
			}
			if _, err := os.Stat("out/per_journal_scores.jsonl"); (err == nil) != (code < 2) {
				t.Errorf("exit %d, rows: %v", code, err)
			}
			if code < 2 {
				noSecrets(t, "out/summary.json", "out/per_journal_scores.jsonl")
			}
		})
	}
}

func noSecrets(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if found := secretsIn(string(text)); found != nil {
			t.Errorf("%s contains %v", path, found)
		}
	}
}

func TestPagesWithTextArePrivateAndRedactedPagesHaveNone(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{"gold.jsonl": goldLine, "pred.jsonl": predLine, "journals.jsonl": journalLine, "old.html": "was readable by all"}
	for _, page := range []string{"pages/new.html", "old.html"} {
		code, out, messages := typed(t, files, scoring("--html", page)...)
		if code != 0 || !strings.Contains(messages, page+" contains the text of journals") || secretsIn(out+messages) != nil {
			t.Errorf("exit %d: %s", code, messages)
		}
		text, err := os.ReadFile(page)
		if err != nil || !strings.Contains(string(text), "Zwiebelhusten") {
			t.Fatalf("the page has no text: %v", err)
		}
		info, err := os.Stat(page)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", page, info.Mode(), err)
		}
	}
	code, _, messages := typed(t, files, scoring("--html", "redacted.html", "--redact")...)
	if code != 0 || strings.Contains(messages, "contains the text") {
		t.Errorf("exit %d: %s", code, messages)
	}
	noSecrets(t, "redacted.html")
	if _, err := os.Stat(filepath.Join("out", "summary.json")); err != nil {
		t.Error(err)
	}
}

func TestFailedScoreDoesNotChangeOldFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{"gold.jsonl": goldLine, "pred.jsonl": predLine, "journals.jsonl": journalLine}
	if code, _, messages := typed(t, files, scoring()...); code != 0 {
		t.Fatal(messages)
	}
	before, _ := os.ReadFile("out/per_journal_scores.jsonl")
	files["gold.jsonl"] += "{}\n"
	if code, _, _ := typed(t, files, scoring()...); code != 2 {
		t.Errorf("exit %d", code)
	}
	after, err := os.ReadFile("out/per_journal_scores.jsonl")
	if err != nil || len(before) == 0 || string(before) != string(after) {
		t.Errorf("the rows were %q and are %q, %v", before, after, err)
	}
}

func TestMaxDropFailsOnlyIfTheDropIsNotChance(t *testing.T) {
	t.Chdir(t.TempDir())
	var gold, good, worse, once strings.Builder
	for _, id := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		line := strings.ReplaceAll(goldLine, `"A"`, `"`+id+`"`)
		gold.WriteString(line)
		good.WriteString(line)
		worse.WriteString(strings.ReplaceAll(line, "Quittenmus", "Birnenmus"))
		if id == "a" { // a drop in one journal may be chance
			line = strings.ReplaceAll(line, "Quittenmus", "Birnenmus")
		}
		once.WriteString(line)
	}
	files := map[string]string{"gold.jsonl": gold.String(), "good.jsonl": good.String(), "worse.jsonl": worse.String(), "once.jsonl": once.String()}
	for _, c := range []struct {
		pred, bound string
		want        int
	}{{"worse.jsonl", "0.1", 1}, {"worse.jsonl", "0.6", 0}, {"once.jsonl", "0.001", 0}, {"good.jsonl", "0", 0}} {
		code, out, messages := typed(t, files, "score", "--gold", "gold.jsonl", "--pred", c.pred, "--against", "good.jsonl", "--max-drop", "micro.f1="+c.bound)
		if code != c.want || (c.want == 1) != strings.Contains(messages, "gate failed: micro.f1 dropped by 0.5; the maximum is 0.1") {
			t.Errorf("%s, at most %s: exit %d, want %d\n%s%s", c.pred, c.bound, code, c.want, out, messages)
		}
	}
}

// The README's example gate, on the reference data, rejects a system that copies
// the whole text although its containment F1 is high.
func TestExampleGateRejectsTheWholeTextSystem(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "shared", "data", "journals", "seed")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the reference journals (../shared/data/journals) are missing: ", err)
	}
	pred := filepath.Join(t.TempDir(), "whole.jsonl")
	code, _, messages := typed(t, map[string]string{pred: wholeTexts(t, filepath.Join(shared, "journals.jsonl"))},
		"score", "--gold", filepath.Join(shared, "gold.jsonl"), "--pred", pred, "--journals", filepath.Join(shared, "journals.jsonl"),
		"--min", "micro.f1=0.7", "--min", "exact.f1=0.45", "--min", "coverage=1")
	if code != 1 || !strings.Contains(messages, "gate failed: exact.f1 is 0; the minimum is 0.45") || strings.Contains(messages, "gate failed: micro") {
		t.Errorf("exit %d: %s", code, messages)
	}
}

// wholeTexts predicts the whole text of each journal, once per domain.
func wholeTexts(t *testing.T, journals string) string {
	t.Helper()
	file, err := os.Open(journals)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out strings.Builder
	for j, err := range verbatim.Read[verbatim.Journal](file, journals) {
		if err != nil {
			t.Fatal(err)
		}
		record := verbatim.JournalItems{ID: j.ID}
		for _, domain := range []string{"symptom", "food", "emotion", "mind"} {
			record.Items = append(record.Items, verbatim.Item{Domain: domain, EvidenceSpan: j.Text})
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.String()
}
