// Package confirm asks a language model about connectors that cards cannot decide:
// does "since" give a reason here, or the time?
//
// What you can rely on: each tag is one question, with the possible answers of its
// connector. A tag that the model rejects is returned with the model's reason. A
// call that fails keeps the tag and is counted. Cap limits how many tags of a
// category are asked about in one book, spread evenly; the others are marked as
// unconfirmed and asked about when they are drawn.
package confirm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/parallel"
)

// The values of verbatim.Tag.Confirmed besides a model.
const (
	ByRules     = "rules"
	Unconfirmed = "unchecked" // there is a model, but it has not been asked yet
)

// DefaultModel is the label of the model that confirms tags.
const DefaultModel = "mistral-small:24b"

// A Confirmer asks a model about tags.
type Confirmer struct {
	Chat      verbatim.ChatModel
	Model     string // its label; DefaultModel if empty
	Questions Questions
	Cap       int // tags of one name to ask about in one book; 0: none, negative: all
	Workers   int // parallel questions; 4 if zero
	Progress  func(done, total int)
}

// A Verdict is what a model said about a tag.
type Verdict struct {
	Keep   bool
	Answer string // one of the question's words
	Reason string
	By     string // the model and its digest
}

// Ask asks the model about one tag. previous is the sentence before.
func (c *Confirmer) Ask(ctx context.Context, previous string, s *verbatim.Tagged, tag verbatim.Tag) (Verdict, error) {
	q := c.Questions.For(tag)
	if q == nil {
		return Verdict{}, fmt.Errorf("there is no question for %s, %q", tag.Name, tag.Connector)
	}
	label := cmp.Or(c.Model, DefaultModel)
	reply, err := c.Chat.Chat(ctx, q.prompt(label, previous, s, tag))
	if err != nil {
		return Verdict{}, err
	}
	var said struct{ Answer, Reason string }
	if err := json.Unmarshal([]byte(reply.Content), &said); err != nil {
		return Verdict{}, fmt.Errorf("%s: %w: %w", label, verbatim.ErrNoAnswer, err)
	}
	at := slices.IndexFunc(q.Answers, func(a Answer) bool { return a.Word == said.Answer })
	if at < 0 {
		return Verdict{}, fmt.Errorf("%s: %w: %q is not one of the choices", label, verbatim.ErrNoAnswer, said.Answer)
	}
	v := Verdict{Keep: q.Answers[at].Keep, Answer: said.Answer, Reason: verbatim.FoldSpace(said.Reason), By: label}
	if reply.Digest != "" {
		v.By += fmt.Sprintf(" %.12s", reply.Digest)
	}
	return v, nil
}

// Counts are the results for the tags of a book.
type Counts struct {
	Asked       int `json:"asked"`
	Kept        int `json:"kept"`
	Rejected    int `json:"refused"`
	Unconfirmed int `json:"unchecked"`
	Failed      int `json:"failed"` // without an answer; the tag stays
}

// Add adds the counts of another book.
func (c *Counts) Add(other Counts) {
	c.Asked += other.Asked
	c.Kept += other.Kept
	c.Rejected += other.Rejected
	c.Unconfirmed += other.Unconfirmed
	c.Failed += other.Failed
}

// A place is one tag of a book.
type place struct{ sentence, tag int }

// Book asks about the tags of a book and changes the sentences in place: confirmed
// tags name the model, rejected ones are removed and returned. An error means that
// other calls would fail too; the sentences are then unchanged.
func (c *Confirmer) Book(ctx context.Context, sentences []verbatim.Tagged) ([]verbatim.RejectedTag, Counts, error) {
	ask, rest := c.choose(sentences)
	counts := Counts{Asked: len(ask), Unconfirmed: len(rest)}
	var verdicts []Verdict
	for v, err := range parallel.Map(ctx, cmp.Or(c.Workers, 4), verbatim.All(ask), func(ctx context.Context, p place) (Verdict, error) {
		s := &sentences[p.sentence]
		return c.Ask(ctx, before(sentences, p.sentence), s, s.Tags[p.tag])
	}) {
		switch {
		case errors.Is(err, verbatim.ErrNoAnswer):
			v = Verdict{Keep: true, By: ByRules}
			counts.Failed++
		case err != nil:
			return nil, Counts{}, err
		}
		verdicts = append(verdicts, v)
		if c.Progress != nil {
			c.Progress(len(verdicts), len(ask))
		}
	}
	for _, p := range rest {
		sentences[p.sentence].Tags[p.tag].Confirmed = Unconfirmed
	}
	rejected := apply(sentences, ask, verdicts)
	counts.Rejected = len(rejected)
	counts.Kept = len(ask) - len(rejected) - counts.Failed
	return rejected, counts, nil
}

