package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A listener answers like Ollama without models, and remembers every request.
type listener struct {
	*httptest.Server
	mu   sync.Mutex
	keys []string // the Authorization of each request
}

func newListener(t *testing.T) *listener {
	l := &listener{}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		l.keys = append(l.keys, r.Header.Get("Authorization"))
		l.mu.Unlock()
		fmt.Fprint(w, `{"models":[],"version":"0.1"}`)
	}))
	t.Cleanup(l.Close)
	return l
}

// heard are the keys of the requests since the last call.
func (l *listener) heard() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	keys := l.keys
	l.keys = nil
	return keys
}

// A visit is a user with a folder that somebody else made.
type visit struct {
	t   *testing.T
	dir string
	env []string
}

// visitStranger makes a folder with a described book, whose settings name a server
// and a key of the user.
func visitStranger(t *testing.T, settings string) *visit {
	t.Helper()
	dir := bookIn(t, true, false)
	v := &visit{t: t, dir: dir, env: []string{trustVariable + "=" + filepath.Join(t.TempDir(), "config", "trusted.jsonl"), "MY_KEY=sk-0123456789abcdef", "OLLAMA_HOST=", "VERBATIM_TEST_RUN=1", "VERBATIM_NO_MODELS=false"}}
	v.settings(settings)
	v.write("requests.jsonl", `{"passage":"It was late. [masked sentence describing a tension or contrast] They went home at last and slept.","mask":"[masked sentence describing a tension or contrast]","ground_truth":"But nobody was tired at all.","types":["negation"]}`+"\n")
	return v
}

func (v *visit) settings(text string) { v.write("process_files/settings.txt", text) }

func (v *visit) write(name, text string) {
	v.t.Helper()
	if err := os.WriteFile(filepath.Join(v.dir, name), []byte(text), 0o666); err != nil {
		v.t.Fatal(err)
	}
}

