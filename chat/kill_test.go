package chat_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
	"verbatim/internal/durable"
	"verbatim/internal/parallel"
)

// A run of 200 calls in a process of its own, so that it can be killed. It is
// this test binary, started with the address of a server and a folder.
const runAt, runIn, runCalls, runWorkers = "CHAT_TEST_RUN_AT", "CHAT_TEST_RUN_IN", 200, 8

func TestMain(m *testing.M) {
	if address := os.Getenv(runAt); address != "" {
		if err := run(address, os.Getenv(runIn)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	os.Exit(m.Run())
}

func run(address, dir string) error {
	c, err := chat.New([]chat.Model{{Label: "m", Servers: []chat.Server{{URL: address, Concurrency: runWorkers}}}}, chat.Model{}, chat.Limits{})
	if err != nil {
		return err
	}
	ledger, err := chat.OpenLedger(filepath.Join(dir, "ledger.jsonl"), true)
	if err != nil {
		return err
	}
	defer ledger.Close()
	var answers bytes.Buffer // all answers first: a killed run leaves no half of a file
	if err := verbatim.Write(&answers, parallel.Map(context.Background(), runWorkers, questions(runCalls), c.For(ledger).Chat)); err != nil {
		return err
	}
	return durable.Replace(filepath.Join(dir, "answers.jsonl"), func(w io.Writer) error {
		_, err := answers.WriteTo(w)
		return err
	})
}

func startRun(t *testing.T, address, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), runAt+"="+address, runIn+"="+dir)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// inLedger is the set of prompts whose answers stand in the ledger.
func inLedger(dir string) map[string]bool {
	stand := map[string]bool{}
	text, _ := os.ReadFile(filepath.Join(dir, "ledger.jsonl"))
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		for i := range runCalls {
			if q := fmt.Sprintf("Question %d?", i); bytes.Contains(line, []byte(q)) {
				stand[q] = true
			}
		}
	}
	return stand
}

func TestARunKilledAtAnyMomentGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a process 25 times")
	}
	s := start(t, "m")
	s.Answer = func(r fake.Request) string { return "An answer to: " + r.Prompt }
	s.Delay = 12 * time.Millisecond
	whole := t.TempDir()
	if err := startRun(t, s.URL, whole).Wait(); err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(filepath.Join(whole, "answers.jsonl"))
	if bytes.Count(want, []byte("\n")) != runCalls {
		t.Fatalf("an unbroken run wrote %d answers", bytes.Count(want, []byte("\n")))
	}
	kills, worst, repeated := 0, 0, 0
	for range 5 {
		dir := t.TempDir()
		for round := range 6 {
			before, stand := len(s.Requests()), inLedger(dir)
			cmd := startRun(t, s.URL, dir)
			if round < 5 {
				time.Sleep(10*time.Millisecond + rand.N(130*time.Millisecond))
				if cmd.Process.Kill() == nil {
					kills++
				}
			}
			err := cmd.Wait()
			if round == 5 && err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * s.Delay) // calls in flight reach the server's list
			again, now := 0, inLedger(dir)
			for _, r := range s.Requests()[before:] {
				if stand[r.Prompt] {
					t.Errorf("%q stood in the ledger and was asked again", r.Prompt)
				}
				if !now[r.Prompt] {
					again++ // it will be repeated
				}
			}
			worst, repeated = max(worst, again), repeated+again
		}
		got, _ := os.ReadFile(filepath.Join(dir, "answers.jsonl"))
		if !bytes.Equal(got, want) {
			t.Errorf("after the kills the answers are others: %.300s", got)
		}
		left, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range left {
			if base := filepath.Base(name); base != "answers.jsonl" && !strings.HasPrefix(base, "ledger.jsonl") {
				t.Errorf("left behind: %s", name)
			}
		}
	}
	if kills < 20 || worst > runWorkers {
		t.Errorf("%d kills, at most %d calls repeated after one", kills, worst)
	}
	t.Logf("%d kills, %d calls repeated in all, at most %d after one kill", kills, repeated, worst)
}
