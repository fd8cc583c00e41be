package chat_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
)

func Example() {
	server := fake.New("mistral-small:24b") // usually chat.DefaultServer, where Ollama listens
	defer server.Close()
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	client, err := chat.New(nil, chat.Model{Servers: []chat.Server{{URL: server.URL}}}, chat.Limits{MaxCalls: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	ledger, err := chat.OpenLedger(filepath.Join(dir, "ledger.jsonl"), true)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ledger.Close()

	question := verbatim.Prompt{Model: "mistral-small:24b", Messages: []verbatim.Message{{Role: "user", Content: "Is water wet?"}}}
	for range 2 { // the second answer comes from the ledger
		reply, err := client.For(ledger).Chat(context.Background(), question)
		fmt.Println(reply.Content, err)
	}
	fmt.Println(client.Stats().Calls, "call,", client.Stats().Replays, "replay")
	// Output:
	// yes <nil>
	// yes <nil>
	// 1 call, 1 replay
}
