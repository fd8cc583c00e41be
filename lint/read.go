package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// A Map names the fields of a file of questions. A name may be a path with dots;
// Options may be several fields joined by +. An empty name stands for the usual
// ones.
type Map struct {
	Question, Options, Answer, ID, Book, Category string
}

// ParseMap reads "question=stem,options=A+B+C,answer=key".
func ParseMap(text string) (Map, error) {
	var m Map
	for part := range strings.SplitSeq(text, ",") {
		name, field, ok := strings.Cut(strings.TrimSpace(part), "=")
		into := map[string]*string{"question": &m.Question, "options": &m.Options, "answer": &m.Answer,
			"id": &m.ID, "book": &m.Book, "category": &m.Category}[name]
		if !ok || into == nil || field == "" {
			return m, fmt.Errorf("%q: write NAME=FIELD with question, options, answer, id, book or category for NAME", part)
		}
		*into = field
	}
	return m, nil
}

// A Reader reads questions, drafts, or anybody's multiple-choice questions.
type Reader struct {
	Map    Map
	Drafts int // of a draft, take so many same-book answers, the best first; 0: those that it offers
}

// Read reads a file of JSON Lines. Lines that are no questions are errors with
// their places; the others are read all the same.
func (r *Reader) Read(in io.Reader, file string) (questions []*Question, wrong []error) {
	var answers []json.RawMessage // of foreign questions, understood when all are there
	var foreign []*Question
	for line, err := range verbatim.Lines(in, file) {
		q, answer, err := r.line(line, err)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case q != nil:
			questions = append(questions, q)
			if answer != nil {
				foreign, answers = append(foreign, q), append(answers, answer)
			}
		}
	}
	base := indexBase(foreign, answers)
	for i, q := range foreign {
		if err := q.setAnswer(answers[i], base); err != nil {
			wrong = append(wrong, &verbatim.LineError{File: file, Line: q.Line, What: err.Error(),
				Remedy: "the answer must be the number, the letter or the text of an option"})
			questions = slices.DeleteFunc(questions, func(x *Question) bool { return x == q })
		}
	}
	return questions, wrong
}

// line reads one line. answer is nil where the ground truth is known already.
func (r *Reader) line(line verbatim.Line, err error) (q *Question, answer json.RawMessage, _ error) {
	if err != nil {
		return nil, nil, err
	}
	if len(bytes.TrimSpace(line.Text)) == 0 {
		return nil, nil, nil
	}
	bad := func(what, remedy string) error {
		return &verbatim.LineError{File: line.File, Line: line.Number, What: what, Remedy: remedy}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line.Text, &fields); err != nil {
		return nil, nil, bad("not a JSON object: "+err.Error(), "one question per line, as JSON")
	}
	switch {
	case r.Map == (Map{}) && fields["answer_strings"] != nil:
		q, err = ours(line.Text)
	case r.Map == (Map{}) && fields["masked"] != nil && fields["truth"] != nil:
		q, err = r.draft(line.Text)
	default:
		q, answer, err = r.foreign(fields)
	}
	if err != nil {
		return nil, nil, bad(err.Error(), "see the help for the fields of a question")
	}
	if len(q.Options) < 2 {
		return nil, nil, bad("the question has fewer than two options", "leave it out, or give it a wrong answer")
	}
	q.File, q.Line, q.Licence = line.File, line.Number, fields["licence"] != nil || fields["license"] != nil || fields["rights"] != nil
	q.ID = cmp.Or(q.ID, fmt.Sprintf("%s:%d", filepath.Base(line.File), line.Number))
	q.Book = cmp.Or(q.Book, filepath.Base(line.File))
	return q, answer, nil
}

