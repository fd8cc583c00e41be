package chat_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/chat"
)

const apiKey = "sk-or-v1-Zz9+/=geheim%20"

// escaped writes every letter as JSON may.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		fmt.Fprintf(&out, "\\u%04x", r)
	}
	return out.String()
}

// A server that sends the key back, in whatever form, finds it in no message and
// in no line of the ledger.
func TestAKeyThatAServerSendsBackIsHidden(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("ada:" + apiKey))
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"401 with the key":     {401, `{"error":"invalid key ` + apiKey + `"}`},
		"403 as text":          {403, "no access with " + apiKey},
		"500 in an address":    {500, `{"error":"GET /v1?key=` + url.QueryEscape(apiKey) + ` failed"}`},
		"404 in a path":        {404, `{"error":"model /` + url.PathEscape(apiKey) + ` not found"}`},
		"400 with Basic":       {400, `{"error":"Authorization: Basic ` + basic + `"}`},
		"400 with JSON names":  {400, `{"error":"` + escaped(apiKey) + `"}`},
		"200 that is no model": {200, "<html>" + apiKey + "</html>"},
		"200 with an answer":   {200, `{"choices":[{"message":{"content":"Your key is ` + apiKey + `."},"finish_reason":"stop"}]}`},
		"503, then gone":       {503, apiKey},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				w.WriteHeader(answer.status)
				_, _ = w.Write([]byte(answer.body))
			}))
			defer server.Close()
			var said strings.Builder
			m := chat.Model{Label: "m", Servers: []chat.Server{{URL: server.URL + "/v1", Key: apiKey}}}
			client, err := chat.New([]chat.Model{m}, m, chat.Limits{Patience: 1})
			if err != nil {
				t.Fatal(err)
			}
			client.Notice = func(n chat.Notice) { said.WriteString(n.Text) }
			file := filepath.Join(t.TempDir(), "ledger.jsonl")
			ledger, err := chat.OpenLedger(file, true)
			if err != nil {
				t.Fatal(err)
			}
			defer ledger.Close()
			reply, err := client.For(ledger).Chat(t.Context(), verbatim.Prompt{Model: "m", Messages: []verbatim.Message{{Role: "user", Content: "hi"}}})
			for ; err != nil; err = nextError(err) {
				fmt.Fprintf(&said, "%v %+v\n", err, err)
			}
			recorded, _ := os.ReadFile(file) // an outage is not recorded
			fmt.Fprintf(&said, "%s %s", reply.Content, recorded)
			middle := base64.StdEncoding.EncodeToString([]byte("ada:" + apiKey))[8:24]
			for _, form := range []string{apiKey, url.QueryEscape(apiKey), url.PathEscape(apiKey), basic, middle, "geheim", escaped("geheim")} {
				if strings.Contains(said.String(), form) {
					t.Errorf("%q is shown or recorded:\n%s", form, said.String())
				}
			}
			if !strings.Contains(said.String(), "(secret)") {
				t.Errorf("nothing was hidden, so the test shows nothing:\n%s", said.String())
			}
		})
	}
}

func nextError(err error) error {
	if next, is := err.(interface{ Unwrap() error }); is {
		return next.Unwrap()
	}
	return nil
}

// A word that stands for a key, as local servers want it, stays in answers.
func TestAShortKeyDoesNotCutAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":[],"choices":[{"message":{"content":"The EMPTY house."},"finish_reason":"stop"}]}`))
	}))
	defer server.Close()
	m := chat.Model{Label: "m", Servers: []chat.Server{{URL: server.URL + "/v1", Key: "EMPTY"}}}
	client, err := chat.New([]chat.Model{m}, m, chat.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Chat(t.Context(), verbatim.Prompt{Model: "m", Messages: []verbatim.Message{{Role: "user", Content: "hi"}}})
	if err != nil || reply.Content != "The EMPTY house." {
		t.Errorf("got %q, %v", reply.Content, err)
	}
}

// What is wrong with a key is said before any call, and the key is not shown.
func TestBadKeysAreNamed(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "file " + path
	}
	t.Setenv("NEWLINE_KEY", "sk-geheim\nX-Evil: 1")
	t.Setenv("ESCAPE_KEY", "sk-geheim\x1b[2J")
	for value, want := range map[string]string{
		"NEWLINE_KEY":                             "the environment variable NEWLINE_KEY, which should hold the key of https://example.org/v1, has a line break in it",
		"ESCAPE_KEY":                              "ESCAPE_KEY, which should hold the key of https://example.org/v1, has a control character in it",
		"NO_SUCH_KEY":                             "the environment variable NO_SUCH_KEY, which should hold the key of https://example.org/v1, is not set",
		file("two", "sk-geheim\nsk-geheim2\n"):    "has a line break in it; it must hold the key alone, in one line",
		file("empty", "\n"):                       "which should hold the key of https://example.org/v1, is empty",
		file("large", strings.Repeat("x", 1<<20)): "is no file with a key",
		"file " + dir:                             "is no file with a key",
		"sk-geheim":                               "this looks like the key of https://example.org/v1 itself",
	} {
		setup, err := chat.ReadSetup(settings{"server": "https://example.org/v1", "key https://example.org/v1": value}, "")
		if err == nil {
			err = setup.ReadKeys()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
	setup, err := chat.ReadSetup(settings{"server": "https://example.org/v1", "key https://example.org/v1": file("good", "sk-geheim\r\n")}, "")
	if err == nil {
		err = setup.ReadKeys()
	}
	if err != nil || setup.Preset.Servers[0].Key != "sk-geheim" {
		t.Errorf("a file with one line: %v", err)
	}
}

// An address with a password or a token is rejected and not shown.
func TestAddressesWithSecrets(t *testing.T) {
	for _, address := range []string{"http://geheim@host", "http://ada:geheim@host:80/v1", "geheim@host", "ftp://geheim@host", "http://geheim%zz@host",
		"http://geheim@ho st", "https://example.org/v1?key=geheim", "https://example.org/v1#geheim", "http://geheim@"} {
		_, err := chat.ParseServer(address)
		if err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// settings are those of a test.
type settings map[string]string

func (s settings) Get(name string) (value, from string) {
	if value, there := s[name]; there {
		return value, "settings.txt:1"
	}
	return "", ""
}

func (s settings) About(kind string) []string {
	var about []string
	for name := range s {
		if first, rest, of := strings.Cut(name, " "); of && first == kind {
			about = append(about, rest)
		}
	}
	slices.Sort(about)
	return about
}
