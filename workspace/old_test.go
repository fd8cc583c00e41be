package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"verbatim/review"
	"verbatim/workspace"
)

// oldFolder is a copy of a working folder that version 0.1.0 made, with the
// text of its book.
func oldFolder(t *testing.T) (path string, ws *workspace.Workspace) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/v0.1.0")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../cmd/verbatim/sample/lamp-keeper.txt")
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "lamp.txt")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if ws, err = workspace.Open(workspace.DirOf("", path)); err != nil {
		t.Fatal(err)
	}
	return path, ws
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Nothing that people did with version 0.1.0 is lost: decisions, drafts,
// questions and the options of the last run are read as they were.
func TestAFolderOfTheFirstVersionOpens(t *testing.T) {
	_, ws := oldFolder(t)
	all, err := ws.Status("", 1)
	if err != nil || len(all) != 1 || len(all[0].Trouble) > 0 {
		t.Fatalf("Status = %+v, %v", all, err)
	}
	s := all[0]
	if n := s.Counts.Sum(); n.Accepted != 1 || n.Rejected != 1 || n.Waiting != 2 || n.Drafts != 6 || s.Questions != 1 {
		t.Errorf("the folder has %+v and %d questions", n, s.Questions)
	}
	want := []string{"contrastsentence", "causalclause", "effectclause"}
	if o := s.Options; o.Seed != 3 || o.Drafts != 2 || o.MinExamples != 4 || !slices.Equal(o.Categories, want) {
		t.Errorf("the drafts would be made again with %+v", o)
	}
	proofs, err := workspace.Verify(t.Context(), []string{ws.Dir()}, "", func(p workspace.Proof) {
		if p.Err != nil {
			t.Error(p.Err)
		}
	})
	if err != nil || proofs.Questions != 1 || proofs.Proved != 4 || proofs.Absent != 3 {
		t.Errorf("verify: %+v, %v", proofs, err)
	}
}

// Making the drafts again keeps every decision and every question. The order of
// the draw is another one (clean passages come first), but an id is that of the
// same draft. Without a language model, the answers that one wrote are not
// made again, but those in decisions stay.
func TestAFolderOfTheFirstVersionIsRebuilt(t *testing.T) {
	path, ws := oldFolder(t)
	decisions, questions := read(t, ws.Path("lamp", workspace.Decisions)), read(t, ws.Path("lamp", workspace.Questions))
	ledger := read(t, ws.Path("lamp", workspace.Ledger))
	before := draftIDs(t, ws)
	o, err := ws.Again("lamp")
	if err != nil {
		t.Fatal(err)
	}
	b, err := ws.Draft(t.Context(), path, &o, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SaveQuestions(false); err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for s := range b.Log().Standings() {
		if s.Verdict == review.Accepted {
			accepted++
		}
	}
	if err := b.Close(); err != nil || accepted != 1 {
		t.Errorf("%d accepted, Close = %v", accepted, err)
	}
	same, after := 0, draftIDs(t, ws)
	for id := range before {
		if after[id] {
			same++
		}
	}
	if len(after) != len(before) || same == 0 {
		t.Errorf("other drafts are drawn: %v, before %v", after, before)
	}
	for file, want := range map[string]string{workspace.Decisions: decisions, workspace.Questions: questions, workspace.Ledger: ledger} {
		if read(t, ws.Path("lamp", file)) != want {
			t.Errorf("%s changed", file)
		}
	}
}

func draftIDs(t *testing.T, ws *workspace.Workspace) map[string]bool {
	t.Helper()
	drafts, err := workspace.ReadDrafts(ws.Path("lamp", workspace.Drafts))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, d := range drafts {
		if ids[d.ID] = true; d.ConfirmedBy == "" {
			t.Errorf("draft %s: nobody confirmed its connector", d.ID)
		}
	}
	return ids
}
