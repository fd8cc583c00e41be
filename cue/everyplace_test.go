package cue

import (
	"fmt"
	"strings"
	"testing"
)

// A group is connectors that go into the same sentences. A sentence has | for
// the connector; the sentence of a clause has ~ for the mark before it.
type group struct{ tag, connectors, marks, sentences string }

// The marks that open a clause; an underscore is a space. By decision 19 a
// colon or a dash opens a clause as a comma does.
const (
	anyMark   = ",_ ;_ :_ _—_ _--_ _-_ — --"
	commaMark = ",_ _—_ _--_ _-_ — --"
)

// An adverb at each of the first five words.
const atFirstFive = `| the gate was shut before noon.
They | shut the gate before noon.
The gate | was shut before noon.
The gate was | shut before noon.
The old gate was | shut before noon.`

// The same, set off by commas.
const setOffAtFirstFive = `|, the gate was shut before noon.
They, |, shut the gate before noon.
The gate, |, was shut before noon.
The gate was, |, shut before noon.
The old gate was, |, shut before noon.`

const nounAtFirstFive = `| of the quarrel there was none.
The | of it was plain to every one.
The one | of it was plain to every one.
The only true | of it was plain.
The one and only | of it was plain.`

// Clauses with a pronoun, a noun and a name as subject.
const (
	reasonClause = `The men turned back at once~| they were afraid of the river.
The men turned back at once~| the ford was too deep for them.
The men turned back at once~| Gilbert had lost the rope.`
	nounPhrase    = `The men turned back at once~| the strength of the river.`
	purposePhrase = `The men turned back at once~| fetch a longer rope.`
	resultClause  = `The men were all of them weary~| they turned back at the river.
The men were all of them weary~| the guide turned back at the river.
The men were all of them weary~| Gilbert went on alone.`
	contrastClause = `The men were all of them weary~| they would not turn back.
The men were all of them weary~| the guide would not turn back.
The men were all of them weary~| Gilbert would not turn back.`
	ifClause = `The men will turn back at once~| they are afraid of the river.
The men will turn back at once~| the ford is too deep for them.
The men will turn back at once~| Gilbert has lost the rope.`
	concessionClause = `The men turned back at once~| they were not afraid of the river.
The men turned back at once~| the ford was not deep.
The men turned back at once~| Gilbert had not lost the rope.`
)

// The connectors of the specification.
var specified = []group{
	{"causalsentence", "justification, rationale, purpose, cause", "", nounAtFirstFive},
	{"causalsentence", "because", "", `| the snow was deep they stayed at home.
Only | the snow was deep they stayed at home.
It was | he feared the dogs.
It was simply | he feared the dogs.
And it was simply | he feared the dogs.`},
	{"effectsentence", "so, hence", "", "| they had nothing left to give him.\n| the gate was shut before noon.\n| Gilbert went on alone."},
	{"effectsentence", "thus, therefore, thence, accordingly, consequently", "", atFirstFive},
	{"effectsentence", "consequence, result, effect", "", nounAtFirstFive},
	{"effectsentence", "it follows that", "", `| the second line is longer.
Now | the second line is longer.
From this | the second line is longer.
From all this | the second line is longer.
From all of this | the second line is longer.`},
	{"contrastsentence", "but, yet", "", "| they had nothing left to give him.\n| the gate was shut before noon.\n| Gilbert went on alone."},
	{"contrastsentence", "however, nevertheless", "", setOffAtFirstFive},
	{"causalclause", "because, since, as, in order that, for, seeing that, inasmuch, forasmuch", anyMark, reasonClause},
	{"causalclause", "in order to", anyMark, purposePhrase},
	{"causalclause", "owing to", anyMark, nounPhrase},
	{"effectclause", "so", anyMark, resultClause},
	{"effectclause", "then", ",_", "If the river falls tonight~| they will cross it at dawn."},
	{"contrastclause", "but, however, nevertheless", anyMark, contrastClause},
	{"conditionalclause", "if, unless, provided that, insofar as", commaMark, ifClause},
	{"concessiveclause", "although, though, even though, even if, albeit, while", anyMark, concessionClause},
}

