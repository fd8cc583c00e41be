package verbatim_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// sources reads packages and scripts for the checks of the table.
type sources struct {
	root     fs.FS
	packages map[string]*sourcePackage
}

// A sourcePackage is the parsed source of a folder.
type sourcePackage struct {
	names map[string]bool        // F, T, T.M of the program
	tests map[string][]*testFunc // functions and methods of its test files, by name
}

// A testFunc is a function of a test file.
type testFunc struct {
	*ast.FuncDecl
	pkg      string // p or p_test
	file     string
	source   []byte
	start    token.Pos // of the file
	excluded bool      // by build constraints
}

func newSources(root fs.FS) *sources { return &sources{root, map[string]*sourcePackage{}} }

// of parses the package in a folder.
func (s *sources) of(dir string) (*sourcePackage, error) {
	if dir == "verbatim" {
		dir = "."
	}
	if pkg := s.packages[dir]; pkg != nil {
		return pkg, nil
	}
	here := build.Default
	here.OpenFile = func(name string) (io.ReadCloser, error) { return s.root.Open(name) }
	here.JoinPath = path.Join
	files, err := fs.Glob(s.root, path.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there is no package %s", dir)
	}
	pkg := &sourcePackage{map[string]bool{}, map[string][]*testFunc{}}
	for _, file := range files {
		source, err := fs.ReadFile(s.root, file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		match, err := here.MatchFile(dir, path.Base(file))
		if err != nil {
			return nil, err
		}
		for _, decl := range parsed.Decls {
			f, isFunc := decl.(*ast.FuncDecl)
			switch {
			case !strings.HasSuffix(file, "_test.go"):
				pkg.name(decl)
			case isFunc && f.Body != nil:
				of := &testFunc{f, parsed.Name.Name, file, source, parsed.FileStart, !match}
				pkg.tests[f.Name.Name] = append(pkg.tests[f.Name.Name], of)
			}
		}
	}
	s.packages[dir] = pkg
	return pkg, nil
}

// name notes what a declaration declares.
func (p *sourcePackage) name(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			receiver := d.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			name = fmt.Sprint(receiver) + "." + name
		}
		p.names[name] = true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch x := spec.(type) {
			case *ast.TypeSpec:
				p.names[x.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range x.Names {
					p.names[name.Name] = true
				}
			}
		}
	}
}

// runs returns an error if a test cannot run on this system.
func (p *sourcePackage) runs(f *testFunc) error {
	switch {
	case f.excluded:
		return fmt.Errorf("%s: its build constraints exclude this system", f.file)
	case f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || len(f.Type.Params.List) != 1:
		return fmt.Errorf("%s is not a test", f.Name.Name)
	}
	for _, statement := range f.Body.List {
		if x, ok := statement.(*ast.ExprStmt); ok && calls(x.X, "Skip", "Skipf", "SkipNow") {
			return fmt.Errorf("%s is always skipped", f.Name.Name)
		}
	}
	return nil
}

// calls says whether an expression calls a method of one of these names.
func calls(x ast.Node, names ...string) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	for _, name := range names {
		if ok && selector.Sel.Name == name {
			return true
		}
	}
	return false
}

func fails(x ast.Node) bool { return calls(x, "Error", "Errorf", "Fatal", "Fatalf") }

// assertions are the pieces of source that make a test fail: each call of t.Error
// and its like, the condition of the if around it, and each statement that calls
// a helper of the package's tests that fails. seen are the functions looked at.
func (p *sourcePackage) assertions(f *testFunc, seen map[*testFunc]bool) (all []string) {
	if seen[f] {
		return nil
	}
	seen[f] = true
	text := func(start, end token.Pos) string { return string(f.source[start-f.start : end-f.start]) }
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.IfStmt:
			for _, statement := range x.Body.List {
				if e, ok := statement.(*ast.ExprStmt); ok && fails(e.X) {
					all = append(all, text(x.If, x.Body.Lbrace))
				}
			}
		case *ast.ExprStmt:
			var helper *testFunc
			if call, ok := x.X.(*ast.CallExpr); ok {
				helper = p.named(f, call.Fun)
			}
			if fails(x.X) || helper != nil && !hasBody(x) && len(p.assertions(helper, map[*testFunc]bool{})) > 0 {
				all = append(all, text(x.Pos(), x.End()))
			}
		case *ast.CallExpr:
			for _, named := range append(x.Args, x.Fun) { // an argument may be a helper that is called elsewhere
				if helper := p.named(f, named); helper != nil {
					all = append(all, p.assertions(helper, seen)...)
				}
			}
		}
		return true
	})
	return all
}

