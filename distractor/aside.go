package distractor

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/period"
	"verbatim/sentence"
)

// A Detail is what is known about a candidate besides its text.
type Detail struct {
	Kin      bool // its connector is as sure as that of the ground truth, in sense and extent
	Distance int  // in sentences, from the ground truth
}

// An Aside says why a candidate was set aside.
type Aside struct {
	Index     int    `json:"index"` // in the list of candidates
	Candidate string `json:"candidate"`
	Reason    string `json:"reason"`
	Found     string `json:"found,omitempty"` // the word or mark that shows it
	Severity  int    `json:"-"`
}

// A scene is a passage with its mask, as the tests of candidates see it.
type scene struct {
	*Lures
	truth    string
	words    map[string]bool // of the passage, lower case
	stems    map[string]bool // of the passage
	around   map[string]bool // stems of the pages around it
	tense    string          // past, present, or mixed
	truthful map[string]bool // stems of the ground truth's content words
	hasVerb  bool            // the ground truth has a verb of its own
	subject  bool            // and a subject
	speech   bool            // the passage or the ground truth has quotation marks
	known    func(word string) bool
}

// A lure is a candidate with its words.
type lure struct {
	text    string
	tokens  []token
	several bool    // it is more than one sentence
	detail  *Detail // nil if nothing is known
}

// newScene prepares a request for its tests.
func (l *Lures) newScene(r *Request) *scene {
	before, after, _ := strings.Cut(r.Passage, r.Mask)
	s := &scene{Lures: l, truth: r.GroundTruth, words: map[string]bool{}, stems: map[string]bool{}, around: map[string]bool{}, truthful: map[string]bool{}, known: r.Known}
	seen := before + " " + after
	for word := range period.Words(seen) {
		key := period.Key(word)
		s.words[key], s.stems[stem(key)] = true, true
	}
	for word := range period.Words(r.Around) {
		s.around[stem(period.Key(word))] = true
	}
	s.tense = s.tenseOf(tokens(seen))
	truth := tokens(r.GroundTruth)
	s.hasVerb, s.subject = s.verbIn(truth), !s.lacksSubject(truth)
	s.speech = strings.ContainsAny(seen+r.GroundTruth, quotes)
	for _, t := range truth {
		if s.content(t) {
			s.truthful[t.stem] = true
		}
	}
	return s
}

// setAside returns the reason why a candidate is set aside; ok is false if there
// is none.
func (s *scene) setAside(c *lure) (a Aside, ok bool) {
	for _, r := range s.reasons {
		if found := r.test(s, c); found != "" {
			return Aside{Candidate: c.text, Reason: r.name, Found: found, Severity: r.severity}, true
		}
	}
	return Aside{}, false
}

// reasonTests are the tests that reasons can use.
var reasonTests = map[string]func(s *scene, c *lure) string{
	"half a pair": func(s *scene, c *lure) string {
		if s.HalfPair(c.text) {
			return "a mark without its other half"
		}
		return ""
	},
	"paraphrase":        (*scene).paraphrase,
	"slips":             (*scene).slipIn,
	"several sentences": severalIn,
	"no verb": func(s *scene, c *lure) string {
		if s.hasVerb && !s.verbIn(c.tokens) {
			return "no verb"
		}
		return ""
	},
	"no subject": func(s *scene, c *lure) string {
		if s.subject && s.lacksSubject(c.tokens) {
			return c.tokens[1].word
		}
		return ""
	},
	"capital": func(s *scene, c *lure) string {
		if first, _ := utf8.DecodeRuneInString(s.truth); unicode.IsLower(first) && len(c.tokens) > 0 && c.tokens[0].word != c.tokens[0].key {
			return c.tokens[0].word
		}
		return ""
	},
	"next door": func(_ *scene, c *lure) string {
		const doors = 3
		if c.detail != nil && c.detail.Distance > 0 && c.detail.Distance <= doors {
			return fmt.Sprintf("%d away", c.detail.Distance)
		}
		return ""
	},
	"speech": func(s *scene, c *lure) string {
		if at := strings.IndexAny(c.text, quotes); at >= 0 && !s.speech {
			return "quotation marks"
		}
		return ""
	},
	"unknown name":  (*scene).unknownName,
	"unknown thing": func(s *scene, c *lure) string { return s.stranger(c, 2.7, s.stems, s.around) },
	"unknown here":  func(s *scene, c *lure) string { return s.stranger(c, 2.7, s.stems) },
	"pointing":      (*scene).pointing,
	"person":        (*scene).person,
	"tense":         (*scene).otherTense,
	"not kin": func(_ *scene, c *lure) string {
		if c.detail != nil && !c.detail.Kin {
			return "less or more sure"
		}
		return ""
	},
}

// paraphrase finds candidates that share most content words with the ground truth.
func (s *scene) paraphrase(c *lure) string {
	const least, share = 3, 0.6
	own, shared := 0, 0
	seen := map[string]bool{}
	for _, t := range c.tokens {
		if s.content(t) && !seen[t.stem] {
			seen[t.stem] = true
			own++
			if s.truthful[t.stem] {
				shared++
			}
		}
	}
	if shared >= least && float64(shared) >= share*float64(min(own, len(s.truthful))) {
		return "the words of the ground truth"
	}
	return ""
}

