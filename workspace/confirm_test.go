package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/book"
	"verbatim/cloze"
	"verbatim/confirm"
	"verbatim/workspace"
)

// moody is a language model that rejects about every second connector it is
// asked about: which ones depends on the prompt alone.
type moody struct {
	t         *testing.T
	questions confirm.Questions
	never     bool // it rejects everything

	mu    sync.Mutex
	asked map[string]int
}

func newMoody(t *testing.T) *moody {
	t.Helper()
	questions, err := confirm.Load(confirm.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	return &moody{t: t, questions: questions, asked: map[string]int{}}
}

func (m *moody) Chat(_ context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	text := p.Messages[len(p.Messages)-1].Content
	m.mu.Lock()
	m.asked[text]++
	m.mu.Unlock()
	if strings.HasSuffix(strings.TrimSpace(text), "negation:") {
		return verbatim.Reply{Content: "because nothing of the kind was ever heard of there"}, nil
	}
	sum := fnv.New32a()
	fmt.Fprint(sum, text)
	keep := sum.Sum32()%2 == 0 && !m.never
	for _, q := range m.questions {
		fits := true
		word := ""
		for _, a := range q.Answers {
			fits = fits && strings.Contains(text, "\n"+a.Word+":")
			if a.Keep == keep {
				word = a.Word
			}
		}
		if fits {
			answer, err := json.Marshal(map[string]string{"answer": word, "reason": "a test says so"})
			return verbatim.Reply{Content: string(answer)}, err
		}
	}
	m.t.Errorf("no question asks:\n%s", text)
	return verbatim.Reply{}, verbatim.ErrNoAnswer
}

func (m *moody) models() *workspace.Models {
	return &workspace.Models{Confirm: "moody", Negate: "moody", ConfirmCap: 100, Workers: 2,
		Open: func(string) (verbatim.ChatModel, func(), error) { return m, func() {}, nil }}
}

// With a model that rejects every second doubtful connector, tag, a batch and a
// person at the terminal get the same tagged sentences, the same rejected ones
// and the same candidates, and no connector is asked about twice.
func TestSpec3TheTagsAreTheSameForAllCommands(t *testing.T) {
	o := workspace.Standard()
	o.Types = []string{"same_book"}
	files := map[string][2]string{}
	candidates := map[string]map[string]int{}
	for how, work := range map[string]func(*workspace.Workspace, string) (*cloze.Book, error){
		"tag": func(ws *workspace.Workspace, path string) (*cloze.Book, error) {
			_, err := ws.Tag(t.Context(), path, false)
			return nil, err
		},
		"batch": func(ws *workspace.Workspace, path string) (*cloze.Book, error) {
			b, err := ws.Draft(t.Context(), path, &o, false)
			if err != nil {
				return nil, err
			}
			return b.Cloze(), b.Close()
		},
		"terminal": func(ws *workspace.Workspace, path string) (*cloze.Book, error) { return byHand(t, ws, path, &o) },
		"terminal, one category": func(ws *workspace.Workspace, path string) (*cloze.Book, error) {
			one := o
			one.Categories = []string{"contrastclause"}
			return byHand(t, ws, path, &one)
		},
	} {
		path, ws := openSample(t)
		model := newMoody(t)
		ws.Models = model.models()
		book, err := work(ws, path)
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		for text, n := range model.asked {
			if n > 1 {
				t.Errorf("%s asked %d times: %s", how, n, text)
			}
		}
		files[how] = [2]string{read(t, ws.Path("lamp", workspace.Tagged)), read(t, ws.Path("lamp", workspace.Rejected))}
		if book != nil {
			candidates[how] = map[string]int{}
			for name, list := range book.Candidates {
				candidates[how][name] = len(list)
			}
		}
	}
	if !strings.Contains(files["tag"][1], "moody says") || !strings.Contains(files["tag"][0], `"confirmed":"moody"`) {
		t.Error("the model has kept nothing, or rejected nothing")
	}
	for _, how := range []string{"batch", "terminal", "terminal, one category"} {
		if files[how] != files["tag"] {
			t.Errorf("%s gives other tagged sentences than tag", how)
		}
	}
	if !maps.Equal(candidates["batch"], candidates["terminal"]) {
		t.Errorf("the batch has the candidates %v, the terminal %v", candidates["batch"], candidates["terminal"])
	}
}

// byHand asks for the drafts of each category, as a session does, while the
// book confirms the others in the background.
func byHand(t *testing.T, ws *workspace.Workspace, path string, o *workspace.Options) (*cloze.Book, error) {
	t.Helper()
	b, err := ws.Prepare(t.Context(), path, o, false, func(*workspace.Book) error { return nil })
	if err != nil {
		return nil, err
	}
	defer b.Close()
	book, err := b.Live(t.Context(), o, false)
	if err != nil {
		return nil, err
	}
	var ahead sync.WaitGroup
	ahead.Go(func() { book.(interface{ Ahead(context.Context) }).Ahead(t.Context()) })
	for _, category := range book.Categories() {
		for _, d := range book.Drafts(category) {
			if d.ConfirmedBy == "rules" && category == "causalsentence" {
				t.Errorf("a draft of %s was shown before the model was asked", category)
			}
		}
	}
	ahead.Wait()
	return b.Cloze(), b.EndLive(o)
}

// The categories come in the specification's order; --quick puts those that
// need no model first.
func TestSpecStep5OrderOfCategories(t *testing.T) {
	path, ws := openSample(t)
	ws.Models = newMoody(t).models()
	o := workspace.Standard()
	b, err := ws.Prepare(t.Context(), path, &o, false, func(*workspace.Book) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for quick, want := range map[bool]string{
		false: "causalsentence causalclause effectsentence effectclause contrastsentence contrastclause conditionalclause concessiveclause",
		true:  "effectclause contrastsentence contrastclause conditionalclause concessiveclause causalsentence causalclause effectsentence",
	} {
		book, err := b.Live(t.Context(), &o, quick)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(book.Categories(), " "); got != want {
			t.Errorf("quick %v: %s, want %s", quick, got, want)
		}
	}
}

// A batch that is finished announces no calls.
func TestAFinishedBatchTakesNoCalls(t *testing.T) {
	path, ws := openSample(t)
	ws.Models = newMoody(t).models()
	o := workspace.Standard()
	o.Drafts, o.Types = 2, []string{"negation", "same_book"}
	before, err := ws.Estimate(t.Context(), path, &o)
	if err != nil || before.Confirm == 0 || before.Answers != 16 {
		t.Errorf("Estimate = %+v, %v", before, err)
	}
	b, err := ws.Draft(t.Context(), path, &o, false)
	if err != nil {
		t.Fatal(err)
	}
	drafts := len(b.AllDrafts())
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err := ws.Estimate(t.Context(), path, &o); err != nil || e.Confirm != 0 || e.Answers != drafts {
		t.Errorf("with %d answers to write: Estimate = %+v, %v", drafts, e, err)
	}
	if b, err = ws.Draft(t.Context(), path, &o, false); err != nil {
		t.Fatal(err)
	}
	if _, err := workspace.WriteAnswers(t.Context(), &o, []*workspace.Book{b}); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err := ws.Estimate(t.Context(), path, &o); err != nil || e != (workspace.Estimate{}) {
		t.Errorf("a finished batch would take %+v, %v", e, err)
	}
}

// What a complete row of a catalogue says is saved, so that the next command
// need not have the catalogue.
func TestACompleteCatalogueRowIsSaved(t *testing.T) {
	path := t.TempDir() + "/lamp.txt"
	laySample(t, path)
	folder := workspace.FolderAt(workspace.DirOf("", path))
	if err := os.Remove(folder.MetadataPath("lamp")); err != nil {
		t.Fatal(err)
	}
	catalogue := &book.Catalogue{}
	row := "barcode_src,title_src,author_src,date1_src\nlamp,The Lamp,\"Tillott, Ambrose, 1820-1890\",1881\n"
	if err := catalogue.Add(strings.NewReader(row), "list.csv"); err != nil {
		t.Fatal(err)
	}
	d, err := folder.Describe(catalogue, "lamp")
	if err != nil || d.Row == nil {
		t.Fatalf("Describe = %+v, %v", d, err)
	}
	d.StateAll() // nothing is missing
	if err := folder.Complete(d, path); err != nil {
		t.Fatal(err)
	}
	if again, err := folder.Describe(nil, "lamp"); err != nil || !again.Saved || again.Title != "The Lamp" || len(again.Missing()) > 0 {
		t.Errorf("without the catalogue: %+v, %v", again, err)
	}
}

// A model that rejects everything: the batch and the terminal say so, with
// numbers and reasons.
func TestSpec3AModelThatRejectsEverything(t *testing.T) {
	path, ws := openSample(t)
	model := newMoody(t)
	model.never = true
	ws.Models = model.models()
	o := workspace.Standard()
	o.Categories, o.Types = []string{"causalsentence"}, []string{"same_book"}
	for range 2 { // the second time the tagged file says it
		_, err := ws.Draft(t.Context(), path, &o, false)
		if short := (*workspace.TooShortError)(nil); !errors.As(err, &short) || !strings.Contains(err.Error(), "a language model rejected 17 of 17 connectors (moody says other: a test says so;") {
			t.Errorf("the batch says %v", err)
		}
	}
	if err := os.Remove(ws.Path("lamp", workspace.Tagged)); err != nil {
		t.Fatal(err)
	}
	b, err := ws.Prepare(t.Context(), path, &o, false, func(*workspace.Book) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	book, err := b.Live(t.Context(), &o, false)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(book.Drafts("causalsentence")); n > 0 {
		t.Errorf("%d drafts are shown", n)
	}
	if err := b.EndLive(&o); err != nil {
		t.Fatal(err)
	}
	want := "causalsentence: a language model rejected 9 of 9 connectors; 0 of the 4 examples needed are left (moody says other: a test says so;"
	if len(b.Notes) != 1 || !strings.Contains(b.Notes[0].Error(), want) {
		t.Errorf("the notes are %v, want %s", b.Notes, want)
	}
}
