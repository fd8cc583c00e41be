package review_test

import (
	"strings"
	"testing"

	"verbatim/review"
)

// pageText is what the reviewer sees: one line per part of the page.
func (b *bench) pageText() string {
	var text strings.Builder
	page := b.Item().Page(false)
	text.WriteString(page.Title + "\n")
	for _, part := range page.Parts {
		text.WriteString(part.Text + "\n")
	}
	return text.String()
}

// The reviewer sees prefix, passage, prompt and ground truth, and is asked
// whether they give a good question.
func TestSpecStep7Page(t *testing.T) {
	b := newBench(t)
	text, item := b.pageText(), b.Item()
	for name, want := range map[string]string{"prefix": item.Book.Frame(), "passage": item.State.Masked, "prompt": item.Category().Prompt(), "ground truth": item.State.Truth} {
		if want == "" || strings.Count(text, want) != 1 {
			t.Errorf("the page has not one %s %q:\n%s", name, want, text)
		}
	}
	if !strings.Contains(text, "is this a good question?") {
		t.Errorf("the reviewer is not asked about the question:\n%s", text)
	}
	if strings.Contains(text, item.State.Answers[0].Text) {
		t.Errorf("a distractor is shown before the passage is accepted:\n%s", text)
	}
}

// The distractors are shown together and confirmed one by one; the reviewer can
// write one.
func TestSpecStep9Distractors(t *testing.T) {
	b := newBench(t)
	b.do("a")
	text, answers := b.pageText(), b.Item().State.Answers
	for _, a := range answers {
		if !strings.Contains(text, "undecided same_book: "+a.Text) {
			t.Errorf("a distractor is not shown with the others:\n%s", text)
		}
	}
	b.do("x", "a", "n because I say so")
	answers = b.Item().State.Answers
	if len(answers) != 4 || answers[0].Verdict != review.Rejected || answers[1].Verdict != review.Accepted || answers[2].Verdict != review.Open {
		t.Errorf("not each distractor has its own verdict: %+v", answers)
	}
	if own := answers[3]; own.Type != "manual" || own.Text != "because I say so" || own.Verdict != review.Accepted {
		t.Errorf("the manual distractor is %+v", own)
	}
}

// A question is saved only if a distractor is approved.
func TestSpecStep10NoDistractorNoQuestion(t *testing.T) {
	b := newBench(t)
	b.do("a")
	for b.Item().State.Count(review.Open) > 0 {
		b.do("x")
	}
	if err := b.Preview(); err == nil || !strings.Contains(err.Error(), "at least one wrong answer") {
		t.Errorf("a question without distractors can be saved: %v", err)
	}
	b.do("n because I say so")
	b.do("a")
	if b.Saved != 1 || b.Count("causalclause").Accepted != 1 {
		t.Errorf("with one approved distractor the question is not saved: %d", b.Saved)
	}
}
