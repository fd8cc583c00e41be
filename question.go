package verbatim

import (
	"math"
	"strconv"
)

// A Question is one line of a benchmark file: the fields of the existing
// benchmark, in the same order, and a selector for every quotation. The first
// answer is the ground truth.
type Question struct {
	MetadataFrame       string        `json:"metadata_frame"`
	MainQuestion        string        `json:"main_question"` // the masked passage, a blank line and the prompt
	SourceTitle         string        `json:"source_title"`
	SourceAuthor        string        `json:"source_author"`
	SourceDate          *int          `json:"source_date"`
	AuthorNationality   string        `json:"author_nationality"`
	SourceGenre         string        `json:"source_genre"`
	AuthorBirth         *int          `json:"author_birth"`
	AuthorProfession    string        `json:"author_profession"`
	SourceHTID          string        `json:"source_htid"`
	QuestionCategory    string        `json:"question_category"`
	QuestionProcess     string        `json:"question_process"`
	AnswerTypes         []string      `json:"answer_types"`
	AnswerStrings       []string      `json:"answer_strings"`
	AnswerProbabilities []Probability `json:"answer_probabilities"`
	Passage             string        `json:"passage"` // unmasked
	Verbatim            Provenance    `json:"verbatim"`
	Choice              *Choice       `json:"choice,omitempty"` // nil: the wrong answers that fit best
}

// A Choice says what chose the wrong answers of a question, where it was not the
// fit alone.
type Choice struct {
	By        string `json:"by"`                  // balanced
	Set       string `json:"set,omitempty"`       // hash of the closed set over which it was balanced; empty: the drafts of the book
	Questions int    `json:"questions,omitempty"` // of that set
	Unseen    int    `json:"unseen,omitempty"`    // wrong answers that no reviewer has accepted
}

// Balanced is the choice of wrong answers that give nothing away over a set.
const Balanced = "balanced"

// A Probability is 1.0 for a right answer and 0.0 for a wrong one; other values
// are allowed. In JSON it always has a decimal point, as in the benchmark.
type Probability float64

// MarshalJSON writes 1.0 and not 1.
func (p Probability) MarshalJSON() ([]byte, error) {
	text := strconv.AppendFloat(nil, float64(p), 'f', -1, 64)
	if float64(p) == math.Trunc(float64(p)) {
		text = append(text, '.', '0')
	}
	return text, nil
}

// Provenance locates each string of a question in its source.
type Provenance struct {
	SHA256      string     `json:"sha256"` // of the source
	Passage     Selector   `json:"passage"`
	GroundTruth Selector   `json:"ground_truth"`
	Answers     []Selector `json:"answers"` // one for each of AnswerStrings
}

// Claims returns the strings of a question, each once, with their selectors. The
// first answer is the ground truth.
func (q *Question) Claims() []Claim {
	claims := []Claim{{"passage", q.Passage, &q.Verbatim.Passage}}
	for i := range q.AnswerStrings {
		name := "answer"
		if i < len(q.AnswerTypes) {
			name = q.AnswerTypes[i]
		}
		switch {
		case i == 0:
			claims = append(claims, Claim{name, q.AnswerStrings[0], &q.Verbatim.GroundTruth})
		case i < len(q.Verbatim.Answers):
			claims = append(claims, Claim{name, q.AnswerStrings[i], &q.Verbatim.Answers[i]})
		}
	}
	return claims
}

// A Claim states that Text occurs where Selector points.
type Claim struct {
	Name     string
	Text     string
	Selector *Selector
}

// A Masking is a passage with one part masked, and the places of both.
type Masking struct {
	Masked    string   `json:"masked"`  // the passage with its mask
	Passage   string   `json:"passage"` // the passage without it
	Truth     string   `json:"truth"`   // the ground truth: what the mask replaces
	PassageAt Selector `json:"passage_at"`
	TruthAt   Selector `json:"truth_at"`
}

// An Option is one wrong answer, its type and its place.
type Option struct {
	Type string   `json:"type"`
	Text string   `json:"text"`
	At   Selector `json:"at"`

	// Fit is how well it fits its place in the eyes of the ranker; 0 if unknown.
	// Chosen is what chose it, where it was not the fit alone.
	Fit    float64 `json:"fit,omitempty"`
	Chosen string  `json:"chosen,omitempty"`
}
