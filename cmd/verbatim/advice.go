package main

import (
	"fmt"

	"verbatim/chat"
)

// modelAdvice says which flag or setting helps against an error of a language model.
func modelAdvice(e *chat.Error) string {
	switch e.Kind {
	case chat.OverBudget:
		if e.Tokens > 0 {
			return "allow more with --max-tokens"
		}
		return "allow more with --max-calls"
	case chat.NotInLedger:
		return "leave out --offline to ask a server"
	case chat.Deadline:
		return "allow more time with --timeout"
	case chat.Auth:
		return fmt.Sprintf("put the key into an environment variable, and its name into settings.txt: `key %s: VARIABLE`", e.Server)
	case chat.ModelNotFound:
		return fmt.Sprintf("put the server's name for it into settings.txt: `model %s: NAME at %s`", e.Model, e.Server)
	case chat.ContextExceeded:
		if e.Tokens > 0 {
			return fmt.Sprintf("allow more in settings.txt: `context %s: %d`", e.Model, e.Tokens)
		}
		return fmt.Sprintf("allow more in settings.txt: `context %s: NUMBER`", e.Model)
	case chat.ThinkingSpentBudget:
		return fmt.Sprintf("allow more in settings.txt: `thinking %s: %d`", e.Model, e.Tokens)
	}
	return ""
}

// noticeText adds the flag that helps to a notice of the client.
func noticeText(n chat.Notice) string {
	if n.Topic == chat.Changed {
		return n.Text + "; to ask again, add --no-replay"
	}
	return n.Text
}
