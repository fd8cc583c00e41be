package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
)

// evil sets a terminal's title, clears its screen, colours it and turns letters
// around; the CSI of it is also in its form of one character.
const evil = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202Egnp\u2066.\x1b[8m"

// controls are the characters in a text that control a terminal.
func controls(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return -1
		case r < ' ', r >= 0x7F && r < 0xA0, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return r
		}
		return -1
	}, text)
}

// evilFolder is a folder in which every text that somebody can write is evil.
func evilFolder(t *testing.T, server string) {
	t.Helper()
	t.Chdir(t.TempDir())
	quoted := fmt.Sprintf("%q", "T "+evil)
	quoted = strings.NewReplacer(`\a`, `\u0007`, `\x1b`, `\u001b`).Replace(quoted) // Go's escapes in JSON's
	metadata := `{"source_htid": ` + quoted + `, "source_title": ` + quoted + `, "source_author": ` + quoted + `, "source_date": 1881,
		"author_nationality": ` + quoted + `, "source_genre": ` + quoted + `, "author_birth": 1820, "author_profession": ` + quoted + `, "note": ` + quoted + `}`
	sentence := "But the lamp " + evil + " went out, because nobody " + evil + " had filled it in the night. "
	for name, text := range map[string]string{
		"lamp.txt":                         lampKeeper + "\n\n" + strings.Repeat(sentence, 12),
		"e" + evil + ".txt":                lampKeeper,
		"process_files/metadata/lamp.json": metadata,
		"process_files/metadata/bad.json":  `{"source_title": 7, "` + evil + `": 1}`,
		"list.csv": "barcode_src,title_src,author_src,firstpub,authnationality,genre,authordates,author_profession,x" + evil + "\n" +
			"other,T" + evil + ",\"A" + evil + "\",18" + evil + ",N" + evil + ",G" + evil + ",B" + evil + ",P" + evil + ",\nbad" + evil + ",x\nother,U" + evil + ",,,,,,,\n",
		"wrong.csv":                  "bar" + evil + ",tit" + evil + "\n",
		"other.txt":                  "The sea " + evil + " was calm.",
		"process_files/settings.txt": "reviewer: R" + evil + "\nmodel gpt-oss:20b: M" + evil + " at " + server + "\n",
		"wrong/settings.txt":         "se" + evil + ": 1\n",
		"requests.jsonl":             `{"id":"` + "\u009b31m" + `","passage":"It was late. [masked sentence describing a tension or contrast] They slept.","mask":"[masked sentence describing a tension or contrast]","ground_truth":"But nobody slept at all.","types":["negation"]}` + "\n",
		"rules/connectors/mine.txt":  "rule: mine/x" + evil + "\nmatch: zz\nsense: contrast\nkind: adverb\nyes: [zz], " + evil + " no.\n",
	} {
		if strings.ContainsAny(name, "/") {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skip("this system has no such file names: ", err)
		}
	}
}

// No command prints a character that controls a terminal, no matter who wrote the text.
func TestNothingControlsTheTerminal(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/chat") {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, `{"error":"E`+strings.ReplaceAll(strings.ReplaceAll(evil, "\x1b", `\u001b`), "\x07", `\u0007`)+`","version":"\u001b[2J","models":[{"name":"\u001b[2J","digest":"\u001b[31mxx"}]}`)
	}))
	defer server.Close()
	evilFolder(t, server.URL)
	t.Setenv(trustVariable, filepath.Join(t.TempDir(), "trusted.jsonl"))
	shown := 0
	for _, args := range [][]string{
		{"describe", "lamp.txt"}, {"describe", "bad.txt"}, {"describe", "--catalogue", "list.csv", "other.txt"}, {"describe", "--catalogue", "wrong.csv", "other.txt"},
		{"describe", "--catalogue", "list.csv", "e" + evil + ".txt"}, {"describe", "e" + evil + ".txt"}, {"describe", evil},
		{"inspect", "frames", "process_files", "list.csv"}, {"status"}, {"tag", "--no-models", "lamp.txt"}, {"status"},
		{"make", "--batch", "--no-models", "--nsp-model", "none", "lamp.txt"}, {"make", "--batch", "--no-models", "--nsp-model", "none", "e" + evil + ".txt", "lamp.txt", evil}, {"status"},
		{"review", "--plain"}, {"review", "--plain", "--decided"}, {"verify", "process_files"}, {"verify", "process_files/lamp-drafts.jsonl"},
		{"inspect", "sentences", "other.txt"}, {"inspect", "cleaning", "other.txt"}, {"inspect", "connectors", "lamp.txt"}, {"inspect", "connectors", "--rejected", "lamp.txt"}, {"inspect", "polarity", "other.txt"},
		{"trust", "."}, {"trust", "--list"}, {"models"}, {"models", "--server", server.URL}, {"tag", "--force", "--server", server.URL, "--patience", "1ms", "lamp.txt"},
		{"distract", "--server", server.URL, "requests.jsonl"}, {"inspect", "negations", "--server", server.URL, "--patience", "1ms", "lamp.txt"},
		{"models", "--dir", "wrong"}, {"rules", "check", "rules"}, {"rules", "list", "rules"}, {evil}, {"make", "--" + evil}, {"schema", evil}, {"status", evil},
	} {
		var out, messages bytes.Buffer
		ended := run(t.Context(), args, strings.NewReader("a\nA\na\nx\nq\n"), &out, &messages)
		said := out.String() + messages.String()
		if args[0] == "distract" {
			said = messages.String() // the data are JSON, for programs
		}
		if found := controls(said); found != "" {
			t.Errorf("verbatim %q (exit status %d) prints %q:\n%q", args, ended, found, said)
		}
		if strings.ContainsAny(said, "␛⇄") {
			shown++
		}
	}
	if shown < 20 {
		t.Errorf("only %d commands met an evil text, so this test shows little", shown)
	}
}

// JSON for programs keeps every character; on its way to people it is shown with
// symbols, also in part of a character.
func TestDataForProgramsAreKept(t *testing.T) {
	evilFolder(t, "http://127.0.0.1:9")
	var out, messages bytes.Buffer
	if code := run(t.Context(), []string{"describe", "--json", "lamp.txt"}, strings.NewReader(""), &out, &messages); code != 0 || !strings.Contains(out.String(), "\u009b31m\u202Egnp") {
		t.Errorf("exit status %d\n%q %q", code, out.String(), messages.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("JSON with an escape: %q", out.String())
	}
	if verbatim.Readable(evil) == evil {
		t.Error("the evil text is not evil")
	}
}
