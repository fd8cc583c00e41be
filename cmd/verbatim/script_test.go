package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"verbatim"
)

// The scripts in testdata/script are the manual of the command: what a person
// types, and what they see.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("VERBATIM_NO_MODELS", "true") // whatever listens on this computer
			// A next-sentence model of random weights, whose words are w0 to w194.
			random, err := filepath.Abs(filepath.Join("..", "..", "bert", "testdata", "plain"))
			env.Setenv("RANDOM", random)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"latin1":     writes("The last caf\xe9 was shut.\n"),
			"nul-and-cr": writes("One\x00 here.\rTwo here.\r\rThree"),
			"sample":     writes(lampKeeper),
			"lines":      lines,
			"made": func(ts *testscript.TestScript, _ bool, args []string) {
				if got := strings.Count(ts.ReadFile(args[0]), `"made":true`); strconv.Itoa(got) != args[1] {
					ts.Fatalf("%d drafts have their wrong answers, not %s", got, args[1])
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
			"copy-folder": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
			},
			"mend-accepted": mendAccepted,
			"break-sentences": func(ts *testscript.TestScript, _ bool, args []string) { // every one, but for the connectors
				change(ts, args[0], func(old string) string { return strings.ReplaceAll(old, " the ", " thee ") })
			},
		},
	})
}

// lines holds if a file has so many.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, not %s", args[0], got, args[1])
	}
}

func change(ts *testscript.TestScript, file string, change func(string) string) {
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(change(ts.ReadFile(file))), 0o666))
}

// mendAccepted changes one letter of a book inside the passage of the first
// accepted question, before what it hides.
func mendAccepted(ts *testscript.TestScript, _ bool, args []string) {
	for q, err := range verbatim.Read[verbatim.Question](strings.NewReader(ts.ReadFile(args[1])), args[1]) {
		ts.Check(err)
		at := q.Verbatim.Passage.ByteStart + 1
		change(ts, args[0], func(old string) string { return old[:at] + "z" + old[at+1:] })
		return
	}
	ts.Fatalf("there is no question in %s", args[1])
}

// writes makes a script command that writes a file which a script cannot hold.
func writes(content string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(content), 0o666))
	}
}

func TestMain(m *testing.M) {
	if os.Getenv("VERBATIM_NO_MODELS") == "" {
		os.Setenv("VERBATIM_NO_MODELS", "true") // whatever listens on this computer, or OLLAMA_HOST names
	}
	if os.Getenv("VERBATIM_TEST_RUN") != "" { // a test runs the command as a process, to kill it or to sit before it
		quickScorer()
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"verbatim": func() {
			quickScorer()
			os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}
