package distractor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"verbatim"
)

// A parrot says what it was taught, and keeps the prompts.
type parrot struct {
	say   func(p verbatim.Prompt, n int) (string, error) // n: how often this model was called before
	mu    sync.Mutex
	asked []verbatim.Prompt
	count map[string]int
}

func (p *parrot) Chat(_ context.Context, prompt verbatim.Prompt) (verbatim.Reply, error) {
	p.mu.Lock()
	if p.count == nil {
		p.count = map[string]int{}
	}
	n := p.count[prompt.Model]
	p.count[prompt.Model]++
	p.asked = append(p.asked, prompt)
	p.mu.Unlock()
	text, err := p.say(prompt, n)
	return verbatim.Reply{Content: text}, err
}

func (p *parrot) prompts(model string) []string {
	var texts []string
	for _, a := range p.asked {
		if a.Model == model {
			texts = append(texts, a.Messages[0].Content)
		}
	}
	return texts
}

// isNegation: negations come from the same model as some anachronistic answers.
func isNegation(p verbatim.Prompt) bool { return strings.HasSuffix(p.Messages[0].Content, "negation:") }

func fluent(p verbatim.Prompt, _ int) (string, error) {
	if isNegation(p) {
		return "negation: But the ferry ran through the storm.", nil
	}
	return "But " + strings.Split(p.Model, "-")[0] + " had never seen the sea.", nil
}

const prefix = "The following passage comes from The Ferry, a novel published in 1891 by Ann Holt, a British author."

func sentenceRequest() Request {
	return Request{
		ID: "HWWJNQ-1", MetadataPrefix: prefix,
		Passage: "The wind rose in the night. " + contrast + " The pilot would not hear of it.",
		Prompt:  "Write a sentence appropriate for this book that could stand in the position marked by " + contrast + ":",
		Mask:    contrast, GroundTruth: "But the ferry lay still in the storm.", AnswerType: "sentence",
		Candidates: []string{"But the pilot slept.", "Yet no wind came that night.", "But the ferry lay still in the storm.", "But tea was served at five."},
	}
}

const condition = "[masked clause describing a condition]"

func clauseRequest() Request {
	return Request{
		Passage:     "We shall sail with Holt, " + condition + ". The pilot knows the sands.",
		Prompt:      "Write a clause appropriate for this book that could stand in the position marked by " + condition + ":",
		Mask:        condition,
		GroundTruth: "if the wind holds until evening",
		AnswerType:  "clause", Types: []string{"negation"},
	}
}

func ExampleGenerator_Make() {
	g := Generator{Chat: &parrot{say: fluent}, Scorer: &overlap{}}
	answers, err := g.Make(context.Background(), sentenceRequest())
	for i := range answers.Strings {
		p, _ := answers.Probabilities[i].MarshalJSON()
		fmt.Printf("%s %s: %s\n", p, answers.Types[i], answers.Strings[i])
	}
	fmt.Println(answers.Failed, err)
	// Output:
	// 1.0 ground_truth: But the ferry lay still in the storm.
	// 0.0 negation: But the ferry ran through the storm.
	// 0.0 same_book: But the pilot slept.
	// 0.0 same_book: Yet no wind came that night.
	// 0.0 anachronistic_mistral-small:24b: But mistral had never seen the sea.
	// 0.0 anachronistic_metadataless_gpt-oss:20b: But gpt had never seen the sea.
	// [] <nil>
}

func TestParseType(t *testing.T) {
	for name, want := range map[string]Type{
		"negation":                        {Kind: "negation"},
		"same_book":                       {Kind: "same_book"},
		"anachronistic_mistral-small:24b": {"anachronistic", "mistral-small:24b", false},
		"anachronistic_metadataless_mistral-small:24b":   {"anachronistic", "mistral-small:24b", true},
		"anachronistic_gpt-oss:20b":                      {"anachronistic", "gpt-oss:20b", false},
		"anachronistic_metadataless_gpt-oss:20b":         {"anachronistic", "gpt-oss:20b", true},
		"anachronistic_qwen2.5:7b-instruct":              {"anachronistic", "qwen2.5:7b-instruct", false},
		"anachronistic_metadataless_qwen2.5:7b-instruct": {"anachronistic", "qwen2.5:7b-instruct", true},
		"anchronistic_mistral-small:24b":                 {"anachronistic", "mistral-small:24b", false},
	} {
		got, err := ParseType(name)
		if err != nil || got != want || got.String() != strings.Replace(name, "anchronistic", "anachronistic", 1) {
			t.Errorf("%s: %+v, %v, written %s", name, got, err, got)
		}
	}
	for _, bad := range []string{"", "negations", "anachronistic", "anachronistic_", "anachronistic_metadataless_", "ground_truth"} {
		if got, err := ParseType(bad); err == nil {
			t.Errorf("%q was read as %+v", bad, got)
		}
	}
}

