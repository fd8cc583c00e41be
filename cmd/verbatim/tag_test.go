package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/clean"
	"verbatim/tag"
	"verbatim/workspace"
)

// call runs the program.
func call(t *testing.T, args ...string) (code int, out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// shelf is some books, all different.
func shelf(t *testing.T, dir string, n int) []string {
	var paths []string
	for i := range n {
		text := fmt.Sprintf("They counted %d boats on the river. But nobody would row them over, for the water was high.\n\n", i)
		text += strings.Repeat("He would not go, because the night was dark. If they were afraid, then nobody said so.\n", i%7+1)
		paths = append(paths, write(t, filepath.Join(dir, fmt.Sprintf("book%03d.txt", i)), text))
	}
	return paths
}

// Of two hundred books one is not UTF-8, one is empty, and two pairs share a
// barcode: by case, and by how an accent is encoded. Each is reported, the others
// are done, and nothing is overwritten.
func TestBadBooksDoNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	paths := shelf(t, dir, 194)
	paths = append(paths,
		write(t, filepath.Join(dir, "latin.txt"), "They sang, but nobody heard the \xe9tude.\n"),
		write(t, filepath.Join(dir, "empty.txt"), ""),
		write(t, filepath.Join(dir, "a", "HWWJNQ.txt"), "They sang, but nobody heard them sing.\n"),
		write(t, filepath.Join(dir, "b", "hwwjnq.txt"), "They sang, but nobody heard them play.\n"),
		write(t, filepath.Join(dir, "a", "caf\u00e9.txt"), "They sang, but nobody heard them sing.\n"),
		write(t, filepath.Join(dir, "b", "cafe\u0301.txt"), "They sang, but nobody heard them play.\n"))
	work := filepath.Join(dir, "work")
	kept := write(t, filepath.Join(work, "HWWJNQ-tagged.jsonl"), "by hand\n")

	code, out, messages := call(t, append([]string{"tag", "--dir", work}, paths...)...)
	if code != 1 {
		t.Errorf("exit %d, want 1", code)
	}
	if !strings.Contains(out, "in 194 books: 194 tagged") {
		t.Errorf("summary:\n%s", out)
	}
	for _, want := range []string{"latin.txt: byte 32 (0xE9) is not valid UTF-8", "empty.txt: it has no sentences",
		"HWWJNQ.txt and ", "caf\u00e9.txt and ", "have the same barcode", "6 of 200 books could not be tagged; the others are done"} {
		if !strings.Contains(messages, want) {
			t.Errorf("missing %q in\n%s", want, messages)
		}
	}
	if content, _ := os.ReadFile(kept); string(content) != "by hand\n" {
		t.Errorf("a file was overwritten: %q", content)
	}
	if made, _ := filepath.Glob(filepath.Join(work, "*-tagged.jsonl")); len(made) != 195 {
		t.Errorf("%d tagged files, want 195", len(made))
	}
}

// The same file named twice is one book; the same name in two folders is two,
// each beside its own working folder.
func TestOneBookNamedTwice(t *testing.T) {
	dir := t.TempDir()
	a := write(t, filepath.Join(dir, "a", "x.txt"), "They sang, but nobody heard them sing.\n")
	b := write(t, filepath.Join(dir, "b", "x.txt"), "They sang, but nobody heard them play.\n")
	code, out, messages := call(t, "tag", a, a, filepath.Join(dir, "a", ".", "x.txt"), b)
	if code != 0 || !strings.Contains(out, "2 books: 2 tagged") {
		t.Errorf("exit %d\n%s%s", code, out, messages)
	}
}

// The bytes are the same on every run and for any number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	dir := t.TempDir()
	paths := shelf(t, dir, 40)
	if books, _ := filepath.Glob("../../../shared/data/books/pg*.txt"); len(books) > 0 {
		paths = append(paths, books...)
	}
	var first map[string]string
	for _, workers := range []string{"1", "2", "7"} {
		work := filepath.Join(dir, "work"+workers)
		if code, _, messages := call(t, append([]string{"tag", "--dir", work, "--workers", workers}, paths...)...); code != 0 {
			t.Fatalf("exit %d: %s", code, messages)
		}
		files := map[string]string{}
		names, _ := filepath.Glob(filepath.Join(work, "*.json*"))
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(name)] = string(content)
		}
		if first == nil {
			first = files
		}
		if len(files) != 3*len(paths) || len(files) != len(first) {
			t.Fatalf("%s workers made %d files of %d books", workers, len(files), len(paths))
		}
		for name, content := range files {
			if content != first[name] {
				t.Errorf("%s differs with %s workers", name, workers)
			}
		}
	}
}

