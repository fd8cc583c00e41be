package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"verbatim/chat"
	"verbatim/cloze"
	"verbatim/workspace"
)

var (
	namedCommand = regexp.MustCompile(`verbatim((?: [a-z][a-z-]*)+)([^\n";` + "`" + `]*)`)
	bareFlag     = regexp.MustCompile(`--([a-z][a-z-]*)`)
)

// wrongFlags are the flags in a message that its reader cannot type: those of a
// named command that it does not have, and others that the command which runs
// does not have. run may be nil: then only named commands are looked at.
func wrongFlags(root, run *cobra.Command, text string) (wrong []string) {
	rest := namedCommand.ReplaceAllStringFunc(text, func(part string) string {
		found := namedCommand.FindStringSubmatch(part)
		cmd, _, err := root.Find(strings.Fields(found[1]))
		if err != nil || cmd == root {
			return part // not a command
		}
		for _, f := range bareFlag.FindAllStringSubmatch(found[2], -1) {
			if cmd.Flags().Lookup(f[1]) == nil && f[1] != "help" {
				wrong = append(wrong, cmd.CommandPath()+" --"+f[1])
			}
		}
		return ""
	})
	if run == nil {
		return wrong
	}
	for _, f := range bareFlag.FindAllStringSubmatch(rest, -1) {
		if run.Flags().Lookup(f[1]) == nil {
			wrong = append(wrong, run.CommandPath()+" --"+f[1])
		}
	}
	return wrong
}

// Advice about an error names only flags that the command which runs has, and
// commands with the flags that they have.
func TestAdviceNamesOnlyFlagsThatExist(t *testing.T) {
	root := rootCommand()
	if len(wrongFlags(root, nil, "type: verbatim review --dir x")) != 1 || len(wrongFlags(root, reviewCommand(), "choose another with --dir")) != 1 {
		t.Fatal("the test finds nothing")
	}
	errs := []error{&workspace.TagsOutOfDateError{File: "process_files/a-tagged.jsonl", Text: "a.txt"}, &workspace.OutdatedError{Barcode: "a"},
		&workspace.TooShortError{Best: "causalclause"}, &workspace.NoTextError{}, &workspace.EditedError{}, &workspace.NotWritableError{},
		cloze.ErrSameAnswer, workspace.ErrNoFolder, errors.New("another")}
	eachCommand(root, func(name string, cmd *cobra.Command) {
		has := flagsOf(cmd)
		var texts []string
		for _, err := range errs {
			texts = append(texts, advice(err, has))
		}
		for _, kind := range []chat.Kind{chat.OverBudget, chat.NotInLedger, chat.Deadline, chat.Auth, chat.ModelNotFound, chat.ContextExceeded, chat.ThinkingSpentBudget} {
			texts = append(texts, has.modelAdvice(&chat.Error{Kind: kind}), has.modelAdvice(&chat.Error{Kind: kind, Tokens: 9}))
		}
		texts = append(texts, has.noticeText(chat.Notice{Topic: chat.Changed}))
		for _, text := range texts {
			if wrong := wrongFlags(root, cmd, text); len(wrong) > 0 {
				t.Errorf("%s advises %q, but there is no %v", name, text, wrong)
			}
		}
	})
}

// Every command that a message, a help text or the README names has the flags
// that they name, also where a call builds them.
func TestMessagesNameOnlyFlagsThatExist(t *testing.T) {
	root := rootCommand()
	files, _ := filepath.Glob("*.go")
	for _, pattern := range []string{"../../workspace/*.go", "../../review/*.go", "../../review/*/*.go", "../../chat/*.go"} {
		more, _ := filepath.Glob(pattern)
		files = append(files, more...)
	}
	looked := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			texts := []string{}
			switch n := n.(type) {
			case *ast.BasicLit:
				texts = append(texts, literal(n))
			case *ast.CallExpr:
				texts = append(texts, commandOf(n))
			}
			for _, text := range texts {
				looked += strings.Count(text, "verbatim ")
				if wrong := wrongFlags(root, nil, text); len(wrong) > 0 {
					t.Errorf("%s: %q: there is no %v", file, text, wrong)
				}
			}
			return true
		})
	}
	if looked < 20 {
		t.Errorf("only %d commands were looked at", looked)
	}
	texts, _ := filepath.Glob("help/*.txt")
	for _, file := range append(texts, "../../README.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := wrongFlags(root, nil, string(data)); len(wrong) > 0 {
			t.Errorf("%s: there is no %v", file, wrong)
		}
	}
}

func literal(e ast.Expr) string {
	if l, is := e.(*ast.BasicLit); is && l.Kind == token.STRING {
		text, _ := strconv.Unquote(l.Value)
		return text
	}
	return ""
}

// commandOf is the command that a call builds: cli.Line("verbatim",
// "review", "--decided", dir), p.command("review", ...), bookLine(dir, path,
// "describe", ...).
func commandOf(call *ast.CallExpr) string {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	if !slices.Contains([]string{"Line", "command", "bookLine", "draftCommand", "describeCommand"}, name) {
		return ""
	}
	words := []string{}
	for _, arg := range call.Args {
		if text := literal(arg); text != "" && text != "verbatim" {
			words = append(words, text)
		}
	}
	before := map[string]string{"draftCommand": "make --batch ", "describeCommand": "describe "}[name]
	return "verbatim " + before + strings.Join(words, " ")
}
