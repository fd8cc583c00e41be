package cue

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A sample is a set of connectors, from the specification or the longer list of
// the period, and a sentence with | where they go.
type sample struct{ tag, connectors, sentence string }

var placed = []sample{
	// Whole sentences: the first word.
	{"effectsentence", "so | hence", "| they had nothing left to give him."},
	{"contrastsentence", "but | yet", "| they had nothing left to give him."},
	{"causalsentence", "for", "| they had nothing left to give him."},
	{"effectsentence", "wherefore | accordingly | consequently", "| they sold the boat and the nets."},
	// Whole sentences: among the first five words.
	{"causalsentence", "because", "| the snow was deep they stayed at home."},
	{"causalsentence", "because", "It was simply | he feared the dogs."},
	{"causalsentence", "justification | rationale | purpose | cause", "The | of it was plain to every one."},
	{"causalsentence", "justification | rationale | purpose | cause", "The one and only | of it was plain."},
	{"effectsentence", "thus | therefore | thence | accordingly | consequently", "| the gate was shut before noon."},
	{"effectsentence", "thus | therefore | accordingly | consequently", "The old gate was | shut before noon."},
	{"effectsentence", "consequence | result | effect", "The | of it was plain to every one."},
	{"effectsentence", "it follows that", "| the second line is longer."},
	{"effectsentence", "it follows that", "From this | the second line is longer."},
	{"contrastsentence", "however | nevertheless", "|, the gate was shut before noon."},
	{"contrastsentence", "however | nevertheless", "The old keeper, |, was not there."},
	{"contrastsentence", "nonetheless | on the contrary | on the other hand", "|, the gate was shut before noon."},
	// Clauses that end the sentence, after a comma and after a semicolon.
	{"causalclause", "because | since | for | seeing that | inasmuch as | inasmuch | forasmuch as | forasmuch | as | in order that",
		"The men turned back at once, | they were afraid of the river."},
	{"causalclause", "because | since | for | seeing that | inasmuch as | forasmuch as | as | in as much as | for as much as",
		"The men turned back at once; | they were afraid of the river."},
	{"causalclause", "in order to", "The men turned back at once, | fetch a longer rope."},
	{"causalclause", "owing to | by reason of | on account of", "The men turned back at once, | the strength of the river."},
	{"effectclause", "so | so that | hence | insomuch that | in consequence of which", "The men were very weary, | they turned back at the river."},
	{"effectclause", "so | so that | therefore | hence | wherefore | consequently", "The men were all of them weary; | they turned back at the river."},
	{"effectclause", "then", "If the river falls tonight, | they will cross it at dawn."},
	{"contrastclause", "but | yet", "The men were very weary, | they would not turn back."},
	{"contrastclause", "but | yet | nevertheless | however", "The men were all of them weary; | they would not turn back."},
	{"conditionalclause", "if | unless | provided that | provided | insofar as | in so far as | on condition that | so long as | as long as",
		"The men will turn back at once, | they are afraid of the river."},
	{"concessiveclause", "although | though | even though | even if | albeit | while | whilst | whereas",
		"The men turned back at once, | they were not afraid of the river."},
}

// capitals returns a connector as it is and with a capital.
func capitals(s string) []string {
	r, size := utf8.DecodeRuneInString(s)
	return []string{s, string(unicode.ToUpper(r)) + s[size:]}
}

func TestSpec2EveryConnectorIsCaughtInItsPlaces(t *testing.T) {
	r := Connectors().NewReader()
	for _, s := range placed {
		for connector := range strings.SplitSeq(s.connectors, "|") {
			connector = strings.TrimSpace(connector)
			for _, written := range capitals(connector) {
				for _, quote := range []string{"", "“", "\""} {
					before, after, _ := strings.Cut(s.sentence, "|")
					sentence := quote + before + written + after
					checkTag(t, r, sentence, s.tag, connector, len(strings.Fields(before)), len(quote+before))
				}
			}
		}
	}
}

func checkTag(t *testing.T, r *Reader, sentence, name, connector string, word, start int) {
	t.Helper()
	tags, rejected := r.Tags("", sentence)
	for _, tag := range tags {
		if tag.Name == name && tag.Connector == connector && tag.Word == word && tag.Hit.Start == start {
			return
		}
	}
	t.Errorf("%s: want %s %q at word %d; got %+v, rejected %+v", sentence, name, connector, word, tags, rejected)
}

