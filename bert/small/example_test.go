package small_test

import (
	"context"
	"fmt"
	"log"

	"verbatim"
	"verbatim/bert"
	"verbatim/bert/small"
)

// Which of two sentences follows better? Compare their scores: the numbers
// themselves are too low to read as probabilities (see MODEL.md).
func Example() {
	model, err := small.Open(bert.Auto)
	if err != nil {
		log.Fatal(err)
	}
	before := "She asked him where he had left the key."
	candidates := []string{
		"The treaty of that year gave the northern provinces to the crown.",
		"“It is in my coat,” he said, “where it always is.”",
	}
	var pairs []verbatim.Pair
	for _, next := range candidates {
		pairs = append(pairs, verbatim.Pair{First: before, Second: next})
	}
	scores, err := model.Score(context.Background(), pairs)
	if err != nil {
		log.Fatal(err)
	}
	best := 0
	for i := range scores {
		if scores[i] > scores[best] {
			best = i
		}
	}
	fmt.Println(candidates[best])
	// Output: “It is in my coat,” he said, “where it always is.”
}
