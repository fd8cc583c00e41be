package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"verbatim/chat/fake"
)

// The scripts in testdata/models document the commands that ask language models.
// $SERVER is a fake server with mistral-small:24b and gpt-oss:20b; `asked 3` checks
// that it got three calls so far, `away` and `back` stop and restart it.
func TestModelScripts(t *testing.T) {
	type key struct{}
	server := func(ts *testscript.TestScript) *fake.Server { return ts.Value(key{}).(*fake.Server) }
	testscript.Run(t, testscript.Params{
		Dir: "testdata/models",
		Setup: func(env *testscript.Env) error {
			s := fake.New("mistral-small:24b")
			s.Models["gpt-oss:20b"] = fake.Model{Digest: strings.Repeat("ab", 32), Context: 131072, Thinks: "Let me see.", Levels: true}
			s.Answer = wellRead
			env.Setenv("SERVER", s.URL)
			env.Setenv(trustVariable, filepath.Join(env.WorkDir, "trusted.jsonl"))
			env.Setenv("VERBATIM_NSP_MODEL", "none") // these scripts are about language models
			env.Setenv("VERBATIM_NO_MODELS", "false")
			env.Values[key{}] = s
			env.Defer(s.Close)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"asked": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				if got := len(server(ts).Requests()); got != want {
					ts.Fatalf("%d calls were made, want %d", got, want)
				}
			},
			"away": func(ts *testscript.TestScript, _ bool, _ []string) { server(ts).Away(true) },
			"back": func(ts *testscript.TestScript, _ bool, _ []string) { server(ts).Away(false) },
			"later-back": func(ts *testscript.TestScript, _ bool, _ []string) {
				time.AfterFunc(time.Second, func() { server(ts).Away(false) })
			},
		},
	})
}

// wellRead answers for the invented books of the scripts: it negates the words it
// knows and understands connectors.
func wellRead(r fake.Request) string {
	if original, is := strings.CutSuffix(r.Prompt, "\nnegation:"); is {
		original = original[strings.LastIndex(original, ": ")+2:]
		return "negation: " + strings.NewReplacer("held", "gave way", "empty", "full", "was late", "was not late").Replace(original)
	}
	if strings.Contains(r.Prompt, "Choose one answer:") {
		answer := "other"
		for _, word := range []string{"reason", "concession", "consequence", "explains", "effect", "contrast", "condition"} {
			if strings.Contains(r.Prompt, "\n"+word+":") {
				answer = word
			}
		}
		for _, time := range []string{"since the flood", "as the clock struck", "while the kettle boiled"} {
			if last := strings.LastIndex(r.Prompt, "\n\nDoes"); last > 0 && strings.HasSuffix(r.Prompt[:last], time) {
				answer = "time"
			}
		}
		return fmt.Sprintf(`{"reason": "the words say so", "answer": %q}`, answer)
	}
	return "But " + strings.Split(r.Model, "-")[0] + " had never seen a river in the town."
}
