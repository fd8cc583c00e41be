package confirm

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"verbatim"
)

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

// A Question is one file: which tags it is for, its text, and which answers keep
// a tag.
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
