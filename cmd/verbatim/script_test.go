package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script are the manual of the command: what a person
// types, and what they see.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("VERBATIM_NO_MODELS", "true") // whatever listens on this computer
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"latin1":     writes("The last caf\xe9 was shut.\n"),
			"nul-and-cr": writes("One\x00 here.\rTwo here.\r\rThree"),
		},
	})
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
	if os.Getenv("VERBATIM_TEST_RUN") != "" { // a test runs the command as a process, to kill it
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"verbatim": func() {
			os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}
