package main

import (
	"runtime"
	"strings"
)

// shellQuote makes one word for the shell of any string.
func shellQuote(s string) string { return quoteFor(runtime.GOOS, s) }

// quoteFor quotes for a POSIX shell, or for Windows, where both shells know only
// "these" and no name can hold one.
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