// Words that only look like connectors give no tag.
func TestSpec2CounterExamples(t *testing.T) {
	r := Connectors().NewReader()
	for _, sentence := range []string{
		"Some of the trades had gone, for example the weavers and the dyers.",
		"The roof fell in, as well as the whole of the garden wall.",
		"The work has prospered, so far as any man can tell at present.",
		"The work had prospered so far beyond their hopes.",
		"They lost not only the ship and her guns, but also the whole of the cargo.",
		"Every gift was written down, however small it might have been.",
		"The plan was very bold, if not altogether a mad one.",
		"The company had slept in the barn that night, which was, however, none too dry.",
		"Few of the men in that town, if any, were saved.",
		"The men had worked there for two long years.",
		"They had, for the most part, a wet season of it.",
		"The house was no larger than the barn, as it were, of a rich man.",
		"Nothing was left in that house but a table and a chair.",
		"The letter had not yet come to the captain's hand.",
		"By then it was dark and the fires were lit.",
		"He was so weary that he slept where he stood.",
		"The old chapel, since rebuilt, stood in the middle of the town.",
		"It was hardly worth while to go back for the rope.",
		"The river was, so to speak, their only road to the sea.",
	} {
		if tags, _ := r.Tags("", sentence); len(tags) > 0 {
			t.Errorf("%s\n\tgot %s %q by %s and %s", sentence, tags[0].Name, tags[0].Connector, tags[0].Card, tags[0].ScopeCard)
		}
	}
}

// The answer to a why-question is a reason; the question mark is required. The
// connector is why, which is in the question; the place is the answer's first
// word.
func TestSpec2WhyQuestions(t *testing.T) {
	r := Connectors().NewReader()
	for _, c := range []struct {
		previous, sentence string
		want               string
	}{
		{"Why did they halt?", "The horses were spent and lame.", "causalsentence why 0"},
		{"“Why did they halt?”", "“The horses were spent and lame.”", "causalsentence why 0"},
		{"Why?", "The horses were spent and lame.", "causalsentence why 0"},
		{"“Why?”", "“The horses were spent and lame.”", "causalsentence why 0"},
		{"Why not?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why, then, did they halt?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why then did they halt?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why, indeed, should they halt?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why, indeed?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why, indeed, with the town so near?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why, if the town was near, did they halt?", "The horses were spent and lame.", "causalsentence why 0"},
		{"Why did they halt?", "Because the horses were lame, they halted.", "causalsentence why 0"},
		{"Why did they halt?", "But the horses were spent and lame.", "causalsentence why 0, contrastsentence but 0"},
		{"“Why did they halt?”", "The captain was silent for a while.", ""},
		{"Why, what is that?", "The horses were spent and lame.", ""},
		{"Why, sir, are they not here?", "The horses were spent and lame.", ""},
		{"Why, they have halted, have they?", "The horses were spent and lame.", ""},
		{"Why they halted nobody knew.", "The horses were spent and lame.", ""},
		{"Whyever not?", "The horses were spent and lame.", ""},
		{"Why did they halt?", "Were the horses spent and lame?", ""},
		{"", "The horses were spent and lame.", ""},
	} {
		if got := r.tagList(c.previous, c.sentence); got != c.want {
			t.Errorf("%s // %s: %q, want %q", c.previous, c.sentence, got, c.want)
		}
		tags, _ := r.Tags(c.previous, c.sentence)
		for _, tag := range tags {
			if tag.Connector == "why" && (tag.Tier != Wide || tag.Scope.Start != 0 || tag.Hit.Start != len(c.sentence)-len(strings.TrimLeft(c.sentence, "“"))) {
				t.Errorf("%s // %s: %+v", c.previous, c.sentence, tag)
			}
		}
	}
}

// With several connectors in one sentence, each category has its own tag. The
// last clause of a category wins, and the other is rejected.
func TestSeveralTagsInOneSentence(t *testing.T) {
	r := Connectors().NewReader()
	tags, rejected := r.Tags("", "But nobody would row them over, for the boat was old, because no man had cared for it.")
	var names []string
	for _, tag := range tags {
		names = append(names, tag.Name+" "+tag.Connector)
	}
	if got := strings.Join(names, ", "); got != "contrastsentence but, causalclause because" {
		t.Errorf("got %s", got)
	}
	if len(rejected) != 1 || rejected[0].Connector != "for" || !strings.Contains(rejected[0].Reason, "later connector") {
		t.Errorf("rejected %+v", rejected)
	}
}
