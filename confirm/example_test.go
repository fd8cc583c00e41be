package confirm_test

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/confirm"
)

func ExampleConfirmer_Book() {
	questions, err := confirm.Load(confirm.Embedded())
	if err != nil {
		fmt.Println(err)
		return
	}
	sentences := []verbatim.Tagged{{
		Sentence: "Nobody worked, since the great flood.",
		Tags:     []verbatim.Tag{{Name: "causalclause", Connector: "since", SentenceStart: 15, SentenceEnd: 36}},
	}}
	model := &always{answer: `{"reason": "it gives a date", "answer": "time"}`} // usually a chat.Client
	c := confirm.Confirmer{Chat: model, Questions: questions, Cap: -1}
	rejected, counts, err := c.Book(context.Background(), sentences)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(sentences[0].Tags), "tags left,", counts.Rejected, "rejected:", rejected[0].Reason)
	// Output: 0 tags left, 1 rejected: mistral-small:24b says time: it gives a date
}