// choose finds the tags that a model should confirm. Those to ask about are spread
// evenly over the book, for each name; the others are the rest. Both are in the
// order of the book.
func (c *Confirmer) choose(sentences []verbatim.Tagged) (ask, rest []place) {
	total, seen := map[string]int{}, map[string]int{}
	var open []place
	for i := range sentences {
		for j, tag := range sentences[i].Tags {
			if c.Questions.Open(tag) {
				open = append(open, place{i, j})
				total[tag.Name]++
			}
		}
	}
	for _, p := range open {
		name := sentences[p.sentence].Tags[p.tag].Name
		k, n := seen[name], total[name]
		seen[name]++
		// The k-th of n is chosen where k*cap/n increases: cap of them, evenly.
		if c.Cap < 0 || n <= c.Cap || (k+1)*c.Cap/n > k*c.Cap/n {
			ask = append(ask, p)
		} else {
			rest = append(rest, p)
		}
	}
	return ask, rest
}

// before is the sentence before, unless it is a heading.
func before(sentences []verbatim.Tagged, i int) string {
	if i == 0 || sentences[i-1].Heading {
		return ""
	}
	return sentences[i-1].Sentence
}

// apply writes the verdicts into the tags and removes the rejected ones.
func apply(sentences []verbatim.Tagged, asked []place, verdicts []Verdict) []verbatim.RejectedTag {
	var rejected []verbatim.RejectedTag
	for k := len(asked) - 1; k >= 0; k-- { // from the end, so that a removal moves no earlier tag
		p, v := asked[k], verdicts[k]
		s := &sentences[p.sentence]
		if v.Keep {
			s.Tags[p.tag].Confirmed = v.By
			continue
		}
		tag := s.Tags[p.tag]
		sense := strings.TrimSuffix(strings.TrimSuffix(tag.Name, "sentence"), "clause") // causal, for causalclause
		rejected = append(rejected, verbatim.RejectedTag{Index: s.Index, Sense: sense, Connector: tag.Connector, Word: tag.Word, Span: tag.Span,
			Card: tag.Card, Scope: tag.Scope, Reason: fmt.Sprintf("%s says %s: %s", v.By, v.Answer, v.Reason)})
		s.Tags = slices.Delete(s.Tags, p.tag, p.tag+1)
	}
	slices.Reverse(rejected)
	for i := range sentences {
		for j := range sentences[i].Tags {
			if tag := &sentences[i].Tags[j]; tag.Confirmed == "" {
				tag.Confirmed = ByRules
			}
		}
	}
	return rejected
}

//go:embed questions/*.txt
var embedded embed.FS

// Embedded is the folder of the built-in questions.
func Embedded() fs.FS {
	folder, err := fs.Sub(embedded, "questions")
	if err != nil {
		panic(err) // it is embedded above
	}
	return folder
}

// Questions are the files of a folder; the first that fits a tag is used.
type Questions []*Question

// A Question is one file: its tags, its text, and which answers keep a tag.
type Question struct {
	File       string
	Connectors []string // empty: any
	Tags       []string // empty: any
	Answers    []Answer
	Text       string
}

// An Answer is one of the words that the model can choose.
type Answer struct {
	Word, Meaning string
	Keep          bool
}

// Load reads the questions of several folders; a file in an earlier folder replaces
// one with the same name in a later folder.
func Load(layers ...fs.FS) (Questions, error) {
	files := map[string]*Question{"README.txt": nil}
	for _, folder := range layers {
		names, err := fs.Glob(folder, "*.txt")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if _, there := files[name]; there {
				continue
			}
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, err
			}
			if files[name], err = parse(name, strings.TrimPrefix(string(text), "\uFEFF")); err != nil {
				return nil, err
			}
		}
	}
	delete(files, "README.txt")
	if len(files) == 0 {
		return nil, errors.New("the folder contains no questions about connectors")
	}
	all := slices.Collect(maps.Values(files))
	slices.SortFunc(all, func(a, b *Question) int {
		return cmp.Or(min(len(b.Connectors), 1)-min(len(a.Connectors), 1), strings.Compare(a.File, b.File))
	})
	return all, nil
}

