package verbatim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// phrases are patterns of words that we do not use, and what to write instead.
var phrases = []struct{ old, use string }{
	{`found wanting`, "check failed"},
	{`anew`, "again, or: rebuild"},
	{`mend(s|ed|ing)?`, "fix"},
	{`(go|goes|went|going) on`, "resume, continue"},
	{`(stands?|stood|lies) (in|at|there)`, "is in, occurs"},
	{`bears?( out)?`, "support, have"},
	{`denials?`, "negation"},
	{`(another|second|third) hands?`, "annotator, writer, reviewer"},
	{`desk`, "review session"},
	{`words to standard error`, "messages to standard error"},
	{`one \w+ a line|(object|journal|sentence|question)s? a line`, "per line"},
	{`is no terminal`, "not running in a terminal"},
	{`nobody answers`, "no language model at"},
	{`(take|takes|took|taken|taking) (it )?back`, "undo"},
	{`any longer`, "no longer"},
	{`whoever`, "anyone who, or a plain subject"},
	{`who wants`, "to ..., or: if you want"},
	{`shall`, "must, should"},
	{`told by`, "reported by, known from"},
	{`a word says so`, "say what happens"},
	{`fares? better`, "is better"},
	{`for it is`, "because it is"},
	{`(has|have) the say`, "decides"},
	{`at fault`, "is wrong"},
	{`spoilt`, "damaged, invalid"},
	{`in vain`, "without result"},
	{`of now`, "current"},
	{`put together`, "build, combine, merge"},
	{`left alone`, "not changed"},
	{`gives no question`, "has no question"},
	{`stale`, "out of date"},
	{`refus(e|es|ed|ing|al|als)`, "reject"},
	{`hidden text`, "ground truth"},
	{`lest|thereof|wherein|whence|whilst|ere|thrice`, "a word of today"},
}

// kept are names and quotations with such words: a file, keys and flags of older
// versions, keys and kinds of cards, a system's message, the prompt of questions.
var kept = regexp.MustCompile(`(?i)[\w*]*-?refused\.jsonl|refused files?|--refused|"(refused?|refuse answer|stale)"|` +
	"`?refuse:`?" + `|connection (was )?refused|refused connection|could stand in the|goes on top|"denial again"`)

// What people read is in plain modern English.
func TestPlainEnglish(t *testing.T) {
	var patterns []string
	for _, p := range phrases {
		patterns = append(patterns, p.old)
	}
	old := regexp.MustCompile(`(?i)\b(` + strings.Join(patterns, "|") + `)\b`)
	for _, p := range readable(t) {
		for _, found := range old.FindAllString(kept.ReplaceAllString(p.text, ""), -1) {
			for _, phrase := range phrases {
				if regexp.MustCompile(`(?i)^(` + phrase.old + `)$`).MatchString(found) {
					t.Errorf("%s:%d: %q; write: %s\n%s", p.file, p.line, found, phrase.use, p.text)
				}
			}
		}
	}
}

func TestPlainEnglishFindsOldPhrases(t *testing.T) {
	read := passagesOfGo(t, "x_test.go", `package x
// It goes on
// and is stale.
func TestTheDeskIsMended(t *testing.T) { t.Errorf("the %s is refused"); want("stale bread") }`)
	var lines []string
	for _, p := range read {
		lines = append(lines, p.text)
	}
	want := []string{"Test The Desk Is Mended", `"the %s is refused"`, "// It goes on", "// and is stale."}
	slices.Sort(lines)
	slices.Sort(want)
	if !slices.Equal(lines, want) {
		t.Errorf("read %q, want %q", lines, want)
	}
}

// A passage is a line that people read.
type passage struct {
	file string
	line int
	text string
}

// readable are the lines of all files that people read: documents, scripts,
// comments and strings of Go, comments of cards, descriptions of schemas.
func readable(t *testing.T) (all []passage) {
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		file = filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if file == ".git" || entry.Name() == "sample" || entry.Name() == "texts" {
				return fs.SkipDir
			}
			return nil
		case file == "phrases_test.go" || !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(file)
		all = append(all, passagesOf(t, file, string(data))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	quoted = regexp.MustCompile("`[^`]*`") // code in documents and comments
	prose  = regexp.MustCompile(`^\s*(#|why:|refuse:|drop:)`)
)

func passagesOf(t *testing.T, file, data string) []passage {
	all := func(string) bool { return true }
	switch name := filepath.Base(file); {
	case filepath.Ext(file) == ".go":
		return passagesOfGo(t, file, data)
	case filepath.Ext(file) == ".md":
		return passagesOfText(file, quoted.ReplaceAllStringFunc(data, func(code string) string {
			return strings.Repeat("\n", strings.Count(code, "\n"))
		}), all)
	case name == "README.txt", strings.HasPrefix(file, ".ci/"), strings.Contains(file, "/help/"), filepath.Ext(file) == ".json" && strings.Contains(file, "schema"):
		return passagesOfText(file, data, all)
	case name == "vocab.txt", strings.Contains(file, "testdata/") && filepath.Ext(file) != ".txtar":
		return nil
	case slices.Contains([]string{".txt", ".txtar", ".sh", ".py"}, filepath.Ext(file)):
		return passagesOfText(file, data, prose.MatchString)
	}
	return nil
}

func passagesOfText(file, data string, read func(string) bool) (all []passage) {
	number := 0
	for line := range strings.Lines(data) {
		if number++; read(line) {
			all = append(all, passage{file, number, strings.TrimSpace(line)})
		}
	}
	return all
}

var capital = regexp.MustCompile(`\B[A-Z]`)

// passagesOfGo are comments, names of functions, and strings; of a test only
// the strings of its messages, because others are texts that it tries.
func passagesOfGo(t *testing.T, file, data string) (all []passage) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, data, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	add := func(at token.Pos, text string) {
		for _, p := range passagesOfText(file, text, func(string) bool { return true }) {
			p.line += files.Position(at).Line - 1
			all = append(all, p)
		}
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			add(c.Pos(), quoted.ReplaceAllString(c.Text, ""))
		}
	}
	test := strings.HasSuffix(file, "_test.go")
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // no struct tags
			return n.Tag == nil
		case *ast.FuncDecl:
			add(n.Pos(), capital.ReplaceAllString(n.Name.Name, " $0"))
		case *ast.CallExpr:
			call, is := n.Fun.(*ast.SelectorExpr)
			if !test || !is || !strings.Contains("Errorf Fatalf Skipf Logf Error Fatal Skip Log", call.Sel.Name) {
				break
			}
			for _, arg := range n.Args {
				if s, is := arg.(*ast.BasicLit); is {
					add(s.Pos(), s.Value)
				}
			}
		case *ast.BasicLit:
			if !test && n.Kind == token.STRING {
				add(n.Pos(), n.Value)
			}
		}
		return true
	})
	return all
}
