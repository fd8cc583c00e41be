package verbatim_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A row is one line of the table "Specification and program" in ARCHITECTURE.md.
type row struct {
	line      int    // of the file
	step      string // such as "plan 2a", "generator 3" or "test 11"
	quote     string // words of the specification
	done      string // `package.Function` or a `path/`
	see       string // a command
	test      string // `package: TestName`, or the path of a script
	assertion string // what the test's failing call, or the script's check, says
}

// specificationRows reads the table, whose cells are separated by " | ".
func specificationRows(t *testing.T) (rows []row) {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "## ") {
			inside = line == "## Specification and program"
		}
		if !inside || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| step |") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		if len(cells) != 6 || slices.Contains(cells, "") {
			t.Fatalf("ARCHITECTURE.md:%d: a row has six cells, this one %d", i+1, len(cells))
		}
		rows = append(rows, row{i + 1, cells[0], cells[1], cells[2], unquoted(cells[3]), unquoted(cells[4]), unquoted(cells[5])})
	}
	if len(rows) == 0 {
		t.Fatal("ARCHITECTURE.md has no table under \"## Specification and program\"")
	}
	return rows
}

// unquoted is the text of a code span.
func unquoted(cell string) string {
	ticks := len(cell) - len(strings.TrimLeft(cell, "`"))
	return strings.TrimSpace(strings.Trim(cell, cell[:ticks]))
}

// Each row of the table names code and a command that exist, and a test that exists, can run
// here, and contains the named assertion.
func TestSpecificationTable(t *testing.T) {
	sources := newSources(os.DirFS("."))
	for _, r := range specificationRows(t) {
		if err := errors.Join(sources.checkTest(r), sources.checkDone(r), sources.checkSee(r)); err != nil {
			t.Errorf("ARCHITECTURE.md:%d: %s: %v", r.line, r.step, err)
		}
	}
}

// The specification lists twelve things that could go wrong, from 0 to 11. The
// tests of number N are called TestSpecN..., and each number has one that runs.
func TestSpecificationIsTested(t *testing.T) {
	sources := newSources(os.DirFS("."))
	name := regexp.MustCompile(`^TestSpec(\d+)[A-Z]`)
	tests := map[string][]string{}
	err := fs.WalkDir(sources.root, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		pkg, err := sources.of(path.Dir(file))
		if err != nil {
			return err
		}
		for test, functions := range pkg.tests {
			if number := name.FindStringSubmatch(test); number != nil && functions[0].file == file && pkg.runs(functions[0]) == nil {
				tests[number[1]] = append(tests[number[1]], test)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		if tests[fmt.Sprint(n)] == nil {
			t.Errorf("no test for number %d of the specification's list: no TestSpec%d...", n, n)
		}
		delete(tests, fmt.Sprint(n))
	}
	for n, names := range tests {
		t.Errorf("the specification has no number %s: %v", n, names)
	}
}

// frameLines are the lines of the specification that ask for nothing.
var frameLines = regexp.MustCompile(`^(Plan for make_cloze|[=-]+$|The overall plan is:|Script for distractor generation|Let's now outline|In other words|` +
	`4\. top-level return|Basic unit tests|Here I outline|Thanks!|"""|You are transforming|original (sentence|clause):|negation:)`)

var (
	stepLine = regexp.MustCompile(`^(\d+[ab]?)\. `)
	partLine = regexp.MustCompile(`^([a-e])\) `)
)

// specificationSteps gives each line of the specification its step: "plan 2a",
// "generator 2c", "test 11".
func specificationSteps(text string) (steps []string, lines []string) {
	section, number, part := "plan", "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "Script for distractor generation":
			section, number, part = "generator", "", ""
		case line == "Basic unit tests for this workflow":
			section, number, part = "test", "", ""
		}
		if m := stepLine.FindStringSubmatch(line); m != nil {
			number, part = m[1], ""
		}
		if m := partLine.FindStringSubmatch(line); m != nil {
			part = m[1]
		}
		steps = append(steps, strings.TrimSpace(section+" "+number+part))
		lines = append(lines, line)
	}
	return steps, lines
}

// uncovered lists what the rows miss of the specification: lines that no row
// quotes, steps without a row, and quotes that are not in their step.
func uncovered(text string, rows []row) (missing []string) {
	steps, lines := specificationSteps(text)
	byStep := map[string]string{}
	for i, line := range lines {
		byStep[steps[i]] += line + "\n"
		quotes := func(r row) bool { return r.step == steps[i] && strings.Contains(line, r.quote) }
		if line != "" && !frameLines.MatchString(line) && !slices.ContainsFunc(rows, quotes) {
			missing = append(missing, fmt.Sprintf("line %d (%s) has no row: %.60s", i+1, steps[i], line))
		}
		if stepLine.MatchString(line) && !slices.ContainsFunc(rows, func(r row) bool { return r.step == steps[i] }) {
			missing = append(missing, "no row for "+steps[i])
		}
	}
	for _, r := range rows {
		if !strings.Contains(byStep[r.step], r.quote) {
			missing = append(missing, fmt.Sprintf("ARCHITECTURE.md:%d: %q is not in %s of the specification", r.line, r.quote, r.step))
		}
	}
	return missing
}