// Hash changes whenever a question changes. Tagged files record it: renaming a
// field of Question or Answer would make them all out of date.
func (all Questions) Hash() string {
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings and booleans only
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// parse reads one file. An error names the line and says how to fix it.
func parse(file, text string) (*Question, error) {
	q := &Question{File: file}
	number := 0
	for line := range strings.Lines(text) {
		if number++; !utf8.ValidString(line) {
			return nil, fmt.Errorf("%s:%d: this line is not valid UTF-8; save the file as UTF-8", file, number)
		}
	}
	number = 0
	for line := range strings.Lines(text) {
		number++
		key, value, colon := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case key == "" || strings.HasPrefix(key, "#"):
		case colon && key == "for":
			q.Connectors = list(value)
		case colon && key == "tags":
			q.Tags = list(value)
		case colon && key == "answer":
			parts := strings.SplitN(value, "=", 3)
			if len(parts) != 3 || !slices.Contains([]string{"keep", "drop"}, strings.TrimSpace(parts[1])) {
				return nil, fmt.Errorf("%s:%d: write an answer as WORD = keep = MEANING or WORD = drop = MEANING", file, number)
			}
			q.Answers = append(q.Answers, Answer{strings.TrimSpace(parts[0]), strings.TrimSpace(parts[2]), strings.TrimSpace(parts[1]) == "keep"})
		case colon && key == "ask":
			_, ask, _ := strings.Cut(text, "\nask:")
			q.Text = strings.TrimSpace(ask)
			return q, q.check()
		default:
			return nil, fmt.Errorf("%s:%d: start the line with `for:`, `tags:`, `answer:` or `ask:`", file, number)
		}
	}
	return q, q.check()
}

func list(value string) []string {
	var items []string
	for item := range strings.SplitSeq(value, "|") {
		items = append(items, strings.ToLower(strings.TrimSpace(item)))
	}
	return items
}

func (q *Question) check() error {
	keeps := func(a Answer) bool { return a.Keep }
	drops := func(a Answer) bool { return !a.Keep }
	switch {
	case q.Text == "":
		return fmt.Errorf("%s: the question is missing; write it after a line `ask:`", q.File)
	case !strings.Contains(q.Text, "{sentence}"):
		return fmt.Errorf("%s: the question does not show the sentence; add {sentence}", q.File)
	case !slices.ContainsFunc(q.Answers, keeps) || !slices.ContainsFunc(q.Answers, drops):
		return fmt.Errorf("%s: the question needs an answer that keeps the tag and one that drops it", q.File)
	}
	return nil
}

// For is the question for a tag, or nil.
func (all Questions) For(tag verbatim.Tag) *Question {
	for _, q := range all {
		// Causal sentences have their own question: it shows the sentence before.
		if tag.Name == "causalsentence" && !slices.Contains(q.Tags, tag.Name) {
			continue
		}
		if (len(q.Connectors) == 0 || slices.Contains(q.Connectors, strings.ToLower(tag.Connector))) &&
			(len(q.Tags) == 0 || slices.Contains(q.Tags, tag.Name)) {
			return q
		}
	}
	return nil
}

// Needs reports whether a model should confirm a tag: the tagger is not sure, the
// connector has its own question, or it is a causal sentence.
func (all Questions) Needs(tag verbatim.Tag) bool {
	q := all.For(tag)
	return q != nil && (!tag.Sure || len(q.Connectors) > 0 || tag.Name == "causalsentence")
}

// Open reports whether a model should confirm a tag and has not done so. Until then
// the tag must not become a benchmark question.
func (all Questions) Open(tag verbatim.Tag) bool {
	return all.Needs(tag) && (tag.Confirmed == "" || tag.Confirmed == ByRules || tag.Confirmed == Unconfirmed)
}

// prompt fills in the question. The ledger finds answers by these bytes: do not
// change them.
func (q *Question) prompt(model, previous string, s *verbatim.Tagged, tag verbatim.Tag) verbatim.Prompt {
	if previous == "" {
		previous = "(The book begins here.)"
	}
	fill := strings.NewReplacer("{previous}", verbatim.FoldSpace(previous), "{sentence}", verbatim.FoldSpace(s.Sentence),
		"{clause}", verbatim.FoldSpace(s.Sentence[tag.SentenceStart:tag.SentenceEnd]), "{connector}", tag.Connector)
	var text strings.Builder
	text.WriteString(fill.Replace(q.Text))
	text.WriteString("\n\nChoose one answer:\n")
	for _, a := range q.Answers {
		fmt.Fprintf(&text, "%s: %s\n", a.Word, fill.Replace(a.Meaning))
	}
	text.WriteString("\nReply in JSON: \"reason\", at most twenty words, and \"answer\", one of the words above.")
	return verbatim.Prompt{Model: model, Messages: []verbatim.Message{{Role: "user", Content: text.String()}}, Schema: q.schema()}
}

// schema allows only the words of the question. The ledger finds answers by these
// bytes too.
func (q *Question) schema() json.RawMessage {
	var words []string
	for _, a := range q.Answers {
		words = append(words, a.Word)
	}
	list, err := json.Marshal(words)
	if err != nil {
		panic(err) // strings only
	}
	return json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string"},"answer":{"type":"string","enum":` +
		string(list) + `}},"required":["reason","answer"],"additionalProperties":false}`)
}
