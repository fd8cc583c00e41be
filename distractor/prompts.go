package distractor

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

//go:embed prompts/*.txt
var embedded embed.FS

// Prompts are the prompts for models and the rules for reading their answers. They
// are text files that a user's folder can replace.
type Prompts struct {
	files    map[string]string // by name
	leadIns  []*regexp.Regexp
	capitals map[string]bool
	examples []example
}

// An example in lead-ins.txt: an answer, and what must be left of it.
type example struct {
	line       int
	came, left string
}

// LoadPrompts reads the files of a folder. Files that it lacks are the built-in ones.
func LoadPrompts(folder fs.FS) (*Prompts, error) {
	p := &Prompts{files: map[string]string{}, capitals: map[string]bool{}}
	for _, name := range PromptFiles() {
		text, err := []byte(nil), fs.ErrNotExist
		if folder != nil {
			text, err = fs.ReadFile(folder, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			text, err = embedded.ReadFile("prompts/" + name)
		}
		if err != nil {
			return nil, err
		}
		p.files[name] = strings.TrimPrefix(string(text), "\uFEFF") // some editors put it at the start of a file
	}
	for line := range strings.Lines(p.files["capitals.txt"]) {
		if !strings.HasPrefix(line, "#") {
			for word := range strings.FieldsSeq(line) {
				p.capitals[word] = true
			}
		}
	}
	p.readLeadIns(p.files["lead-ins.txt"])
	return p, p.check()
}

// PromptFiles are the names of the files that LoadPrompts reads.
func PromptFiles() []string {
	names, _ := fs.Glob(embedded, "prompts/*.txt") // the pattern is good
	for i, name := range names {
		names[i] = path.Base(name)
	}
	return names
}

// standard are the built-in prompts.
var standard = func() *Prompts {
	p, err := LoadPrompts(nil)
	if err != nil {
		panic(err) // the built-in files; a test reads them
	}
	return p
}()

// check checks the placeholders of each prompt, and the examples.
func (p *Prompts) check() error {
	for _, c := range []struct{ file, placeholder string }{
		{"negation-sentence.txt", "{ground_truth_answer}"},
		{"negation-clause.txt", "{ground_truth_answer}"},
		{"anachronistic.txt", "{passage}"},
		{"anachronistic.txt", "{metadata_prefix}"},
		{"anachronistic.txt", "{prompt}"},
	} {
		if strings.Count(p.files[c.file], c.placeholder) != 1 {
			return fmt.Errorf("%s must contain %s exactly once", c.file, c.placeholder)
		}
	}
	for _, e := range p.examples {
		if got := p.strip(e.came, false); got != e.left {
			return fmt.Errorf("lead-ins.txt:%d: of %q the lead-ins leave %q, not %q", e.line, e.came, got, e.left)
		}
	}
	return nil
}

// readLeadIns makes patterns for the start of an answer from lines such as
// `here is ...:`.
func (p *Prompts) readLeadIns(text string) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if rest, is := strings.CutPrefix(line, "example:"); is {
			came, left, _ := strings.Cut(rest, "=>")
			p.examples = append(p.examples, example{number, strings.TrimSpace(came), strings.TrimSpace(left)})
			continue
		}
		words, colon := strings.CutSuffix(line, ":")
		if !colon || strings.HasPrefix(line, "#") {
			continue
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(words), ` \.\.\.`, `\b[^:\n]*`)
		pattern = strings.ReplaceAll(pattern, " ", `\s+`)
		p.leadIns = append(p.leadIns, regexp.MustCompile(`^(?i)`+pattern+`\s*:[\s*]*`))
	}
}

// negation is the prompt that asks for the negation of the ground truth.
func (p *Prompts) negation(r *Request) string {
	text := p.files["negation-sentence.txt"]
	if r.clause() {
		text = p.files["negation-clause.txt"]
	}
	return strings.Replace(strings.TrimSpace(text), "{ground_truth_answer}", r.GroundTruth, 1)
}

// anachronistic is the prompt for a model of today. words is the length to ask for,
// or 0.
func (p *Prompts) anachronistic(r *Request, t Type, words int) string {
	prefix, prompt := strings.TrimSpace(r.MetadataPrefix), strings.TrimSpace(r.Prompt)
	if t.Metadataless {
		prefix = ""
	}
	if words > 0 {
		bare, colon := strings.CutSuffix(prompt, ":")
		prompt = fmt.Sprintf("%s (about %d words)", bare, words)
		if colon {
			prompt += ":"
		}
	}
	fill := strings.NewReplacer("{metadata_prefix}", prefix, "{passage}", strings.TrimSpace(r.Passage), "{prompt}", prompt)
	return strings.TrimSpace(fill.Replace(strings.TrimSpace(p.files["anachronistic.txt"])))
}
