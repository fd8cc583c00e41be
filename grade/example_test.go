package grade_test

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/grade"
)

func ExampleMatch() {
	gold := []verbatim.Item{
		{Domain: "symptom", EvidenceSpan: "dull ache above the brow"},
		{Domain: "symptom", EvidenceSpan: "mild ache"},
	}
	pred := []verbatim.Item{
		{Domain: "symptom", EvidenceSpan: "Ache"},            // takes the first gold item that contains it
		{Domain: "symptom", EvidenceSpan: "dull ache above"}, // finds it taken
		{Domain: "food", EvidenceSpan: "mild ache"},          // another domain
	}
	for _, pair := range grade.Match(gold, pred) {
		fmt.Println(pred[pair.Pred].EvidenceSpan, "->", gold[pair.Gold].EvidenceSpan)
	}
	fmt.Println(len(grade.MatchOptimal(gold, pred)), "pairs are possible")
	// Output:
	// Ache -> dull ache above the brow
	// 2 pairs are possible
}

func ExampleGate() {
	result, err := grade.Score(context.Background(), grade.Options{
		Gold: grade.FromString("gold.jsonl", `{"journal_id":"A","items":[{"domain":"food","evidence_span":"toast"},{"domain":"mind","evidence_span":"calm"}]}`),
		Pred: grade.FromString("pred.jsonl", `{"journal_id":"A","items":[{"domain":"food","evidence_span":"toast"}]}`),
	})
	if err != nil {
		panic(err)
	}
	summary := result.Summary("example")
	for _, text := range []string{"micro.precision=1", "micro.recall=0.8", "coverage=0.9"} {
		gate, err := grade.ParseGate(grade.Min, text)
		if err != nil {
			panic(err)
		}
		checked, err := grade.CheckGates([]grade.Gate{gate}, summary)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", checked[0].Verdict, checked[0].Why)
	}
	// Output:
	// passed: micro.precision is 1; the minimum is 1
	// failed: micro.recall is 0.5; the minimum is 0.8
	// failed: coverage is null; the minimum is 0.9
}
