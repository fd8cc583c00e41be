package main

import (
	"strings"
	"testing"

	"verbatim/chat"
)

func TestAdviceNamesTheFlagOrSetting(t *testing.T) {
	for _, c := range []struct {
		err  chat.Error
		want string
	}{
		{chat.Error{Kind: chat.OverBudget}, "--max-calls"},
		{chat.Error{Kind: chat.OverBudget, Tokens: 5}, "--max-tokens"},
		{chat.Error{Kind: chat.NotInLedger}, "--offline"},
		{chat.Error{Kind: chat.Deadline}, "--timeout"},
		{chat.Error{Kind: chat.Auth, Server: "https://example.org/v1"}, "`key https://example.org/v1: VARIABLE`"},
		{chat.Error{Kind: chat.ModelNotFound, Model: "m", Server: "https://example.org/v1"}, "`model m: NAME at https://example.org/v1`"},
		{chat.Error{Kind: chat.ContextExceeded, Model: "m", Tokens: 4096}, "`context m: 4096`"},
		{chat.Error{Kind: chat.ContextExceeded, Model: "m"}, "`context m: NUMBER`"},
		{chat.Error{Kind: chat.ThinkingSpentBudget, Model: "m", Tokens: 7168}, "`thinking m: 7168`"},
	} {
		if got := flags(anyFlags).modelAdvice(&c.err); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.err.Kind, got, c.want)
		}
	}
	if got := flags(anyFlags).modelAdvice(&chat.Error{Kind: chat.EmptyAnswer}); got != "" {
		t.Errorf("an empty answer: %q", got)
	}
	if got := flags(anyFlags).noticeText(chat.Notice{Topic: chat.Changed, Text: "another model"}); got != "another model; to ask again, add --no-replay" {
		t.Errorf("a changed model: %q", got)
	}
}