func TestSpec5ExactlyOneTypeIsMetadataless(t *testing.T) {
	drawn := map[string]int{}
	for seed := range 200 {
		r := sentenceRequest()
		r.Seed = seed
		model := &parrot{say: fluent}
		answers, err := (&Generator{Chat: model, Scorer: &overlap{}}).Make(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		bare := slices.DeleteFunc(slices.Clone(answers.Types), func(name string) bool { return !strings.Contains(name, "metadataless") })
		if len(bare) != 1 || len(answers.Types) != 6 {
			t.Fatalf("seed %d: %v", seed, answers.Types)
		}
		drawn[bare[0]]++
		for _, p := range model.asked {
			tells, without := strings.Contains(p.Messages[0].Content, prefix), strings.HasSuffix(bare[0], p.Model)
			if !isNegation(p) && tells == without {
				t.Fatalf("seed %d, %s: the prompt of %s is %q", seed, bare[0], p.Model, p.Messages[0].Content)
			}
		}
	}
	if len(drawn) != 2 || drawn["anachronistic_metadataless_gpt-oss:20b"] < 70 || drawn["anachronistic_metadataless_gpt-oss:20b"] > 130 {
		t.Errorf("200 draws gave %v", drawn)
	}
	for _, c := range [][]string{
		{"anachronistic_gpt-oss:20b", "anachronistic_metadataless_qwen2.5:7b-instruct"},
		{"negation", "same_book"},
		{"anachronistic_metadataless_gpt-oss:20b"},
	} {
		r := Request{Types: c}
		types, err := r.types()
		if err != nil || fmt.Sprint(types) != fmt.Sprint(c) {
			t.Errorf("%v was changed to %v, %v", c, types, err)
		}
	}
}

// Of several metadataless types one is kept, drawn; the others get their metadata.
func TestSpec5OneOfSeveralMetadatalessTypesIsKept(t *testing.T) {
	kept := map[string]int{}
	for seed := range 200 {
		r := sentenceRequest()
		r.Seed, r.Types = seed, []string{"anachronistic_metadataless_a", "anachronistic_b", "negation", "anachronistic_metadataless_c"}
		model := &parrot{say: fluent}
		answers, err := (&Generator{Chat: model}).Make(t.Context(), r)
		if err != nil || len(answers.Failed) != 0 {
			t.Fatal(answers, err)
		}
		kept[strings.Join(answers.Types, " ")]++
		without := 0
		for _, p := range model.asked {
			if !isNegation(p) && !strings.Contains(p.Messages[0].Content, prefix) {
				without++
				if !slices.Contains(answers.Types, "anachronistic_metadataless_"+p.Model) {
					t.Fatalf("seed %d: %s has no metadata; the types are %v", seed, p.Model, answers.Types)
				}
			}
		}
		if without != 1 {
			t.Fatalf("seed %d: %d prompts have no metadata", seed, without)
		}
	}
	first := kept["ground_truth anachronistic_metadataless_a anachronistic_b negation anachronistic_c"]
	last := kept["ground_truth anachronistic_a anachronistic_b negation anachronistic_metadataless_c"]
	if first+last != 200 || first < 70 || last < 70 {
		t.Errorf("200 draws gave %v", kept)
	}
}

func TestSpec10AnAnswerOfTheWrongLengthOrOfTwoSentencesIsRequestedOnceMore(t *testing.T) {
	long := "But " + strings.Repeat("very ", 20) + "late he came."
	for name, c := range map[string]struct {
		answers []string
		want    string // empty: none
		calls   int
	}{
		"right the first time":     {[]string{"But nobody had seen the ferry come."}, "But nobody had seen the ferry come.", 1},
		"half is enough":           {[]string{"But it lay still."}, "But it lay still.", 1},
		"too long, then too short": {[]string{long, "But nobody came."}, "", 2},
		"too short, then right": {[]string{"But no.", "But nobody had seen the ferry come."},
			"But nobody had seen the ferry come.", 2},
		"a lead-in does not count": {[]string{"Sure, here is one sentence that would fit the place marked in this old book: But it lay still."},
			"But it lay still.", 1},
		"two sentences, then right": {[]string{"But nobody came. The ferry was late.", "But nobody had seen the ferry come."},
			"But nobody had seen the ferry come.", 2},
		"two sentences twice":          {[]string{"But nobody came. The ferry was late.", "But it ran. It was very late."}, "", 2},
		"two sentences, then too long": {[]string{"But nobody came. The ferry was late.", long}, "", 2},
		"never":                        {[]string{long, long, "But nobody had seen the ferry come."}, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			model := &parrot{say: func(_ verbatim.Prompt, n int) (string, error) { return c.answers[n], nil }}
			r := sentenceRequest()
			r.Types = []string{"anachronistic_m"}
			a, err := (&Generator{Chat: model}).Make(t.Context(), r)
			got := strings.Join(a.Strings[1:], "|")
			if err != nil || got != c.want || len(model.asked) != c.calls || len(a.Failed) != 1-len(a.Strings[1:]) {
				t.Errorf("got %q, %v, %v after %d calls", got, a.Failed, err, len(model.asked))
			}
			if texts := model.prompts("m"); c.calls == 2 && (!strings.HasSuffix(texts[1], contrast+" (about 8 words):") || strings.Contains(texts[0], "about 8")) {
				t.Errorf("asked %q", texts)
			}
		})
	}
}