func (v *visit) run(args ...string) (string, int) {
	v.t.Helper()
	self, err := os.Executable()
	if err != nil {
		v.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = v.dir, append(os.Environ(), v.env...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// No command sends anything to a server, or reads a key, because a stranger's
// settings say so.
func TestAStrangersFolderReachesNoServer(t *testing.T) {
	server := newListener(t)
	settings := fmt.Sprintf("server: %s\nkey %s: MY_KEY\n", server.URL, server.URL)
	for _, args := range [][]string{
		{"models"}, {"models", "--json"}, {"make", "--batch", "lamp.txt"}, {"make", "--plain", "lamp.txt"}, {"tag", "lamp.txt"},
		{"distract", "requests.jsonl"}, {"distract", "--batch", "requests.jsonl"}, {"inspect", "negations", "lamp.txt"},
	} {
		v := visitStranger(t, settings)
		said, code := v.run(args...)
		if n := len(server.heard()); n > 0 || code != 2 {
			t.Errorf("verbatim %v: %d requests, exit status %d\n%s", args, n, code, said)
		}
		for _, want := range []string{"this folder is not trusted", "texts go to    " + server.URL, "the environment variable MY_KEY", "\n  verbatim trust process_files"} {
			if !strings.Contains(said, want) {
				t.Errorf("verbatim %v does not say %q:\n%s", args, want, said)
			}
		}
		if strings.Contains(said, "sk-0123") {
			t.Errorf("verbatim %v shows the key:\n%s", args, said)
		}
	}
}

// What needs no server works in a stranger's folder.
func TestAStrangersFolderWorksWithoutItsServers(t *testing.T) {
	server, own := newListener(t), newListener(t)
	v := visitStranger(t, fmt.Sprintf("server: %s\nkey %s: NOT_SET\n", server.URL, server.URL))
	for _, args := range [][]string{
		{"status"}, {"describe", "lamp.txt"}, {"distract", "--estimate", "requests.jsonl"}, {"tag", "--no-models", "lamp.txt"}, {"tag", "--offline", "lamp.txt"},
	} {
		said, code := v.run(args...)
		if offline := slices.Contains(args, "--offline"); offline != (code == 2) || strings.Contains(said, "trusted") || len(server.heard()) > 0 {
			t.Errorf("verbatim %v: exit status %d\n%s", args, code, said)
		}
	}
	// A server that the user names needs no trust, and gets no key of the folder.
	if said, code := v.run("models", "--server", own.URL); code != 0 || len(own.heard()) == 0 || len(server.heard()) > 0 {
		t.Errorf("exit status %d\n%s", code, said)
	}
	v.env = append(v.env, "OLLAMA_HOST="+own.URL)
	v.settings("confirm-model: other\n")
	if said, code := v.run("models"); code != 0 || len(own.heard()) == 0 {
		t.Errorf("exit status %d\n%s", code, said)
	}
	// But a folder cannot add a key to that server in silence.
	v.settings(fmt.Sprintf("key %s: MY_KEY\n", own.URL))
	if said, code := v.run("models"); code != 2 || len(own.heard()) > 0 || !strings.Contains(said, "not trusted") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	// The user can agree to that, too.
	v.env = append(v.env, "OLLAMA_HOST=")
	if said, code := v.run("trust"); code != 0 || !strings.Contains(said, "if you name    "+own.URL+"\n    it gets the key in the environment variable MY_KEY") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	if said, code := v.run("models", "--server", own.URL); code != 0 || !slices.Contains(own.heard(), "Bearer sk-0123456789abcdef") {
		t.Errorf("exit status %d\n%s", code, said)
	}
}

// One command trusts a folder, until its servers, keys or models change.
func TestTrustIsRememberedUntilTheSettingsChange(t *testing.T) {
	server := newListener(t)
	settings := fmt.Sprintf("server: %s\nkey %s: MY_KEY\n", server.URL, server.URL)
	v := visitStranger(t, settings)
	trusted := func(want bool) {
		t.Helper()
		said, code := v.run("models")
		keys := server.heard()
		if want != (len(keys) > 0) || want == (code == 2) {
			t.Fatalf("%d requests, exit status %d\n%s", len(keys), code, said)
		}
		if want && keys[0] != "Bearer sk-0123456789abcdef" {
			t.Errorf("the key is %q", keys[0])
		}
	}
	trusted(false)
	said, code := v.run("trust")
	for _, want := range []string{"texts go to    " + server.URL, "all other models", "the environment variable MY_KEY", "Trusted, until one of these lines changes"} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("%q is missing:\n%s", want, said)
		}
	}
	trusted(true)
	v.settings("# a comment, and a setting that reaches nobody\nseed: 7\n" + settings)
	trusted(true)
	for _, change := range []string{
		strings.Replace(settings, "MY_KEY", "HOME", 1), settings + "model gpt-oss:20b: paid\n", strings.Replace(settings, "key "+server.URL+": MY_KEY", "key "+server.URL+": file /etc/passwd", 1),
	} {
		v.settings(change)
		trusted(false)
	}
	v.settings(settings)
	trusted(true)
	if said, code := v.run("trust", "--list"); code != 0 || !strings.Contains(said, filepath.Base(v.dir)) || !strings.Contains(said, "key "+server.URL+": MY_KEY") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	if said, code := v.run("trust", "--remove"); code != 0 {
		t.Errorf("exit status %d\n%s", code, said)
	}
	trusted(false)
	if said, code := v.run("trust", "--remove"); code != 2 || !strings.Contains(said, "was not trusted") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	// The same settings in another folder are not trusted.
	if said, code := v.run("trust", "."); code != 0 {
		t.Fatal(said)
	}
	copied := visitStranger(t, settings)
	copied.env = v.env
	v = copied
	trusted(false)
	v.settings("seed: 7\n")
	if said, code := v.run("trust"); code != 0 || !strings.Contains(said, "names no server and no key") {
		t.Errorf("exit status %d\n%s", code, said)
	}
}
