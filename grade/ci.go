package grade

import (
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A junitSuite is the form in which test runners report.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

// WriteJUnit writes the gates as JUnit's XML: one test per gate, and one that
// says whether the input is in order. wrong lists what is wrong with the input.
// An inconclusive gate is a skipped test. There is no time in it, so the same
// input gives the same bytes.
func WriteJUnit(w io.Writer, gates []CheckedGate, wrong []string) error {
	suite := junitSuite{Name: "verbatim score"}
	input := junitCase{Class: "input", Name: "the input is in order"}
	if len(wrong) > 0 {
		input.Failure = &junitMessage{strings.Join(wrong, "; ")}
	}
	suite.Cases = append(suite.Cases, input)
	for _, g := range gates {
		c := junitCase{Class: "gate", Name: g.String(), Output: g.Why}
		switch g.Verdict {
		case Failed:
			c.Failure = &junitMessage{g.Why}
		case Inconclusive:
			c.Skipped = &junitMessage{"inconclusive: " + g.Why}
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, c := range suite.Cases {
		suite.Tests++
		if c.Failure != nil {
			suite.Failures++
		}
		if c.Skipped != nil {
			suite.Skipped++
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// String is the gate as it is typed, such as "min micro.f1=0.6".
func (g Gate) String() string { return fmt.Sprintf("%s %s=%v", g.Kind, g.Figure, g.Bound) }

// WriteMarkdown writes the figures and gates as Markdown, for the summary of a CI
// run. It contains no text of a journal.
func (r *Result) WriteMarkdown(w io.Writer, gates []CheckedGate, wrong []string) error {
	var b strings.Builder
	total := r.Pred.total
	fmt.Fprintf(&b, "### Score of %s\n\n%s, %s, %s\n\n", cell(filepath.Base(r.Pred.Name)), Plural(r.Journals, "journal"),
		Plural(int(total[cGold]), "gold item"), Plural(int(total[cPred]), "predicted item"))
	markdownGates(&b, gates, wrong)
	b.WriteString("| | precision | recall | F1 | 95 % of F1 |\n|---|--:|--:|--:|---|\n")
	for _, groups := range [][]Group{r.Modes(), r.Macros(), r.Domains()} {
		for _, g := range groups {
			precision, _ := r.Figure(r.Pred, g.Path+".precision")
			recall, _ := r.Figure(r.Pred, g.Path+".recall")
			f1, interval := r.Figure(r.Pred, g.Path+".f1")
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(g.Name), FormatFigure(precision), FormatFigure(recall), FormatFigure(f1), interval.String())
		}
	}
	b.WriteString("\n| attribute | right | compared | accuracy |\n|---|--:|--:|--:|\n")
	for a, attribute := range r.Schema.Attributes {
		t := total[r.Schema.attributeAt(a):]
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %s |\n", cell(attribute.Name), t[0], t[1], FormatFigure(rate(t[0], t[1])))
	}
	fmt.Fprintf(&b, "\nFalse absent: %.0f of %.0f present ones.\n", total[cFalseAbsent], total[cThere])
	if r.HasText {
		fmt.Fprintf(&b, "Evidence: %.0f verbatim, %.0f nearly, %.0f not in the journal.\n",
			total[cCovered], total[cNear], total[cPred]-total[cCovered]-total[cNear])
	}
	if r.Against != nil {
		difference, interval := r.Difference("micro.f1")
		fmt.Fprintf(&b, "F1 compared with %s: %s (%s).\n", cell(filepath.Base(r.Against.Name)), FormatDifference(difference), interval.Signed())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdownGates writes only the gates, for a summary that is no score.
func WriteMarkdownGates(w io.Writer, title string, gates []CheckedGate, wrong []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", cell(title))
	markdownGates(&b, gates, wrong)
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownGates(b *strings.Builder, gates []CheckedGate, wrong []string) {
	for _, what := range wrong {
		fmt.Fprintf(b, "- **input**: %s\n", cell(what))
	}
	if len(wrong) > 0 {
		b.WriteByte('\n')
	}
	if len(gates) == 0 {
		return
	}
	b.WriteString("| gate | verdict | why |\n|---|---|---|\n")
	for _, g := range gates {
		fmt.Fprintf(b, "| `%s` | **%s** | %s |\n", strings.ReplaceAll(cell(g.Gate.String()), "`", "'"), g.Verdict, cell(g.Why))
	}
	b.WriteByte('\n')
}

// cell keeps a name from ending a table's cell or starting markup.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ", "\r", " ").Replace(printable(text))
}
