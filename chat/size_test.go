package chat

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
)

// allocated is the number of bytes that a function allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// What a server sends costs memory in proportion to its size, not to the square.
func TestHostileBodiesCostLinearMemory(t *testing.T) {
	const n = 3000
	nested := strings.Repeat(`{"error":`, n) + `"no"` + strings.Repeat("}", n)
	details := strings.Repeat(`{"detail":`, n) + `"no"` + strings.Repeat("}", n)
	events := strings.Repeat(`data: {"choices":[{"delta":{"content":"word ","reasoning":"hm"}}]}`+"\n\n", n)
	lines := strings.Repeat(`{"message":{"content":"word ","thinking":"hm"}}`+"\n", n)
	for name, c := range map[string]struct {
		body string
		read func(body []byte)
	}{
		"nested errors":     {nested, func(b []byte) { errorText(b) }},
		"nested details":    {details, func(b []byte) { errorText(b) }},
		"an error in a 200": {nested, func(b []byte) { _, _ = decode(OpenAI, b) }},
		"events":            {events, func(b []byte) { _, _ = decode(OpenAI, b) }},
		"lines":             {lines, func(b []byte) { _, _ = decode(Ollama, b) }},
	} {
		body := []byte(c.body)
		if got, most := allocated(func() { c.read(body) }), 50*len(body); got > most {
			t.Errorf("%s: %d bytes allocated for a body of %d", name, got, len(body))
		}
	}
}

func TestTheMessageOfANestedErrorIsFound(t *testing.T) {
	for body, want := range map[string]string{
		`"no"`:                       "no",
		`{"error":"no"}`:             "no",
		`{"error":{"message":"no"}}`: "no",
		`{"error":null,"detail":{"error":{"message":"no"}}}`: "no",
		`{"message":"no"}`:          "no",
		`{}`:                        "",
		" <p> no\n page </p>":       "<p> no page </p>",
		`{"detail":[{"msg":"no"}]}`: `[{"msg":"no"}]`,
	} {
		if got := errorText([]byte(body)); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}

// canned answers every chat call with the same response, and other calls with {}.
type canned struct {
	status int
	body   string
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/api/chat" {
		c = canned{http.StatusOK, "{}"}
	}
	return &http.Response{StatusCode: c.status, Body: io.NopCloser(strings.NewReader(c.body)), Request: r}, nil
}

// Of a failed call the ledger keeps 4 KB, however much the server sent.
func TestTheLedgerKeepsTheStartOfAFailedBody(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	c, err := New(nil, Model{}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	m := c.model("m")
	answerTo := func(status int, body string) exchange {
		c.http.Transport = canned{status, body}
		return c.exchange(t.Context(), c.pool.host(m.Servers[0]), m, m.compose(verbatim.Prompt{Model: "m"}))
	}
	for _, failed := range []canned{
		{http.StatusInternalServerError, long},
		{http.StatusBadRequest, `{"error":"` + long + `"}`},
		{http.StatusBadRequest, `{"error":{"message":"` + long + `"}}`},
		{http.StatusOK, `{"error":"` + long + `"}`},
		{http.StatusOK, `{"message":{"content":"yes"},"done":true,"done_reason":"length","more":"` + long + `"}`},
		{http.StatusOK, `{"message":{"content":""},"done":true,"done_reason":"` + long + `"}`},
	} {
		x := answerTo(failed.status, failed.body)
		if x.err == nil || len(x.err.Error()) > 5<<10 {
			t.Fatalf("%.80s: the error is %.80v", failed.body, x.err)
		}
		for field, text := range map[string]string{"response": x.entry.Response, "error": x.entry.Error, "reason": x.entry.Reason} {
			if len(text) > 4<<10 || !utf8.ValidString(text) {
				t.Errorf("%.80s: the %s has %d bytes", failed.body, field, len(text))
			}
		}
		if len(x.entry.Response) < 4<<10-8 {
			t.Errorf("%.80s: only %d bytes are kept", failed.body, len(x.entry.Response))
		}
	}
	whole := `{"message":{"content":"` + long + `"},"done":true,"done_reason":"stop"}`
	if x := answerTo(http.StatusOK, whole); x.err != nil || x.entry.Response != whole {
		t.Errorf("%d of %d bytes of an answer are kept, %v", len(x.entry.Response), len(whole), x.err)
	}
}
