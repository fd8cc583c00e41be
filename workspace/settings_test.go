package workspace

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func settingsOf(t testing.TB, text string) (*Workspace, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "settings.txt"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return In(FolderAt(dir))
}

// A setting is a line; what a command overrides is stronger; old names work.
func TestSettings(t *testing.T) {
	ws, err := settingsOf(t, "# mine\nseed: 5\ncandidates: 3\ncategories: causalclause, effectclause\nmodel mistral-small:24b: small at http://a http://b\n")
	if err != nil {
		t.Fatal(err)
	}
	o, err := ws.Settings.Options()
	want := Options{Seed: 5, Drafts: 3, MinExamples: 4, Categories: []string{"causalclause", "effectclause"}, Distractors: "all"}
	if err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("Options = %+v, %v", o, err)
	}
	ws.Settings.Override = func(name string) (string, string) {
		if name == "seed" {
			return "7", "--seed"
		}
		return "", ""
	}
	if value, from := ws.Settings.Get("seed"); value != "7" || from != "--seed" {
		t.Errorf("seed is %s from %s", value, from)
	}
	if about := ws.Settings.About("model"); len(about) != 1 || about[0] != "mistral-small:24b" {
		t.Errorf("models: %v", about)
	}
}

// A mistake names its line and says what to write.
func TestBadSettings(t *testing.T) {
	for text, want := range map[string]string{
		"seed 5":                         ":1: write a setting as name: value",
		"# x\nsede: 5":                   `:2: there is no setting "sede"; did you mean "seed"?; there are server,`,
		"key: x":                         `:1: there is no setting "key"`,
		"key server: x":                  ":1: a key belongs to one address",
		"seed: five":                     `:1: seed is "five"; write it as a whole number`,
		"drafts: 0":                      `:1: drafts is "0"; write it as a number from 1`,
		"categories: cause":              ":1: there is no category cause; there are causalsentence,",
		"distractors: some":              `:1: distractors is "some"; write all, or accepted`,
		"\xEF\xBB\xBFmin-examples: many": `:1: min-examples is "many"`,
	} {
		ws, err := settingsOf(t, text)
		if err == nil {
			_, err = ws.Settings.Options()
		}
		if err == nil || !strings.Contains(err.Error(), "settings.txt"+want) {
			t.Errorf("%q gives %v, want ...%s", text, err, want)
		}
	}
}

// made.json holds the options that the settings do not give, and drafts are made
// again with them over what the settings say then.
func TestOptionsAreRecordedAsData(t *testing.T) {
	ws, err := settingsOf(t, "seed: 5\nmin-examples: 6\n")
	if err != nil {
		t.Fatal(err)
	}
	used := Options{Seed: 5, Drafts: 2, MinExamples: 6, Categories: []string{"causalclause"}, Distractors: "all", Scorer: filepath.Join(ws.dir, "..", "model")}
	changes, err := ws.Changes(used)
	if err != nil || len(changes) != 3 || string(changes["drafts"]) != "2" || string(changes["nsp_model"]) != `"../model"` {
		t.Fatalf("Changes = %s, %v", changes, err)
	}
	if err := ws.write("B", Sources{}, &changes, nil); err != nil {
		t.Fatal(err)
	}
	if err := ws.record("B", map[string]entry{Drafts: {Options: &changes}}); err != nil {
		t.Fatal(err)
	}
	got, err := ws.Again("B")
	if err != nil || !reflect.DeepEqual(got, used) {
		t.Errorf("Again = %+v, %v; want %+v", got, err, used)
	}
}

func FuzzSettings(f *testing.F) {
	f.Add("seed: 5\ncandidates: 3\n")
	f.Add("key https://a: X\nmodel a:b: c at d\ncategories: ,\ntypes: same_book,\n")
	f.Fuzz(func(t *testing.T, text string) {
		ws, err := settingsOf(t, text)
		if err != nil {
			if !strings.Contains(err.Error(), "settings.txt:") {
				t.Errorf("%q gives %v, which names no line", text, err)
			}
			return
		}
		if o, err := ws.Settings.Options(); err == nil && (o.Drafts < 1 || o.MinExamples < 1 || o.Distractors != "all" && o.Distractors != "accepted") {
			t.Errorf("%q gives %+v", text, o)
		}
	})
}

// Whatever made.json holds, it is read, or named as damaged.
func FuzzMade(f *testing.F) {
	f.Add(`{"drafts.jsonl": {"from": {"flags": "--seed=3\n--categories=a,b", "number of candidates": "2"}, "sha256": "x"}}`)
	f.Add(`{"drafts.jsonl": {"from": {"flags": "--seed=x"}}}`)
	f.Add(`{"drafts.jsonl": {"options": {"seed": 3, "categories": null}}, "text": {"path": "../x"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		ws, err := settingsOf(t, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ws.Path("B", made), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ws.Again("B"); err != nil && !strings.Contains(err.Error(), "B-made.json") {
			t.Errorf("%q gives %v", text, err)
		}
	})
}