// Every line of the specification that asks for something has a row that quotes
// it.
func TestSpecificationHasARowPerLine(t *testing.T) {
	text, err := os.ReadFile("../shared/spec/cloze.txt")
	if err != nil {
		t.Skip("no specification in ../shared/spec: ", err)
	}
	rows := specificationRows(t)
	for _, what := range uncovered(string(text), rows) {
		t.Error(what)
	}
	for _, step := range []string{"plan 2a", "generator 2c", "test 11"} {
		fewer := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.step == step })
		if !slices.Contains(uncovered(string(text), fewer), "no row for "+step) && step != "generator 2c" || len(uncovered(string(text), fewer)) == 0 {
			t.Errorf("nothing is missed without the rows of %s", step)
		}
	}
}

// A wrong row is noticed.
func TestSpecificationTableCanFail(t *testing.T) {
	sources := newSources(os.DirFS("."))
	for _, r := range specificationRows(t) {
		for what, change := range map[string]func(*row){
			"test":      func(r *row) { r.test = strings.Replace(r.test+"X", ".txtarX", "X.txtar", 1) },
			"assertion": func(r *row) { r.assertion += " that nobody wrote" },
		} {
			wrong := r
			change(&wrong)
			if sources.checkTest(wrong) == nil {
				t.Errorf("line %d: a wrong %s is not noticed: %s, %s", r.line, what, wrong.test, wrong.assertion)
			}
		}
	}
	invented := newSources(fstest.MapFS{
		"p/p.go": {Data: []byte("package p\nfunc F() {}\ntype T int\nfunc (T) M() {}\n")},
		"p/p_test.go": {Data: []byte(`package p
func TestRuns(t *testing.T) { if F() != "wanted" { t.Error("the message") }; check(t, "an argument"); open(t, "no check") }
func TestSays(t *testing.T) { t.Log("the message") /* t.Error("the message") */ ; _ = "the message" }
func TestElse(t *testing.T) { if F() == "wanted" { F() } else { t.Log(1) } }
func TestSkips(t *testing.T) { t.Skip("later"); t.Error("the message") }
func check(t *testing.T, s string) { if s == "" { t.Errorf("of the helper") } }
func open(t *testing.T, s string) {}
`)},
		"p/q_test.go":                          {Data: []byte("//go:build never\n\npackage p\nfunc TestNever(t *testing.T) { t.Error(\"the message\") }\n")},
		"cmd/verbatim/testdata/script/s.txtar": {Data: []byte("# stdout 'a comment'\nverbatim make\nstdout 'a check'\nskip\nstderr 'too late'\n-- f --\nstdout 'a file'\n")},
	})
	for _, c := range []struct {
		test, assertion string
		good            bool
	}{
		{"p: TestRuns", "the message", true},
		{"p: TestRuns", `!= "wanted"`, true},
		{"p: TestRuns", "an argument", true},
		{"p: TestRuns", "of the helper", true},
		{"p: TestRuns", "no check", false},
		{"p: TestRun", "the message", false},
		{"q: TestRuns", "the message", false},
		{"p: TestSays", "the message", false},
		{"p: TestElse", "wanted", false},
		{"p: TestSkips", "the message", false},
		{"p: TestNever", "the message", false},
		{"p: check", "of the helper", false},
		{"p: TestRuns", "", false},
		{"cmd/verbatim/testdata/script/s.txtar", "a check", true},
		{"cmd/verbatim/testdata/script/s.txtar", "a comment", false},
		{"cmd/verbatim/testdata/script/s.txtar", "verbatim make", false},
		{"cmd/verbatim/testdata/script/s.txtar", "too late", false},
		{"cmd/verbatim/testdata/script/s.txtar", "a file", false},
		{"cmd/verbatim/testdata/script/r.txtar", "a check", false},
	} {
		if err := invented.checkTest(row{test: c.test, assertion: c.assertion}); (err == nil) != c.good {
			t.Errorf("%s, %q: %v", c.test, c.assertion, err)
		}
	}
	for see, good := range map[string]bool{"verbatim make --seed=1 BOOK.txt": true, "verbatim brew": false, "verbatim make --sugar": false, "make": false} {
		if err := sources.checkSee(row{see: see}); (err == nil) != good {
			t.Errorf("to see with %q: %v", see, err)
		}
	}
	for done, good := range map[string]bool{"`p.F`": true, "`p.T`": true, "`p.T.M`": true, "`p/`": true, "`p.G`": false, "`p.T.F`": false, "`q.F`": false, "`q/`": false, "F": false} {
		if err := invented.checkDone(row{done: done}); (err == nil) != good {
			t.Errorf("done in %s: %v", done, err)
		}
	}
}
