module verbatim

go 1.26.0

require (
	github.com/chromedp/cdproto v0.157.8 // grade's tests: dark, print
	github.com/chromedp/chromedp v0.21.0 // grade's tests: the report in a real browser
	github.com/rogpeppe/go-internal v1.16.0 // cmd/verbatim: scripts that are manual and test at once
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // grade: what is wrong with a record, by its schema
	github.com/spf13/cobra v1.10.2 // cmd/verbatim: commands, help, completions
	github.com/spf13/pflag v1.0.9 // cmd/verbatim: the command to go on, from the flags that were set
	golang.org/x/text v0.43.0 // folder, grade: Unicode NFC
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

tool honnef.co/go/tools/cmd/staticcheck
