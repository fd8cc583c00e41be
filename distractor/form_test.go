package distractor

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestSpec9Shape(t *testing.T) {
	for _, c := range []struct {
		clause, sentence bool
		came, want       string
	}{
		{sentence: true, came: "negation: but the ferry ran", want: "But the ferry ran."},
		{sentence: true, came: "“But the ferry ran.”", want: "But the ferry ran."},
		{sentence: true, came: "\"But the ferry ran\".", want: "But the ferry ran."},
		{sentence: true, came: "\"But did the ferry run\"?", want: "But did the ferry run?"},
		{sentence: true, came: "But did the ferry run?", want: "But did the ferry run?"},
		{sentence: true, came: "But \"the ferry\" ran!", want: "But \"the ferry\" ran!"},
		{sentence: true, came: "But the ferry\nran  on.", want: "But the ferry ran on."},
		{sentence: true, came: "But Mr. Holt ran.", want: "But Mr. Holt ran."},
		{sentence: true, came: contrast + ": But the ferry ran.", want: "But the ferry ran."},
		{sentence: true, came: "But the ferry ran. Nobody saw it.", want: "! several sentences"},
		{sentence: true, came: "But the ferry ran.\n\nNote: this reverses the meaning.", want: "! several sentences"},
		{sentence: true, came: "Negation:", want: "! no words are left"},
		{sentence: true, came: "The wind rose. " + contrast, want: "! repeats the mask"},
		{clause: true, came: "If the wind drops before evening.", want: "if the wind drops before evening"},
		{clause: true, came: "Negation: \"If the wind drops before evening.\"", want: "if the wind drops before evening"},
		{clause: true, came: "Provided that I come,", want: "provided that I come"},
		{clause: true, came: "I being ill, we wait.", want: "I being ill, we wait"},
		{clause: true, came: "Holt being ill", want: "Holt being ill"}, // the name is in the passage
		{clause: true, came: "Holt's wife being ill", want: "Holt's wife being ill"},
		{clause: true, came: "God willing", want: "God willing"},
		{clause: true, came: "HMS Vixen permitting", want: "HMS Vixen permitting"},
		{clause: true, came: "if it rains. We stay.", want: "! several sentences"},
	} {
		r := sentenceRequest()
		if c.clause {
			r = clauseRequest()
		}
		got, rejected := standard.shape(c.came, &r)
		if why, reject := strings.CutPrefix(c.want, "! "); reject && !strings.Contains(rejected, why) || !reject && (got != c.want || rejected != "") {
			t.Errorf("%q became %q (rejected: %s), want %q", c.came, got, rejected, c.want)
		}
	}
}

func TestQuotedSpeechKeepsItsMarks(t *testing.T) {
	r := sentenceRequest()
	r.GroundTruth = "“But the ferry lies still.”"
	if got, rejected := standard.shape("“But the ferry runs.”", &r); got != "“But the ferry runs.”" {
		t.Errorf("got %q, %s", got, rejected)
	}
}

func TestThePromptsAreThoseOfTheSpecification(t *testing.T) {
	r := sentenceRequest()
	if p := standard.negation(&r); !strings.HasPrefix(p, "You are transforming sentences by reversing one aspect") ||
		!strings.HasSuffix(p, "\n\noriginal sentence: But the ferry lay still in the storm.\nnegation:") || strings.Count(p, "negation:") != 3 {
		t.Errorf("sentence: %s", p)
	}
	r = clauseRequest()
	if p := standard.negation(&r); !strings.HasPrefix(p, "You are transforming clauses by reversing one aspect") ||
		!strings.HasSuffix(p, "\n\noriginal clause: if the wind holds until evening\nnegation:") || strings.Count(p, "negation:") != 3 {
		t.Errorf("clause: %s", p)
	}
}

func TestSpec8AnachronisticPrompts(t *testing.T) {
	r := sentenceRequest()
	got := standard.anachronistic(&r, Type{}, 0)
	if want := prefix + "\n\n" + r.Passage + "\n\n" + r.Prompt; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := standard.anachronistic(&r, Type{Metadataless: true}, 0), r.Passage+"\n\n"+r.Prompt; got != want {
		t.Errorf("without metadata got\n%s\nwant\n%s", got, want)
	}
	if got, want := standard.anachronistic(&r, Type{}, 42), contrast+" (about 42 words):"; !strings.HasSuffix(got, want) {
		t.Errorf("with a length the prompt ends in %q, want %q", got[len(got)-60:], want)
	}
	r.Passage = "One {prompt} and {metadata_prefix}. " + contrast
	if got := standard.anachronistic(&r, Type{Metadataless: true}, 0); !strings.HasPrefix(got, r.Passage) {
		t.Errorf("placeholders in the book's text were filled in: %s", got)
	}
}

// Some editors put a byte order mark at the start of a file. It is not part of a
// prompt or a word.
func TestAByteOrderMarkInAUsersPromptsIsIgnored(t *testing.T) {
	mine, err := LoadPrompts(fstest.MapFS{
		"negation-clause.txt": {Data: []byte("\uFEFFDeny this: {ground_truth_answer}")},
		"capitals.txt":        {Data: []byte("\uFEFFTillott Moss")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if mine.files["negation-clause.txt"] != "Deny this: {ground_truth_answer}" || !mine.capitals["Tillott"] {
		t.Errorf("the prompt is %q, the names are %v", mine.files["negation-clause.txt"], mine.capitals)
	}
}