// The longer list of the period, by decision 19.
var period = []group{
	{"causalsentence", "for", "", "| they had nothing left to give him."},
	{"causalsentence", "the reason is", "", "| that they had nothing left."},
	{"causalsentence", "because", "", "This is | they had nothing left."},
	{"effectsentence", "wherefore, consequently, for this reason", "", "| they sold the boat and the nets."},
	{"effectsentence", "whence", "", "| it appears that they sold the boat."},
	{"contrastsentence", "nonetheless, howbeit, notwithstanding, on the contrary, on the other hand, still, rather", "", "|, the gate was shut before noon."},
	{"causalclause", "inasmuch as, in as much as, forasmuch as, for as much as, for so much as, being that, considering that, in that, on the ground that, the rather that, the more so as, the more so because, lest",
		anyMark, reasonClause},
	{"causalclause", "seeing, for that", anyMark, "The men turned back at once~| they were afraid of the river."},
	{"causalclause", "by reason of, on account of, in consequence of", anyMark, nounPhrase},
	{"effectclause", "so that, insomuch that, wherefore, hence, thus, therefore, consequently, in consequence of which", anyMark, resultClause},
	{"effectclause", "so as to", anyMark, purposePhrase},
	{"effectclause", "so, therefore", ",_ ;_", "The men were all of them weary~and | they turned back at the river."},
	{"effectclause", "whence, from which it follows", anyMark, "The stones are all of them round~| it was once a river."},
	{"contrastclause", "yet, nonetheless, howbeit, on the contrary, on the other hand", anyMark, contrastClause},
	{"contrastclause", "notwithstanding, rather", ";_ :_", "The men were all of them weary~|, they would not turn back."},
	{"contrastclause", "nay", anyMark, "The men were all of them weary~| they would not turn back."},
	{"conditionalclause", "provided, provided always that, in case, on condition that, so long as, as long as, supposing, supposing that, in so far as", commaMark, ifClause},
	{"conditionalclause", "except, without", commaMark, "The men will turn back at once~| they are afraid of the river."},
	{"conditionalclause", "should", commaMark, "The men will turn back at once~| they be afraid of the river."},
	{"conditionalclause", "were, had", commaMark, "The men would turn back at once~| they not so much afraid of the river."},
	{"concessiveclause", "whilst, whereas, notwithstanding that, granting that, admitting that, what though, even when", anyMark, concessionClause},
	{"concessiveclause", "notwithstanding, for all that", anyMark, "The men turned back at once~| they were not afraid of the river."},
	{"concessiveclause", "notwithstanding, in spite of, despite", anyMark, nounPhrase},
}

// Places that a decision excludes, with the decision in place of the tag.
var excluded = []group{
	{"17: a connector set off inside its clause opens none", "however, nevertheless", ",_ _—_", "The men who had come from the coast were weary~|, and would not go on."},
	{"specification: a condition follows a comma", "if, unless", ";_ :_", ifClause},
	{"specification: no rule for conditions and concessions at the start", "if, unless, although, though, even if, while", "", "| the snow was deep they stayed at home."},
	{"notes on connectors, 3: however and an adjective is not a contrast", "however", ",_", "The men wrote down every gift~| small it might be.\nThe men wrote down every gift~| briefly, before they left."},
	{"notes on connectors, 4: temporal or relative", "thereupon, whereby", "", "| the whole company rose from the table."},
	{"notes on connectors, 4: an exception", "except that, save that, only that", ",_ ;_", concessionClause},
	{"notes on connectors, 4: left out", "only", ",_ ;_", contrastClause},
	{"notes on connectors, 3: so far as is none", "so far as", ",_ ;_", ifClause},
}

// Every connector of the specification and of the longer list, in every place
// where it may be, with and without a capital, gives its tag; a place that a
// decision excludes gives none.
func TestEveryConnectorInEveryPlace(t *testing.T) {
	r := Connectors().NewReader()
	for name, groups := range map[string][]group{"specification": specified, "period": period} {
		caught, all := 0, 0
		for _, g := range groups {
			for c := range g.cases() {
				all++
				if r.hasTag(c, g.tag) {
					caught++
				} else {
					t.Errorf("%s: want %s %q; got %s", c.sentence, g.tag, c.connector, r.summary(c.sentence))
				}
			}
		}
		t.Logf("%s: %d of %d", name, caught, all)
	}
	named := 0
	for _, g := range excluded {
		for c := range g.cases() {
			named++
			if tags, _ := r.Tags("", c.sentence); len(tags) > 0 && tags[0].Hit.Start == c.start {
				t.Errorf("%s: want no tag (%s); got %s", c.sentence, g.tag, r.summary(c.sentence))
			}
		}
	}
	t.Logf("excluded by a decision: %d", named)
}

// A placedCase is a sentence with a connector at a word and byte.
type placedCase struct {
	connector, sentence string
	word, start         int
}

// cases puts each connector of the group into each of its sentences.
func (g group) cases() func(yield func(placedCase) bool) {
	return func(yield func(placedCase) bool) {
		marks := strings.Fields(g.marks)
		if len(marks) == 0 {
			marks = []string{""}
		}
		for connector := range strings.SplitSeq(g.connectors, ", ") {
			for sentence := range strings.SplitSeq(g.sentences, "\n") {
				for _, mark := range marks {
					before, after, _ := strings.Cut(sentence, "|")
					before = strings.Replace(before, "~", strings.ReplaceAll(mark, "_", " "), 1)
					word := len(strings.Fields(before+"x")) - 1 // "once—because" is one word
					for _, written := range capitals(connector) {
						if !yield(placedCase{connector, before + written + after, word, len(before)}) {
							return
						}
					}
				}
			}
		}
	}
}

func (r *Reader) hasTag(c placedCase, name string) bool {
	tags, _ := r.Tags("", c.sentence)
	for _, tag := range tags {
		if tag.Name == name && tag.Connector == c.connector && tag.Word == c.word && tag.Hit.Start == c.start {
			return true
		}
	}
	return false
}

func (r *Reader) summary(sentence string) string {
	var all []string
	tags, rejected := r.Tags("", sentence)
	for _, tag := range tags {
		all = append(all, fmt.Sprintf("%s %q word %d by %s and %s", tag.Name, tag.Connector, tag.Word, tag.Card, tag.ScopeCard))
	}
	for _, tag := range rejected {
		all = append(all, fmt.Sprintf("%q rejected by %s and %s: %s", tag.Connector, tag.Card, tag.ScopeCard, tag.Reason))
	}
	return strings.Join(all, "; ")
}
