package chat_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
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

// A run of 200 calls in a process of its own, so that a test can kill it: this test
// binary, started with the address of a server and a folder.
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
	var answers bytes.Buffer // all answers first: a killed run leaves no incomplete file
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

// inLedger is the set of prompts whose answers are in the ledger.
func inLedger(dir string) map[string]bool {
	asked := map[string]bool{}
	text, _ := os.ReadFile(filepath.Join(dir, "ledger.jsonl"))
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		for i := range runCalls {
			if q := fmt.Sprintf("Question %d?", i); bytes.Contains(line, []byte(q)) {
				asked[q] = true
			}
		}
	}
	return asked
}

// A run is killed five times and then completes: no recorded call is repeated, and
// the answers are those of a run without kills.
func TestAKilledRunResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a process 25 times")
	}
	dir := t.TempDir()
	if err := startRun(t, echoServer(t).URL, dir).Wait(); err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(filepath.Join(dir, "answers.jsonl"))
	if bytes.Count(want, []byte("\n")) != runCalls {
		t.Fatalf("a run without kills wrote %d answers", bytes.Count(want, []byte("\n")))
	}
	for i := range 5 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel() // most of the time is waiting
			killedRun(t, want)
		})
	}
}

func echoServer(t *testing.T) *fake.Server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := fake.At(l.Addr().String(), "m")
	t.Cleanup(s.Close)
	s.Answer = func(r fake.Request) string { return "An answer to: " + r.Prompt }
	s.Delay = 12 * time.Millisecond
	go func() { _ = s.Serve(l) }() // after the fields are set: the first call comes from another process
	return s
}

func killedRun(t *testing.T, want []byte) {
	s, dir := echoServer(t), t.TempDir()
	for round := range 6 {
		before, recorded := len(s.Requests()), inLedger(dir)
		cmd := startRun(t, s.URL, dir)
		if round < 5 {
			time.Sleep(10*time.Millisecond + rand.N(130*time.Millisecond))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Wait(); round == 5 && err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * s.Delay) // until calls in progress are in the server's list
		repeated, now := 0, inLedger(dir)
		for _, r := range s.Requests()[before:] {
			if recorded[r.Prompt] {
				t.Errorf("%q was in the ledger and was asked again", r.Prompt)
			}
			if !now[r.Prompt] {
				repeated++ // in the next round
			}
		}
		if repeated > runWorkers {
			t.Errorf("a kill lost %d calls; only %d can be in progress", repeated, runWorkers)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "answers.jsonl")); !bytes.Equal(got, want) {
		t.Errorf("after the kills the answers differ: %.300s", got)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range left {
		if base := filepath.Base(name); base != "answers.jsonl" && !strings.HasPrefix(base, "ledger.jsonl") {
			t.Errorf("left behind: %s", name)
		}
	}
}
