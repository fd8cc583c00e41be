package cli

import (
	"runtime"
	"strings"
)

// Quote makes one word for the shell of any string.
func Quote(s string) string { return quoteFor(runtime.GOOS, s) }

// Line is a command for the shell.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// quoteFor quotes for a POSIX shell, or for Windows, where both shells know only
// "these" and no file name can contain one.
func quoteFor(system, s string) string {
	harmless := "._-/+,=@%:"
	if system == "windows" {
		harmless = `._-/+=:\`
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(harmless, r)
	}
	switch {
	case s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0:
		return s
	case system == "windows":
		return `"` + s + `"`
	default:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
}