// hasBody says whether a statement holds a function, whose text is no assertion
// as a whole.
func hasBody(statement ast.Stmt) (has bool) {
	ast.Inspect(statement, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		has = has || is
		return !has
	})
	return has
}

// named is the function or method of f's test files that an expression names, or
// nil.
func (p *sourcePackage) named(f *testFunc, x ast.Expr) *testFunc {
	name, method := "", false
	switch x := x.(type) {
	case *ast.Ident:
		name = x.Name
	case *ast.SelectorExpr:
		name, method = x.Sel.Name, true
	}
	for _, other := range p.tests[name] {
		if other.pkg == f.pkg && (other.Recv != nil) == method {
			return other
		}
	}
	return nil
}

// checkTest checks that the row's test exists, can run and has the assertion.
func (s *sources) checkTest(r row) error {
	if len(r.assertion) < 6 {
		return fmt.Errorf("the assertion %q is too short to say anything", r.assertion)
	}
	if strings.HasSuffix(r.test, ".txtar") {
		return s.checkScript(r)
	}
	dir, name, _ := strings.Cut(r.test, ": ")
	pkg, err := s.of(dir)
	if err != nil {
		return err
	}
	if len(pkg.tests[name]) != 1 {
		return fmt.Errorf("there is no test %s in %s", name, dir)
	}
	f := pkg.tests[name][0]
	if err := pkg.runs(f); err != nil {
		return err
	}
	for _, text := range pkg.assertions(f, map[*testFunc]bool{}) {
		if strings.Contains(text, r.assertion) {
			return nil
		}
	}
	return fmt.Errorf("%s asserts nothing with %q", name, r.assertion)
}

// Scripts are run by TestScripts and TestModelScripts in cmd/verbatim.
var (
	scriptPath  = regexp.MustCompile(`^cmd/verbatim/testdata/(script|models)/\w+\.txtar$`)
	scriptCheck = regexp.MustCompile(`^(! )?(stdout|stderr|cmp|cmpenv|grep|exists|lines|made|ranked|asked) |^! verbatim |^verbatim verify `)
)

// checkScript checks that the script has the assertion on a line that checks.
func (s *sources) checkScript(r row) error {
	text, err := fs.ReadFile(s.root, r.test)
	if err != nil || !scriptPath.MatchString(r.test) {
		return errors.Join(err, fmt.Errorf("there is no script %s that a test runs", r.test))
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "skip") || strings.HasPrefix(line, "stop") {
			break // files, or a script that goes no further
		}
		if scriptCheck.MatchString(line) && strings.Contains(line, r.assertion) {
			return nil
		}
	}
	return fmt.Errorf("%s checks nothing with %q", r.test, r.assertion)
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// checkDone checks that the code and the files that a row names exist.
func (s *sources) checkDone(r row) error {
	spans := codeSpan.FindAllStringSubmatch(r.done, -1)
	if len(spans) == 0 {
		return fmt.Errorf("%q names no code", r.done)
	}
	for _, span := range spans {
		if strings.HasSuffix(span[1], "/") || strings.HasSuffix(span[1], ".txt") {
			if _, err := fs.Stat(s.root, strings.TrimSuffix(span[1], "/")); err != nil {
				return err
			}
			continue
		}
		dir, name, _ := strings.Cut(span[1], ".")
		pkg, err := s.of(dir)
		if err != nil {
			return err
		}
		if !pkg.names[name] {
			return fmt.Errorf("%s has no %s", dir, name)
		}
	}
	return nil
}

var commandWord = regexp.MustCompile(`^[a-z]+$`)

// checkSee checks that the command that a row names, and its flags, exist.
func (s *sources) checkSee(r row) error {
	var program strings.Builder
	for _, files := range []string{"cmd/verbatim/*.go", "cmd/verbatim/help/*.txt"} {
		names, _ := fs.Glob(s.root, files)
		for _, name := range names {
			text, err := fs.ReadFile(s.root, name)
			if err != nil {
				return err
			}
			program.Write(append(text, '\n'))
		}
	}
	has := func(word string) bool {
		return regexp.MustCompile(`(?m)(^|")` + regexp.QuoteMeta(word) + `([ "]|$)`).MatchString(program.String())
	}
	words := strings.Fields(r.see)
	if len(words) < 2 || words[0] != "verbatim" || !commandWord.MatchString(words[1]) {
		return fmt.Errorf("%q is not a command", r.see)
	}
	for i, word := range words[1:] {
		flag, isFlag := strings.CutPrefix(word, "--")
		flag, _, _ = strings.Cut(flag, "=")
		if isFlag && !has(flag) || i < 2 && commandWord.MatchString(word) && !has(word) {
			return fmt.Errorf("%q: the program has no %s", r.see, word)
		}
	}
	return nil
}
