package bert_test

import (
	"context"
	"fmt"
	"log"

	"verbatim"
	"verbatim/bert"
)

// Any folder with a BERT next-sentence model can score. Here it is the folder
// of the small model, read from disk.
func ExampleOpen() {
	model, err := bert.Open("small", bert.Auto)
	if err != nil {
		log.Fatal(err)
	}
	before := "The rain had fallen all night, and the roads were deep in mud."
	scores, err := model.Score(context.Background(), []verbatim.Pair{
		{First: before, Second: "The carriage sank to its axles before we had gone a mile."},
		{First: before, Second: "“I never liked your cousin,” replied the old lady."},
	})
	if err != nil {
		log.Fatal(err)
	}
	if scores[0] > scores[1] {
		fmt.Println("the first sentence follows better")
	} else {
		fmt.Println("the second sentence follows better")
	}
	// Output: the first sentence follows better
}
