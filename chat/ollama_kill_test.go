//go:build linux

package chat

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A killable is a real Ollama of our own, which a test can kill and start again at
// the same address.
type killable struct {
	t       *testing.T
	binary  string
	address string // without http://
	dir     string
	server  *exec.Cmd
}

// ownOllama starts the program that VERBATIM_TEST_OLLAMA names.
func ownOllama(t *testing.T) *killable {
	binary := os.Getenv("VERBATIM_TEST_OLLAMA")
	if binary == "" {
		t.Skip("VERBATIM_TEST_OLLAMA names no ollama program: there is no server to kill")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &killable{t: t, binary: binary, address: free.Addr().String(), dir: t.TempDir()}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	k.start()
	t.Cleanup(k.kill)
	return k
}

func (k *killable) start() {
	k.t.Helper()
	log, err := os.OpenFile(filepath.Join(k.dir, "server.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		k.t.Fatal(err)
	}
	defer log.Close()
	k.server = exec.Command(k.binary, "serve")
	k.server.Env = append(os.Environ(), "OLLAMA_HOST="+k.address, "OLLAMA_MODELS="+filepath.Join(k.dir, "models"), "HOME="+k.dir, "OLLAMA_KEEP_ALIVE=10m")
	k.server.Stdout, k.server.Stderr = log, log
	if err := k.server.Start(); err != nil {
		k.t.Fatal(err)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get("http://" + k.address + "/api/version"); err == nil {
			_ = resp.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			k.t.Fatal("the server does not start; see ", log.Name())
		}
	}
}

// runners are the processes that the server started: they hold the models.
func (k *killable) runners() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ") // after the name: state, parent
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[0] != "Z" && fields[1] == strconv.Itoa(k.server.Process.Pid) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// killRunner kills the runners as the kernel does when memory is short, and
// reports whether there were any.
func (k *killable) killRunner() bool {
	pids := k.runners()
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(pids) > 0
}

// kill ends the server at once, and its runners, which would live on.
func (k *killable) kill() {
	pids := k.runners()
	_ = k.server.Process.Kill()
	_ = k.server.Wait()
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// A batch of the whole program, with a book of its own.
type killBatch struct {
	t        *testing.T
	program  string
	dir      string
	messages bytes.Buffer
}

func newKillBatch(t *testing.T, program string) *killBatch {
	t.Helper()
	b := &killBatch{t: t, program: program, dir: t.TempDir()}
	if out, err := exec.Command(program, "demo", "--dir", filepath.Join(b.dir, "demo")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	settings := "model mistral-small:24b: tiny-chat\nmodel gpt-oss:20b: tiny-yes\ncontext: 2048\nanswer: 48\nthinking: 48\nnsp-model: none\n"
	for from, to := range map[string]string{"lamp-keeper.txt": "lamp-keeper.txt", "process_files/metadata/lamp-keeper.json": "process_files/metadata/lamp-keeper.json"} {
		text, err := os.ReadFile(filepath.Join(b.dir, "demo", from))
		if err != nil {
			t.Fatal(err)
		}
		b.write(to, text)
	}
	b.write("process_files/settings.txt", []byte(settings))
	return b
}

func (b *killBatch) write(name string, text []byte) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

func (b *killBatch) start(address string) *exec.Cmd {
	b.t.Helper()
	cmd := exec.Command(b.program, "make", "--batch", "--server", "http://"+address, "--drafts", "4", "--patience", "10m", "--timeout", "2m", "lamp-keeper.txt")
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.dir, &b.messages, &b.messages
	cmd.Env = append(os.Environ(), "VERBATIM_NO_MODELS=false")
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	return cmd
}

// file reads one of the book's files; it is empty if there is none yet.
func (b *killBatch) file(name string) []byte {
	text, _ := os.ReadFile(filepath.Join(b.dir, "process_files", "lamp-keeper-"+name))
	return text
}

// answers counts the recorded answers by their keys.
func (b *killBatch) answers() map[string]int {
	keys := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(b.file("ledger.jsonl")))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e Entry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Outcome == "" {
			keys[e.Key]++
		}
	}
	return keys
}

// The runner is killed ten times and the server five times in one batch. It ends
// by itself, writes the same bytes as a batch in peace, and asks for no recorded
// answer again.
func TestRealOllamaIsKilled(t *testing.T) {
	k := ownOllama(t)
	createScripted(t, "http://"+k.address)
	program := filepath.Join(t.TempDir(), "verbatim")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/verbatim").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peace := newKillBatch(t, program)
	if err := peace.start(k.address).Wait(); err != nil {
		t.Fatalf("%v\n%s", err, peace.messages.String())
	}
	lines := bytes.Count(peace.file("ledger.jsonl"), []byte("\n"))
	if lines < 40 {
		t.Fatalf("only %d calls, too few for 15 kills:\n%s", lines, peace.messages.String())
	}

	war := newKillBatch(t, program)
	batch := war.start(k.address)
	ended := make(chan error, 1)
	go func() { ended <- batch.Wait() }()
	kills, err := k.disturb(war, ended, max(1, lines/18))
	t.Logf("%d calls in peace; then the runner was killed %d times, the server %d times; %d calls", lines, kills[0], kills[1], bytes.Count(war.file("ledger.jsonl"), []byte("\n")))
	if err != nil {
		t.Fatalf("the batch did not end well: %v\n%s", err, war.messages.String())
	}
	if kills != [2]int{10, 5} {
		t.Errorf("the batch ended before all kills")
	}
	for _, name := range []string{"tagged.jsonl", "refused.jsonl", "drafts.jsonl"} {
		if want := peace.file(name); len(want) == 0 && name != "refused.jsonl" || !bytes.Equal(war.file(name), want) {
			t.Errorf("%s has %d bytes, and %d in peace; they differ", name, len(war.file(name)), len(want))
		}
	}
	want, got := peace.answers(), war.answers()
	for key, n := range got {
		if n != 1 || want[key] != 1 {
			t.Errorf("the answer to %s was recorded %d times, and %d times in peace", key, n, want[key])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d answers, and %d in peace", len(got), len(want))
	}
}

// disturb kills the runner ten times and the server five times, after every few
// recorded calls, until the batch ends.
func (k *killable) disturb(b *killBatch, ended <-chan error, every int) (kills [2]int, err error) {
	plan := []int{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1} // 0 the runner, 1 the server
	next := every
	deadline := time.After(30 * time.Minute)
	for {
		select {
		case err := <-ended:
			return kills, err
		case <-deadline:
			return kills, fmt.Errorf("it does not end")
		case <-time.After(5 * time.Millisecond):
		}
		at := kills[0] + kills[1]
		if at == len(plan) || bytes.Count(b.file("ledger.jsonl"), []byte("\n")) < next {
			continue
		}
		if plan[at] == 1 {
			k.kill()
			k.start()
		} else if !k.killRunner() {
			continue // it is being loaded
		}
		kills[plan[at]]++
		next = bytes.Count(b.file("ledger.jsonl"), []byte("\n")) + every
	}
}