// slipIn finds damage in a candidate.
func (s *scene) slipIn(c *lure) string {
	for _, found := range s.Slips(c.text, s.known) {
		if found.Name != "cut" && found.Name != "no verb" && found.Weight > 1 { // a clause is cut from its sentence
			return found.Text
		}
	}
	return ""
}

func severalIn(_ *scene, c *lure) string {
	if c.several {
		return "a stop inside"
	}
	return ""
}

func severalSentencesIn(text string) bool {
	n := 0
	for range sentence.SplitText(text) {
		n++
	}
	return n > 1
}

// unknownName finds a name that the passage and its surroundings do not have. Names
// that most books know, such as God or England, can come up anywhere.
func (s *scene) unknownName(c *lure) string {
	for _, t := range c.tokens {
		if t.isName() && !s.stems[t.stem] && !s.around[t.stem] {
			return t.word
		}
	}
	return ""
}

// thing reports whether a word may name something that one can see, by its ending.
// Words such as movement, favourable or depending fit many topics.
func (l *Lures) thing(t token) bool {
	for ending := range l.lists["endings without a topic"] {
		if len(t.key) > len(ending)+2 && strings.HasSuffix(t.key, ending) {
			return false
		}
	}
	return true
}

// stranger finds what a candidate speaks of and none of the texts do: a name, one
// word that is as rare as that, or two that are nearly so, or one with an article.
func (s *scene) stranger(c *lure, rare float64, texts ...map[string]bool) string {
	first := ""
	for i, t := range c.tokens {
		known := slices.ContainsFunc(texts, func(stems map[string]bool) bool { return stems[t.stem] })
		rarity := t.rarity()
		switch {
		case known || !t.isName() && !s.thing(t):
		case t.isName() || rarity >= rare:
			return t.word
		case rarity < rare-1 || !s.content(t):
		case first != "" || i > 0 && s.lists["definite"][c.tokens[i-1].key]:
			return t.word
		default:
			first = t.word
		}
	}
	return ""
}

const quotes = "\"“”"

// lacksSubject reports whether a verb, with at most one adverb before it, or a
// relative, with at most a preposition, follows the first word: but never came,
// but of which nothing was seen.
func (s *scene) lacksSubject(list []token) bool {
	i := 1
	for i < min(2, len(list)) && (strings.HasSuffix(list[i].key, "ly") || s.lists["adverbs"][list[i].key]) {
		i++
	}
	tied := func(at int) bool { return at < len(list) && s.lists["relatives"][list[at].key] }
	return tied(1) || tied(2) && len(list[1].word) < 6 || i < len(list) && s.isVerb(list[i]) && !s.lists["or nouns"][list[i].key]
}

// pointing finds this ship, these animals, if the passage has no such word.
func (s *scene) pointing(c *lure) string {
	for i, t := range c.tokens {
		if !s.lists["pointing words"][t.key] || i+1 == len(c.tokens) {
			continue
		}
		next := c.tokens[i+1]
		if strings.TrimSpace(c.text[t.start+len(t.word):next.start]) == "" && s.content(next) && next.rarity() >= 0.5 &&
			!s.isVerb(next) && !s.stems[next.stem] {
			return t.word + " " + next.word
		}
	}
	return ""
}

// person finds a pronoun for which the passage has nobody.
func (s *scene) person(c *lure) string {
	for _, class := range []string{"he", "she", "they", "i", "we", "you"} {
		at := slices.IndexFunc(c.tokens, func(t token) bool { return s.lists[class][t.key] })
		if at >= 0 && !s.has(class+" means") {
			return c.tokens[at].word
		}
	}
	return ""
}

// has reports whether the passage has a word of a list, also as a plural.
func (s *scene) has(list string) bool {
	for word := range s.words {
		if s.lists[list][word] {
			return true
		}
	}
	return false
}

func (s *scene) otherTense(c *lure) string {
	if own := s.tenseOf(c.tokens); s.tense != "mixed" && own != "mixed" && own != s.tense {
		return own
	}
	return ""
}

// tenseOf is past or present, if a text has verbs of one kind only.
func (s *scene) tenseOf(list []token) string {
	past, present := 0, 0
	for _, t := range list {
		switch {
		case s.lists["past"][t.key]:
			past++
		case s.lists["present"][t.key]:
			present++
		}
	}
	switch {
	case past > 0 && present == 0:
		return "past"
	case present > 0 && past == 0:
		return "present"
	}
	return "mixed"
}

func (s *scene) verbIn(list []token) bool { return slices.ContainsFunc(list, s.isVerb) }

func (l *Lures) isVerb(t token) bool {
	return l.lists["past"][t.key] || l.lists["present"][t.key] || l.lists["verbs"][t.key] || len(t.key) > 4 && strings.HasSuffix(t.key, "ed") ||
		len(t.key) > 4 && strings.HasSuffix(t.key, "s") && l.lists["verbs"][strings.TrimSuffix(t.key, "s")]
}
