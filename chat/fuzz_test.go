package chat

import (
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"
)

// Whatever a model says, and wherever its answer is cut off, only the complete
// answer counts.
func FuzzDecode(f *testing.F) {
	f.Add("yes", "Let me think.", 20)
	f.Add(`{"done":true}`, "data: [DONE]", 90)
	f.Add("<think>\n\ndata: [DONE]\n\n</think>", `"finish_reason":"stop"`, 3)
	f.Fuzz(func(t *testing.T, content, thinking string, cut int) {
		if !utf8.ValidString(content) || !utf8.ValidString(thinking) {
			return // servers send valid UTF-8
		}
		said, thought := jsonText(content), jsonText(thinking)
		for _, whole := range []struct {
			style Style
			body  string
		}{
			{Ollama, fmt.Sprintf(`{"message":{"content":%s,"thinking":%s},"done":true,"done_reason":"stop"}`, said, thought)},
			{Ollama, fmt.Sprintf("{\"message\":{\"content\":%s,\"thinking\":%s},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}", said, thought)},
			{OpenAI, fmt.Sprintf(`{"choices":[{"message":{"content":%s,"reasoning":%s},"finish_reason":"stop"}]}`, said, thought)},
			{OpenAI, fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":%s,\"reasoning\":%s},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]", said, thought)},
		} {
			a, err := decode(whole.style, []byte(whole.body))
			if err != nil || !a.complete || jsonText(a.content) != said || jsonText(a.thinking) != thought {
				t.Fatalf("%s was read as %+v, %v", whole.body, a, err)
			}
			if cut >= 0 && cut < len(whole.body) {
				if a, _ := decode(whole.style, []byte(whole.body[:cut])); a.complete {
					t.Fatalf("%q was read as a complete answer", whole.body[:cut])
				}
			}
		}
	})
}

// A hostile server can send anything; the result is an error.
func FuzzAnyBody(f *testing.F) {
	f.Add([]byte(`{"message":{"content":"yes"},"done":true,"done_reason":"stop"}`), 200, true)
	f.Add([]byte("data: {\"choices\":[]}\n\ndata: [DONE]"), 200, false)
	f.Add([]byte(`{"error":{"message":"no"}}`), 500, true)
	f.Fuzz(func(t *testing.T, body []byte, status int, native bool) {
		m := &Model{Label: "m", Servers: []Server{{URL: "http://localhost/v1"}}}
		if native {
			m.Servers[0].URL = "http://localhost"
		}
		got := raw{status: status, body: body}
		e := got.failure(m.Servers[0])
		if e == nil {
			var a answer
			if a, e = m.read(request{Style: m.style()}, got, 0); e == nil && (!a.complete || a.content == "") {
				t.Fatalf("%q is not an answer: %+v", body, a)
			}
		}
		if e != nil && e.Kind == "" {
			t.Fatalf("the error of %d %q has no kind", status, body)
		}
	})
}

func jsonText(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
