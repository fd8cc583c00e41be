package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"verbatim"
)

// The scripts in testdata/script document the commands: what a user types and
// sees.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("VERBATIM_NO_MODELS", "true") // ignore servers on this computer
			env.Setenv(trustVariable, filepath.Join(env.WorkDir, "trusted.jsonl"))
			// A next-sentence model of random weights, whose words are w0 to w194.
			random, err := filepath.Abs(filepath.Join("..", "..", "bert", "testdata", "plain"))
			env.Setenv("RANDOM", random)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"latin1":      writes("The last caf\xe9 was shut.\n"),
			"latin1-list": writes("barcode_src;title_src\nhvd.lamp;Le Caf\xe9\n"),
			"workbook":    writes("PK\x03\x04\x14\x00[Content_Types].xml"),
			"nul-and-cr":  writes("One\x00 here.\rTwo here.\r\rThree"),
			"colours":     writes("The last \x1b[31mcaf\u009b2J was not shut.\n"),
			"utf16":       writes("\xff\xfeT\x00h\x00e\x00 \x00s\x00e\x00a\x00.\x00"),
			"utf16-bare":  writes("T\x00h\x00e\x00 \x00s\x00e\x00a\x00.\x00"),
			"epub":        writes("PK\x03\x04\n\x00mimetypeapplication/epub+zipPK"),
			"docx":        writes("PK\x03\x04\x14\x00[Content_Types].xml"),
			"pdf":         writes("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
			"program":     writes("\x7fELF\x02\x01 \x00 is what it begins with, and then come bytes of all kinds: \xff\xfe\xe9"),
			"sample":      writes(lampKeeper),
			"lines":       lines,
			"made": func(ts *testscript.TestScript, _ bool, args []string) {
				if got := strings.Count(ts.ReadFile(args[0]), `"made":true`); strconv.Itoa(got) != args[1] {
					ts.Fatalf("%d drafts have their wrong answers, not %s", got, args[1])
				}
			},
			"ranked": ranked,
			"mode": func(ts *testscript.TestScript, _ bool, args []string) {
				info, err := os.Stat(ts.MkAbs(args[1]))
				ts.Check(err)
				if got := strconv.FormatInt(int64(info.Mode().Perm()), 8); got != args[0] {
					ts.Fatalf("%s has the permissions %s, not %s", args[1], got, args[0])
				}
			},
			"append": func(ts *testscript.TestScript, _ bool, args []string) {
				change(ts, args[0], func(old string) string { return old + args[1] + "\n" })
			},
			"prepend": func(ts *testscript.TestScript, _ bool, args []string) {
				change(ts, args[0], func(old string) string { return args[1] + old })
			},
			"join": func(ts *testscript.TestScript, _ bool, args []string) {
				change(ts, args[0], func(old string) string { return old + ts.ReadFile(args[1]) })
			},
			"replace": func(ts *testscript.TestScript, _ bool, args []string) {
				change(ts, args[0], func(old string) string { return strings.ReplaceAll(old, args[1], args[2]) })
			},
			"copy-folder": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
			},
			"change-accepted": changeAccepted,
			"forge":           forge,
			"break-sentences": func(ts *testscript.TestScript, _ bool, args []string) { // all, but not their connectors
				change(ts, args[0], func(old string) string { return strings.ReplaceAll(old, " the ", " thee ") })
			},
		},
	})
}

// lines checks how many lines a file has.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, not %s", args[0], got, args[1])
	}
}

func change(ts *testscript.TestScript, file string, change func(string) string) {
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(change(ts.ReadFile(file))), 0o666))
}

// changeAccepted changes one letter of a book inside the passage of the first
// accepted question, before the mask.
func changeAccepted(ts *testscript.TestScript, _ bool, args []string) {
	for q, err := range verbatim.Read[verbatim.Question](strings.NewReader(ts.ReadFile(args[1])), args[1]) {
		ts.Check(err)
		at := q.Verbatim.Passage.ByteStart + 1
		change(ts, args[0], func(old string) string { return old[:at] + "z" + old[at+1:] })
		return
	}
	ts.Fatalf("there is no question in %s", args[1])
}

// forge changes a field of the first record of a file. `verbatim.answers.0` is a
// nested field.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	change(ts, args[0], func(old string) string {
		first, others, _ := strings.Cut(old, "\n")
		var record, value any
		ts.Check(errors.Join(json.Unmarshal([]byte(first), &record), json.Unmarshal([]byte(args[2]), &value)))
		at := record
		names := strings.Split(args[1], ".")
		for i, name := range names {
			last := i == len(names)-1
			switch within := at.(type) {
			case map[string]any:
				if at = within[name]; last {
					within[name] = value
				}
			case []any:
				n, err := strconv.Atoi(name)
				ts.Check(err)
				if at = within[n]; last {
					within[n] = value
				}
			default:
				ts.Fatalf("there is no %s in %s", name, args[0])
			}
		}
		forged, err := json.Marshal(record)
		ts.Check(err)
		return string(forged) + "\n" + others
	})
}

// writes is a script command that writes a file that a script cannot contain.
func writes(content string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(content), 0o666))
	}
}

func TestMain(m *testing.M) {
	if os.Getenv("VERBATIM_NO_MODELS") == "" {
		os.Setenv("VERBATIM_NO_MODELS", "true") // ignore servers on this computer
	}
	if os.Getenv(trustVariable) == "" { // nothing is trusted, and the user's own file is not touched
		os.Setenv(trustVariable, filepath.Join(os.TempDir(), "verbatim-tests-trust-nothing.jsonl"))
	}
	if os.Getenv("VERBATIM_TEST_RUN") != "" { // a test runs the command as a process
		quickScorer()
		main()
	}
	testscript.Main(m, map[string]func(){
		"verbatim": func() {
			quickScorer()
			main()
		},
	})
}
