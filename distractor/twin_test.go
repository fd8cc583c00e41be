package distractor

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"verbatim"
)

// negator answers every prompt with its last line and a "not".
type negator struct{ prompts []string }

func (n *negator) Chat(_ context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	text := p.Messages[0].Content
	n.prompts = append(n.prompts, text)
	if strings.Contains(text, "Passage:") || strings.Contains(text, "[masked") {
		return verbatim.Reply{Content: "because the moon was full of cheese"}, nil
	}
	return verbatim.Reply{Content: "because it was not so at all"}, nil
}

func twinRequest(id int) Request {
	return Request{ID: fmt.Sprint(id), Passage: "The keeper slept. He woke late, [masked].", Mask: "[masked]", Prompt: "Write a clause:",
		GroundTruth: "because the night was long", AnswerType: "clause", Types: []string{"twin"}, Offered: []string{"because the lamp was out", "because the dogs barked"}}
}

// A twin negates the ground truth or a wrong answer, each about as often as it
// should.
func TestTwinNegatesADrawnOption(t *testing.T) {
	count := map[string]int{}
	for i := range 400 {
		chat := &negator{}
		r := twinRequest(i)
		made, err := (&Generator{Chat: chat}).Make(context.Background(), r)
		if err != nil || len(made.Types) != 2 || made.Types[1] != "twin" || len(chat.prompts) != 1 {
			t.Fatalf("%v: %+v after %d prompts", err, made, len(chat.prompts))
		}
		for _, base := range append(r.Offered, r.GroundTruth) {
			if strings.Contains(chat.prompts[0], base) {
				count[base]++
			}
		}
	}
	if truths := count["because the night was long"]; truths < 115 || truths > 190 {
		t.Errorf("the ground truth is negated in %d of 400 questions, want about 150", truths)
	}
	if a, b := count["because the lamp was out"], count["because the dogs barked"]; a < 85 || b < 85 {
		t.Errorf("wrong answers are negated %d and %d times", a, b)
	}
}

// The draw decides the base; with no other option it is the ground truth.
func TestTwinsBase(t *testing.T) {
	r := twinRequest(1)
	for _, c := range []struct {
		draw float64
		want string
	}{{.01, r.GroundTruth}, {.36, r.GroundTruth}, {.39, r.Offered[0]}, {.99, r.Offered[1]}} {
		r.Draw = c.draw
		if got := r.base(nil); got != c.want {
			t.Errorf("%v: %q, want %q", c.draw, got, c.want)
		}
	}
	r.Offered, r.Draw = nil, .9
	if got := r.base(nil); got != r.GroundTruth {
		t.Errorf("no other option: %q", got)
	}
}

// Written answers get the length of a drawn option, asked for at once.
func TestDrawnLengths(t *testing.T) {
	asked := map[string]bool{}
	for i := range 60 {
		chat := &negator{}
		r := twinRequest(i)
		r.Types, r.DrawLength, r.Offered = []string{"anachronistic_m"}, true, []string{"because the lamp was out at nine and again at ten"}
		if _, err := (&Generator{Chat: chat}).Make(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{5, 11} {
			if strings.Contains(chat.prompts[0], fmt.Sprintf("(about %d words)", n)) {
				asked[fmt.Sprint(n)] = true
			}
		}
	}
	if !asked["5"] || !asked["11"] {
		t.Errorf("asked for %v words", asked)
	}
}

func TestAround(t *testing.T) {
	var ranked []Ranked
	for i := range 20 {
		ranked = append(ranked, Ranked{Index: i, Score: -float64(i)})
	}
	for _, c := range []struct {
		truth float64
		want  string
	}{{-9.5, "[0 1 2 10 11 12]"}, {1, "[0 1 2 3 4 5]"}, {-99, "[0 1 2 3 4 5]"}, {-.5, "[0 1 2 3 4 5]"}, {-18.5, "[0 1 2 3 4 19]"}} {
		var got []int
		for _, r := range Around(ranked, c.truth, 6) {
			got = append(got, r.Index)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("around %v: %v, want %s", c.truth, got, c.want)
		}
	}
}
