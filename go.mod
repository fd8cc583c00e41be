module verbatim

go 1.26.0

require (
	charm.land/bubbles/v2 v2.2.1 // review/terminal: a field to type into, a page to scroll
	charm.land/bubbletea/v2 v2.0.9 // review/terminal: the screen
	charm.land/lipgloss/v2 v2.0.6 // review/terminal: bold and reverse, where the terminal has them
	github.com/chromedp/cdproto v0.157.8 // grade/browser's tests: dark, print
	github.com/chromedp/chromedp v0.21.0 // grade/browser's tests: the report in a real browser
	github.com/creack/pty v1.1.24 // cmd's tests: a terminal to type into
	github.com/hinshun/vt10x v0.0.0-20220301184237-5011da428d02 // cmd's tests: a screen to look at
	github.com/rogpeppe/go-internal v1.16.0 // cmd's tests: scripts that are manual and test at once
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // grade, internal/schema: does JSON match its schema?
	github.com/spf13/cobra v1.10.2 // cmd: commands, help, completions
	github.com/spf13/pflag v1.0.9 // cmd: the command to go on, from the flags that were set
	golang.org/x/sys v0.49.0 // bert: what the processor can do
	golang.org/x/term v0.47.0 // cmd: does a person sit here?
	golang.org/x/text v0.43.0 // bert, book, folder, grade: Unicode normal forms; book: old character sets
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/atotto/clipboard v0.1.4 // indirect
	github.com/charmbracelet/colorprofile v0.4.3 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20260811164956-006e29f97886 // indirect
	github.com/charmbracelet/x/ansi v0.11.8 // indirect
	github.com/charmbracelet/x/term v0.2.2 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-runewidth v0.0.27 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/xo/terminfo v0.0.0-20220910002029-abceb7e1c41e // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

tool honnef.co/go/tools/cmd/staticcheck