func TestFailedDistractorsAreLeftOutAndNamed(t *testing.T) {
	model := &parrot{say: func(p verbatim.Prompt, _ int) (string, error) {
		switch {
		case isNegation(p):
			return "But the ferry lay still in the storm", nil // unchanged
		case p.Model == "gpt-oss:20b":
			return "", fmt.Errorf("gpt-oss:20b: the budget is spent: %w", verbatim.ErrNoAnswer)
		}
		return "But the pilot slept!", nil // the same as in the book
	}}
	r := sentenceRequest()
	r.Candidates = r.Candidates[:1]
	a, err := (&Generator{Chat: model, Scorer: &overlap{}}).Make(t.Context(), r)
	if err != nil || fmt.Sprint(a.Types) != "[ground_truth same_book]" || len(a.Strings) != 2 || len(a.Probabilities) != 2 || a.Probabilities[0] != 1 || a.Probabilities[1] != 0 {
		t.Errorf("got %+v, %v", a, err)
	}
	var why []string
	for _, f := range a.Failed {
		why = append(why, f.Type+": "+f.Reason)
	}
	for i, want := range []string{"negation: the answer is the same as another", "same_book: the book has only 1 candidates",
		"mistral-small:24b: the answer is the same as another", "gpt-oss:20b: the budget is spent"} {
		if i >= len(why) || !strings.Contains(why[i], want[strings.Index(want, ": ")+2:]) {
			t.Errorf("failure %d is %q, want %q", i, why, want)
		}
	}
}

func TestSameBookWorksWithoutLanguageModels(t *testing.T) {
	a, err := (&Generator{Scorer: &overlap{}}).Make(t.Context(), sentenceRequest())
	if err != nil || fmt.Sprint(a.Types) != "[ground_truth same_book same_book]" || len(a.Failed) != 3 {
		t.Errorf("got %+v, %v", a, err)
	}
	a, err = (&Generator{}).Make(t.Context(), sentenceRequest())
	if err != nil || len(a.Strings) != 1 || len(a.Failed) != 5 {
		t.Errorf("without any model: %+v, %v", a, err)
	}
}

