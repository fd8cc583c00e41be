package verbatim

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// The fields of the existing benchmark, in the same order, and ours.
const questionFields = `metadata_frame main_question source_title source_author source_date author_nationality source_genre
	author_birth author_profession source_htid question_category question_process answer_types answer_strings
	answer_probabilities passage verbatim`

// Specification test 11: a question is written with exactly these fields, even
// if they are empty. (verbatim inspect fields compares two files.)
func TestSpec11FieldsOfAQuestion(t *testing.T) {
	for name, q := range map[string]Question{"empty": {}, "full": {MetadataFrame: "x", AnswerTypes: []string{"ground_truth"}, AnswerStrings: []string{"<a>"},
		AnswerProbabilities: []Probability{1}, Verbatim: Provenance{Answers: []Selector{{}}}}} {
		line, err := MarshalPlain(q)
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(strings.NewReader(string(line)))
		if _, err := dec.Token(); err != nil {
			t.Fatal(err)
		}
		var fields []string
		for dec.More() {
			key, err := dec.Token()
			var value json.RawMessage
			if err == nil {
				err = dec.Decode(&value)
			}
			if err != nil {
				t.Fatal(err)
			}
			fields = append(fields, key.(string))
		}
		if want := strings.Fields(questionFields); !reflect.DeepEqual(fields, want) {
			t.Errorf("%s: the fields are\n%v, not\n%v", name, fields, want)
		}
	}
}

func TestProbabilitiesHaveADecimalPoint(t *testing.T) {
	got, err := json.Marshal([]Probability{1, 0, 0.25})
	if err != nil || string(got) != "[1.0,0.0,0.25]" {
		t.Errorf("written as %s, %v", got, err)
	}
	var read []Probability
	if err := json.Unmarshal([]byte("[1, 0.0, 0.25]"), &read); err != nil || !reflect.DeepEqual(read, []Probability{1, 0, 0.25}) {
		t.Errorf("read as %v, %v", read, err)
	}
}

func TestClaimsListEveryQuotationOnce(t *testing.T) {
	q := Question{Passage: "p", AnswerStrings: []string{"a", "b"}, AnswerTypes: []string{"ground_truth", "same_book"},
		Verbatim: Provenance{Answers: []Selector{{}, {}}}}
	var names []string
	for _, c := range q.Claims() {
		names = append(names, c.Name+" "+c.Text)
	}
	if got := strings.Join(names, ", "); got != "passage p, ground_truth a, same_book b" {
		t.Errorf("the claims are %s", got)
	}
}
