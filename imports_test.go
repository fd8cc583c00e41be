package verbatim_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which packages of ours a package may import, besides the root and
// internal, which all may. cmd/verbatim is the only place where all of them meet.
var arrows = map[string][]string{
	"":                      {}, // the root: standard library only
	"internal/durable":      {},
	"internal/parallel":     {},
	"internal/layout":       {},
	"internal/cli":          {},
	"internal/fields":       {},
	"internal/near":         {},
	"internal/period":       {},
	"internal/period/build": {}, // makes the word list
	"internal/schema":       {},
	"internal/setting":      {},

	"clean":      {},
	"sentence":   {},
	"cue":        {"sentence"},
	"tag":        {"clean", "sentence", "cue"},
	"confirm":    {},
	"book":       {},
	"distractor": {"sentence"},
	"cloze":      {"tag", "book", "distractor"},
	"review":     {"cloze"},
	"lint":       {},
	"balance":    {"lint"},
	"workspace":  {"tag", "cloze", "confirm", "distractor", "book", "review", "balance"},

	"workspace/fsck":   {"workspace", "review", "cloze", "book", "chat", "confirm"}, // chat: the lines of a ledger
	"workspace/backup": {"workspace"},

	"review/fake":     {"review", "cloze", "tag"}, // for tests only
	"review/terminal": {"review"},

	"bert":       {},
	"bert/small": {"bert"},

	"chat":      {},
	"chat/fake": {}, // for tests only

	"align":        {},
	"intake":       {},
	"journal":      {"sentence", "cue", "align"},
	"grade":        {"align"}, // a scorer must not know our extractor
	"grade/report": {"grade"},
}

// homes says where each dependency lives. One package per dependency, so
// that it can be replaced in one place. Only what the Go project itself keeps, or
// what tests need, may be in several, separated by spaces.
var homes = map[string]string{
	"github.com/spf13/cobra":                        "cmd/verbatim",
	"github.com/spf13/pflag":                        "cmd/verbatim", // cobra's own flags
	"golang.org/x/term":                             "internal/cli",
	"charm.land/bubbletea/v2":                       "review/terminal",
	"charm.land/bubbles/v2/textarea":                "review/terminal",
	"charm.land/bubbles/v2/viewport":                "review/terminal",
	"charm.land/bubbles/v2/textinput":               "review/terminal",
	"charm.land/lipgloss/v2":                        "review/terminal",
	"github.com/creack/pty":                         "cmd/verbatim", // tests only: a terminal to type into
	"github.com/hinshun/vt10x":                      "cmd/verbatim", // tests only: a screen to look at
	"golang.org/x/text/encoding/charmap":            "book",
	"github.com/rogpeppe/go-internal/testscript":    "cmd/verbatim",
	"golang.org/x/sys/cpu":                          "bert",
	"golang.org/x/text/unicode/norm":                "align book workspace bert grade",    // names of files; accents of words
	"golang.org/x/text/unicode/rangetable":          "bert",                               // the characters of Unicode 8
	"github.com/santhosh-tekuri/jsonschema/v6":      "grade internal/schema cmd/verbatim", // cmd: tests only
	"github.com/santhosh-tekuri/jsonschema/v6/kind": "grade internal/schema",
	"github.com/chromedp/chromedp":                  "grade/browser", // this and the next two: tests only
	"github.com/chromedp/chromedp/kb":               "grade/browser",
	"github.com/chromedp/cdproto/emulation":         "grade/browser",
}

func TestImportsFollowTheArrows(t *testing.T) {
	files, err := goFiles(".")
	if err != nil || len(files) < 5 {
		t.Fatalf("found %d Go files, %v", len(files), err)
	}
	for _, file := range files {
		pkg := strings.TrimPrefix(path.Dir(file), ".")
		for _, imported := range importsOf(t, file) {
			if why := forbidden(pkg, imported, strings.HasSuffix(file, "_test.go")); why != "" {
				t.Errorf("%s imports %s: %s", file, imported, why)
			}
		}
	}
}

func forbidden(pkg, imported string, test bool) string {
	ours, isOurs := strings.CutPrefix(imported+"/", "verbatim/")
	ours = strings.TrimSuffix(ours, "/")
	switch {
	case isOurs && (test || pkg == "cmd/verbatim"):
		return ""
	case isOurs:
		allowed, known := arrows[pkg]
		if !known {
			return "package " + pkg + " has no arrows yet; draw them in imports_test.go and ARCHITECTURE.md"
		}
		if shared := ours == "" || strings.HasPrefix(ours, "internal/"); !slices.Contains(allowed, ours) && !(shared && pkg != "") {
			return "there is no such arrow in ARCHITECTURE.md"
		}
	case strings.Contains(strings.Split(imported, "/")[0], "."):
		if !slices.Contains(strings.Fields(homes[imported]), pkg) {
			return "a dependency lives in one package; see homes in imports_test.go"
		}
	}
	return ""
}

func goFiles(dir string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if _, err := os.Stat(path.Join(dir, name, "go.mod")); err == nil && name != "." {
			return fs.SkipDir // tools, in a module of their own
		}
		if strings.HasSuffix(name, ".go") {
			files = append(files, name)
		}
		return err
	})
	return files, err
}

func importsOf(t *testing.T, file string) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var imports []string
	for _, spec := range parsed.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		imports = append(imports, imported)
	}
	return imports
}