// ours reads a question of the benchmark.
func ours(text []byte) (*Question, error) {
	var d struct {
		verbatim.Question
		ID         string `json:"id"`
		Barcode    string `json:"barcode"`
		SourceDate any    `json:"source_date"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	q := &Question{ID: d.ID, Book: cmp.Or(d.Barcode, d.SourceHTID, d.SourceTitle), Category: strings.ReplaceAll(d.QuestionCategory, "cloze_", ""),
		Options: d.AnswerStrings, Types: d.AnswerTypes, Passage: d.MainQuestion, Ours: true,
		Fields: map[string]string{"source_title": d.SourceTitle, "source_author": d.SourceAuthor, "source_date": scalar(d.SourceDate), "sha256": d.Verbatim.SHA256}}
	q.Mask, q.Clause = maskPattern.FindString(d.MainQuestion), strings.HasSuffix(q.Category, "clause")
	if year, ok := d.SourceDate.(float64); ok {
		q.Year = int(year)
	}
	if d.Choice != nil {
		q.Choice = d.Choice.By
	}
	return q, nil
}

func scalar(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// draft reads a draft.
func (r *Reader) draft(text []byte) (*Question, error) {
	var d struct {
		ID, Barcode, Category, Masked, Truth string
		TruthFit                             float64 `json:"truth_fit"`
		Options, Reserve                     []verbatim.Option
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	q := &Question{ID: d.ID, Book: d.Barcode, Category: d.Category, Passage: d.Masked, Mask: maskPattern.FindString(d.Masked),
		Options: []string{d.Truth}, Types: []string{"ground_truth"}, Clause: strings.HasSuffix(d.Category, "clause"), Fit: []float64{d.TruthFit}}
	options := d.Options
	if r.Drafts > 0 {
		options = slices.DeleteFunc(slices.Concat(d.Options, d.Reserve), func(o verbatim.Option) bool { return o.Type != "same_book" })
		slices.SortStableFunc(options, func(a, b verbatim.Option) int { return cmp.Compare(b.Fit, a.Fit) })
		options = options[:min(r.Drafts, len(options))]
	}
	for _, o := range options {
		q.Options, q.Types, q.Fit = append(q.Options, o.Text), append(q.Types, o.Type), append(q.Fit, o.Fit)
		if r.Drafts == 0 {
			q.Choice = cmp.Or(q.Choice, o.Chosen)
		}
	}
	if slices.Contains(q.Fit, 0) {
		q.Fit = nil // not all are known
	}
	return q, nil
}

// foreign reads a question of somebody else. Its options keep the order of the
// file until the answer is understood.
func (r *Reader) foreign(fields map[string]json.RawMessage) (*Question, json.RawMessage, error) {
	m := r.Map
	q := &Question{}
	q.Passage = textOf(lookup(fields, m.Question, "question", "stem", "query", "prompt", "ctx", "context", "sentence"))
	q.ID = textOf(lookup(fields, m.ID, "id", "qid", "question_id"))
	q.Book = textOf(lookup(fields, m.Book, "book", "source", "document", "title"))
	q.Category = textOf(lookup(fields, m.Category, "category", "subject", "type"))
	var labels []string
	if names := strings.Split(m.Options, "+"); len(names) > 1 {
		for _, name := range names {
			q.Options, labels = append(q.Options, textOf(lookup(fields, name))), append(labels, name)
		}
	} else {
		q.Options, labels = optionsOf(lookup(fields, m.Options, "options", "choices", "endings", "candidates", "answers"))
	}
	if len(q.Options) == 0 {
		return nil, nil, errors.New("no options in it: name the field or fields that hold them")
	}
	if slices.Contains(q.Options, "") {
		return nil, nil, errors.New("an option is empty or missing")
	}
	answer := lookup(fields, m.Answer, "answer", "label", "gold", "target", "answerKey", "correct", "correct_answer", "answer_index")
	if answer == nil {
		return nil, nil, errors.New("no answer in it: name the field that says which option is right")
	}
	q.Fields = map[string]string{"labels": strings.Join(labels, "\x00")}
	return q, answer, nil
}

// lookup is the first field that is there; name, if given, is the only one.
func lookup(fields map[string]json.RawMessage, name string, usual ...string) json.RawMessage {
	if name != "" {
		usual = []string{name}
	}
	for _, name := range usual {
		here, rest, deeper := strings.Cut(name, ".")
		if value := fields[name]; value != nil {
			return value
		}
		var inner map[string]json.RawMessage
		if deeper && json.Unmarshal(fields[here], &inner) == nil {
			if value := lookup(inner, rest); value != nil {
				return value
			}
		}
	}
	return nil
}

// textOf is a string, or a number or the like as it stands.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) == nil && object != nil {
		return textOf(lookup(object, "", "text", "stem", "content"))
	}
	if s := string(value); s != "null" {
		return s
	}
	return ""
}

// optionsOf reads a list of texts, a list of objects with a text and a label, or
// an object with two lists.
func optionsOf(value json.RawMessage) (texts, labels []string) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		for _, item := range list {
			texts = append(texts, textOf(item))
			var object map[string]json.RawMessage
			if json.Unmarshal(item, &object) == nil && object["label"] != nil {
				labels = append(labels, textOf(object["label"]))
			}
		}
		return texts, labels
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil {
		return nil, nil
	}
	if object["text"] != nil {
		texts, _ = optionsOf(object["text"])
		labels, _ = optionsOf(object["label"])
		return texts, labels
	}
	for _, key := range sortedKeys(object) { // {"A": "...", "B": "..."}
		texts, labels = append(texts, textOf(object[key])), append(labels, key)
	}
	return texts, labels
}

func sortedKeys(object map[string]json.RawMessage) []string {
	var keys []string
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// indexBase says whether numbers count from 0 or from 1: from 1 if 0 never occurs
// and the number of options does.
func indexBase(questions []*Question, answers []json.RawMessage) int {
	base := 0
	for i, q := range questions {
		switch n, err := strconv.Atoi(textOf(answers[i])); {
		case err != nil:
		case n == 0:
			return 0
		case n == len(q.Options):
			base = 1
		}
	}
	return base
}

// setAnswer puts the ground truth first.
func (q *Question) setAnswer(answer json.RawMessage, base int) error {
	text := textOf(answer)
	labels := strings.Split(q.Fields["labels"], "\x00")
	q.Fields = nil
	at := slices.Index(labels, text)
	if q.Options[0] != "" && (at < 0 || text == "") {
		at = slices.IndexFunc(q.Options, func(o string) bool { return o == text })
	}
	if n, err := strconv.Atoi(text); at < 0 && err == nil {
		at = n - base
	}
	if letter := strings.ToUpper(strings.Trim(text, " ().")); at < 0 && len(letter) == 1 && letter >= "A" && letter <= "Z" {
		at = int(letter[0] - 'A')
	}
	if at < 0 {
		at = slices.IndexFunc(q.Options, func(o string) bool { return Same(o, text) })
	}
	if at < 0 || at >= len(q.Options) {
		return fmt.Errorf("the answer %s is none of the %d options", short(text), len(q.Options))
	}
	q.Position = at
	q.Options[0], q.Options[at] = q.Options[at], q.Options[0]
	return nil
}