// Every tag can be proved against the bytes of the file.
func TestTagsAgreeWithTheFile(t *testing.T) {
	books, _ := filepath.Glob("../../../shared/data/books/*.txt")
	if len(books) == 0 {
		books = []string{write(t, filepath.Join(t.TempDir(), "lamp-keeper.txt"), lampKeeper)}
		t.Log("the books of ../shared/data are not here: only the sample is read")
	}
	tagger, err := readCards("", workspace.Cards.Tagger)
	if err != nil {
		t.Fatal(err)
	}
	tags := 0
	for _, path := range books {
		doc, err := openDocument(t.Context(), &console{}, path)
		if err != nil {
			t.Fatal(err)
		}
		tags += proveTags(t, tagger, doc)
	}
	if tags == 0 {
		t.Error("no tag was found")
	}
}

func FuzzTagsAgreeWithTheFile(f *testing.F) {
	f.Add(lampKeeper)
	f.Add("But no-\nbody came, for the\n\n<page 3>\nroad was lost; if, &quot;though&quot; late, he hoped.\r\nSo be it.")
	f.Add("“But why?” he asked, because — as it seemed —\fhe knew.¹ Therefore, they\n left.")
	tagger, err := readCards("", workspace.Cards.Tagger)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if doc, err := verbatim.NewDocument("fuzz", text); err == nil {
			proveTags(t, tagger, doc)
		}
	})
}

// proveTags proves every tag of a text against its source and counts them.
func proveTags(t *testing.T, tagger *tag.Tagger, doc *verbatim.Document) (tags int) {
	t.Helper()
	reading := clean.Read(doc)
	split := slices.Collect(tagger.Split.Split(reading.Copy))
	for line, rejected := range tagger.Lines(tagger.Open(doc)) {
		at := split[line.Index].Start // of the sentence in the reading copy
		words := strings.Fields(line.Sentence)
		for _, tag := range line.Tags {
			tags++
			masked := line.Sentence[tag.SentenceStart:tag.SentenceEnd]
			sel := reading.Source(verbatim.Span{Start: at + tag.SentenceStart, End: at + tag.SentenceEnd})
			if err := sel.Prove(doc, masked); err != nil || sel.ByteStart != tag.Start || sel.ByteEnd != tag.End {
				t.Fatalf("%s: %q is not at bytes %d-%d: %v", doc.ID, masked, tag.Start, tag.End, err)
			}
			connector := strings.Fields(tag.Connector)[0]
			if tag.Subtype == "answer" { // its connector is in the question before; its place is its first word
				if tag.Word != 0 {
					t.Fatalf("%s: the answer %q starts at word %d", doc.ID, line.Sentence, tag.Word)
				}
				continue
			}
			if !strings.Contains(strings.ToLower(words[tag.Word]), connector) || !strings.Contains(strings.ToLower(masked), connector) {
				t.Fatalf("%s: word %d of %q is %q, not %q", doc.ID, tag.Word, line.Sentence, words[tag.Word], connector)
			}
		}
		for _, no := range rejected {
			if !line.Span.Contains(no.Span) || no.Reason == "" {
				t.Fatalf("%s: %+v is not in its sentence %v", doc.ID, no, line.Span)
			}
		}
	}
	return tags
}

// A book is locked while another program works on it.
func TestLockedBook(t *testing.T) {
	dir := t.TempDir()
	book := write(t, filepath.Join(dir, "x.txt"), "They sang, but nobody heard them sing.\n")
	f, err := workspace.OpenFolder(filepath.Join(dir, "process_files"))
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := f.Lock("x")
	if err != nil {
		t.Fatal(err)
	}
	if code, _, messages := call(t, "tag", book); code != 2 || !strings.Contains(messages, "another verbatim is working on x") {
		t.Errorf("exit %d: %s", code, messages)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if code, _, messages := call(t, "tag", book); code != 0 {
		t.Errorf("exit %d: %s", code, messages)
	}
}

// After Ctrl-C the command to resume is printed, quoted for the shell.
func TestStoppedPrintsHowToResume(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, messages bytes.Buffer
	dir := t.TempDir()
	book := write(t, filepath.Join(dir, "The Mill's End.txt"), "They sang, but nobody heard them sing.\n")
	if code := run(ctx, []string{"tag", book}, nil, &out, &messages); code != 2 {
		t.Errorf("exit %d", code)
	}
	want := "to resume, type:\n  verbatim tag '" + strings.ReplaceAll(book, "'", `'\''`) + "'"
	if !strings.Contains(messages.String(), want) {
		t.Errorf("got %s", messages.String())
	}
}