func TestCandidatesInThePassageOrExcludedAreNotUsed(t *testing.T) {
	r := sentenceRequest()
	r.Types = []string{"same_book", "same_book", "same_book", "same_book"}
	r.Candidates = append(r.Candidates, "The wind rose in the night.", "“The pilot would not hear of it.”")
	r.Exclude = []string{"But the pilot slept."}
	r.Ranking = 10
	a, err := (&Generator{Scorer: &overlap{}}).Make(t.Context(), r)
	if err != nil || fmt.Sprint(a.Strings[1:]) != "[Yet no wind came that night. But tea was served at five.]" || len(a.Ranking) != 2 || a.Ranking[0].Index != 1 {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestAnOutageIsAnErrorNotAMissingDistractor(t *testing.T) {
	outage := errors.New("the server is unavailable")
	g := Generator{Chat: &parrot{say: func(verbatim.Prompt, int) (string, error) { return "", outage }}, Scorer: &overlap{}}
	if a, err := g.Make(t.Context(), sentenceRequest()); !errors.Is(err, outage) {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestPlannedPromptsAreSent(t *testing.T) {
	model := &parrot{say: fluent}
	g := Generator{Chat: model, Scorer: &overlap{}}
	planned, err := g.Planned(sentenceRequest())
	if err != nil || len(planned) != 3 {
		t.Fatalf("%d planned, %v", len(planned), err)
	}
	if _, err := g.Make(t.Context(), sentenceRequest()); err != nil {
		t.Fatal(err)
	}
	for _, p := range planned {
		if !slices.ContainsFunc(model.asked, func(a verbatim.Prompt) bool { return fmt.Sprint(a) == fmt.Sprint(p) }) {
			t.Errorf("planned and not sent: %+v", p)
		}
	}
}

func TestTheSecondDistractorOfATypeHasAnotherSeed(t *testing.T) {
	model := &parrot{say: func(p verbatim.Prompt, _ int) (string, error) {
		return fmt.Sprintf("But sea number %d lay still.", p.Seed), nil
	}}
	r := sentenceRequest()
	r.Types = []string{"anachronistic_metadataless_n", "anachronistic_m", "anachronistic_m"}
	a, err := (&Generator{Chat: model}).Make(t.Context(), r)
	var seeds []string
	for _, p := range model.asked {
		seeds = append(seeds, fmt.Sprint(p.Model, p.Seed, p.Temperature > 0))
	}
	if slices.Sort(seeds); err != nil || fmt.Sprint(seeds) != "[m0 false m1 true n0 false]" || a.Strings[2] != "But sea number 1 lay still." {
		t.Errorf("asked %v: %+v, %v", seeds, a, err)
	}
}

func TestABatchCallsOneModelAfterTheOther(t *testing.T) {
	model := &parrot{say: fluent}
	var requests []Request
	for seed := range 20 {
		r := sentenceRequest()
		r.ID, r.Seed = fmt.Sprint(seed), seed
		if seed == 7 {
			r.AnswerType = "paragraph"
		}
		requests = append(requests, r)
	}
	steps := 0
	g := Generator{Chat: model, Scorer: &overlap{}, Progress: func(done, total int) {
		if steps++; done != steps || total != 19*4 {
			t.Errorf("progress %d of %d", done, total)
		}
	}}
	n := 0
	for answers, err := range g.MakeAll(t.Context(), requests) {
		if answers.ID != fmt.Sprint(n) || (err != nil) != (n == 7) || n != 7 && len(answers.Strings) != 6 {
			t.Errorf("request %d: %+v, %v", n, answers, err)
		}
		n++
	}
	changes := 0
	for i := 1; i < len(model.asked); i++ {
		if model.asked[i].Model != model.asked[i-1].Model {
			changes++
		}
	}
	if n != 20 || changes != 1 || len(model.asked) != 19*3 {
		t.Errorf("%d answers, %d calls, the model changed %d times", n, len(model.asked), changes)
	}
}

func TestABadRequestIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*Request)
		want   string
	}{
		"no passage":   {func(r *Request) { r.Passage = " " }, "no passage"},
		"no truth":     {func(r *Request) { r.GroundTruth = "" }, "no ground_truth"},
		"another mask": {func(r *Request) { r.Mask = "[mask]" }, "is not in the passage"},
		"unknown type": {func(r *Request) { r.Types = []string{"negations"} }, "not a type of distractor"},
		"neither":      {func(r *Request) { r.AnswerType = "word" }, `must be "sentence" or "clause"`},
		"empty mask":   {func(r *Request) { r.Mask = "" }, "the mask is empty"},
	} {
		r := sentenceRequest()
		c.damage(&r)
		if _, err := (&Generator{}).Make(t.Context(), r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	var r Request
	if err := json.Unmarshal([]byte(`{"distractor_types":["negation"]}`), &r); err == nil || !strings.Contains(err.Error(), `no field "distractor_types"`) {
		t.Errorf("an unknown field: %v", err)
	}
}

// The schemas have all fields of the Go types, and no others.
func TestTheSchemasHaveAllFields(t *testing.T) {
	for schema, value := range map[string]any{
		RequestSchema: Request{ID: "x", MetadataPrefix: "x", Candidates: []string{""}, Exclude: []string{""}, Types: []string{""}, Seed: 1, Ranking: 1},
		AnswersSchema: Answers{ID: "x", Failed: []Failure{{}}, Ranking: []Ranked{{}}, SetAside: []Aside{{}}, Error: "x"},
	} {
		var documented struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		if err := json.Unmarshal([]byte(schema), &documented); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(value)
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(text, &fields)
		for name := range fields {
			if documented.Properties[name] == nil {
				t.Errorf("field %s is not in the schema", name)
			}
		}
		for name := range documented.Properties {
			if fields[name] == nil {
				t.Errorf("the schema has a field %s that does not exist", name)
			}
		}
	}
}
