package distractor

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/sentence"
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
		number := 0
		for line := range bytes.Lines(text) {
			if number++; !utf8.Valid(line) {
				return nil, &verbatim.LineError{File: name, Line: number, What: "this line is not valid UTF-8", Remedy: "save the file as UTF-8"}
			}
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

// readLeadIns makes patterns for lead-ins from lines such as `here is ...:`.
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

// anachronistic is the prompt for a model of today. words is a length, or 0.
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

const severalSentences = "the answer is several sentences"

// shape gives a model's answer the form of the ground truth, or says why it cannot
// be used. The words stay: only lead-ins, quotation marks, the case of the first
// letter and the final punctuation change.
func (p *Prompts) shape(answer string, r *Request) (text, rejected string) {
	text = answer
	for before := "\x00"; text != before; { // a lead-in may follow the mask, or the mask a lead-in
		before = text
		text = p.strip(text, isQuoted(r.GroundTruth))
		text = strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(text, r.Mask), ":"))
	}
	switch {
	case strings.IndexFunc(text, unicode.IsLetter) < 0:
		return "", "no words are left of the answer without its lead-in"
	case strings.Contains(text, r.Mask):
		return "", "the answer repeats the mask"
	case len(split(text)) > max(1, len(split(r.GroundTruth))):
		return "", severalSentences
	}
	if text = verbatim.FoldSpace(text); r.clause() {
		text = p.likeClause(text, r)
	} else {
		text = likeSentence(text)
	}
	// A new final stop can complete quotation marks around the whole text. Removing
	// them takes two marks for each stop, so this ends.
	if p.strip(text, isQuoted(r.GroundTruth)) != text {
		return p.shape(text, r)
	}
	return text, ""
}

// split is the sentences of a text.
func split(text string) []string {
	var all []string
	for s := range sentence.SplitText(text) {
		all = append(all, text[s.Start:s.End])
	}
	return all
}

// strip removes lead-ins, emphasis and quotation marks around the whole text.
func (p *Prompts) strip(text string, keepQuotes bool) string {
	for before := ""; text != before; {
		before = text
		text = strings.TrimSpace(text)
		for _, mark := range []string{"**", "```", "*", "`"} {
			text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, mark), mark))
		}
		for _, leadIn := range p.leadIns {
			text = text[len(leadIn.FindString(text)):]
		}
		if !keepQuotes {
			text = unquote(text)
		}
	}
	return text
}

var quotationMarks = map[rune]rune{'"': '"', '“': '”', '‘': '’', '\'': '\'', '«': '»'}

// unquote removes quotation marks around the whole text. Speech that is interrupted
// and continued keeps its marks.
func unquote(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	closing, is := quotationMarks[first]
	if !is {
		return text
	}
	bare := strings.TrimRight(text, ".!?…,;: ") // also "It ran". and "Did it run"?
	stop := text[len(bare):]
	inner, found := strings.CutSuffix(bare[min(size, len(bare)):], string(closing))
	if !found || strings.ContainsRune(inner, first) && first != '\'' && first != '‘' {
		return text
	}
	if last, _ := utf8.DecodeLastRuneInString(inner); strings.ContainsRune(".!?…", last) {
		return inner
	}
	return inner + stop
}

func isQuoted(text string) bool { return unquote(strings.TrimSpace(text)) != strings.TrimSpace(text) }

func likeSentence(text string) string {
	at := strings.IndexFunc(text, unicode.IsLetter)
	if strings.IndexFunc(text[:at], unicode.IsDigit) < 0 {
		first, size := utf8.DecodeRuneInString(text[at:])
		text = text[:at] + string(unicode.ToUpper(first)) + text[at+size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’)]»`)); !strings.ContainsRune(".?!…", last) {
		text = strings.TrimRight(text, ",;:-–— ") + "."
	}
	return text
}

func (p *Prompts) likeClause(text string, r *Request) string {
	text = strings.TrimRight(text, ".,;:!?…*` ")
	word, _, _ := strings.Cut(text, " ")
	if word == "" || p.keepsCapital(strings.Trim(word, `.,;:!?"'“”‘’`), r) {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// keepsCapital reports whether a word keeps its capital at the start of a clause: it
// is in the list, has several capitals, or is capitalized inside a sentence of the
// passage, the metadata or the ground truth.
func (p *Prompts) keepsCapital(word string, r *Request) bool {
	bare, _, _ := strings.Cut(strings.ReplaceAll(word, "’", "'"), "'s")
	_, size := utf8.DecodeRuneInString(word)
	return p.capitals[bare] || p.capitals[word] || strings.IndexFunc(word[size:], unicode.IsUpper) >= 0 ||
		insideSentence(r.Passage, bare) || insideSentence(r.MetadataPrefix, bare) || insideSentence(r.GroundTruth, bare)
}

// insideSentence reports whether a word, with its capital, is in the text where no
// sentence begins: after a lower-case letter or a comma.
func insideSentence(text, word string) bool {
	before := ""
	for w := range strings.FieldsSeq(text) {
		last, _ := utf8.DecodeLastRuneInString(before)
		bare, _, _ := strings.Cut(strings.ReplaceAll(strings.Trim(w, `.,;:!?"'“”‘’()[]`), "’", "'"), "'s")
		if bare == word && (unicode.IsLower(last) || last == ',') {
			return true
		}
		before = w
	}
	return false
}
