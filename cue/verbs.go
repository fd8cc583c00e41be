package cue

import "strings"

// grammar holds the numbers of the word lists, from english/words.txt.
type grammar struct {
	auxiliaries, be, have, modals, nounModals, strongPasts, pastOrParticiple, participles,
	verbs, nounVerbs, personal, notVerbs, subjects, objects, determiners, prepositions, adverbs,
	relatives, coordinators, subordinators, articles int
}

// needed returns the lists that must exist.
func (g *grammar) needed() map[string]*int {
	return map[string]*int{
		"finite auxiliaries": &g.auxiliaries, "be": &g.be, "have": &g.have, "modals": &g.modals,
		"nouns like modals": &g.nounModals, "strong pasts": &g.strongPasts,
		"pasts like participles": &g.pastOrParticiple, "participles": &g.participles, "verbs": &g.verbs, "verbs or nouns": &g.nounVerbs, "personal subjects": &g.personal,
		"not verbs": &g.notVerbs, "subject pronouns": &g.subjects, "object pronouns": &g.objects,
		"determiners": &g.determiners, "prepositions": &g.prepositions, "adverbs": &g.adverbs,
		"relatives": &g.relatives, "coordinators": &g.coordinators, "subordinators": &g.subordinators, "articles": &g.articles,
	}
}

// in reports whether token i is in a list.
func (t *text) in(i, list int) bool {
	return i >= 0 && i < len(t.tokens) && t.tokens[i].entry.lists.has(list)
}

// isFinite decides from the possible forms of a word and the words next to it.
// It is not a parser: it must be right about clauses, not about every word.
func (t *text) isFinite(i int) bool {
	if i < 0 || i >= len(t.tokens) || t.tokens[i].kind != word {
		return false
	}
	return t.finite.get(t, i, (*text).looksFinite)
}

func (t *text) looksFinite(i int) bool {
	g := t.grammar
	if t.in(i, g.notVerbs) {
		return false
	}
	before := t.subjectPlace(i)
	switch {
	case t.in(i, g.auxiliaries):
		if t.in(i, g.nounModals) && (t.in(i-1, g.determiners) && !t.in(i-1, g.subjects) || t.in(i-1, g.prepositions)) {
			return false // "the will", "by might"
		}
		return !t.wordIs(i-1, "to") && !t.in(i-1, g.modals)
	case t.in(i, g.strongPasts):
		return !t.in(i-1, g.determiners) && !t.in(i-1, g.prepositions) && !t.in(before, g.be) && !t.in(before, g.have)
	case t.in(i, g.participles):
		return false
	case t.in(i, g.pastOrParticiple) || t.tokens[i].ends&endsED != 0:
		return t.canBeSubject(before) && !t.wordIs(i+1, "by")
	case t.tokens[i].ends&endsETH != 0:
		return t.canBeSubject(before)
	case t.tokens[i].ends&endsS != 0 && t.isVerbS(i, g.nounVerbs):
		return t.in(before, g.subjects) || t.in(before, g.relatives) || t.isNounThenVerb(before, i)
	case t.tokens[i].ends&endsS != 0 && t.isVerbS(i, g.verbs):
		return t.canBeSubject(before) && t.tokens[before].ends&endsS == 0 && !t.wordIs(i+1, "of") &&
			!(t.in(i+1, g.auxiliaries))
	case t.in(i, g.nounVerbs):
		return t.in(before, g.personal) || t.wordIs(before, "you") || t.wordIs(before, "who") || t.isPluralThenVerb(before, i)
	case t.in(i, g.verbs):
		plural := t.in(before, g.subjects) || t.canBeSubject(before) && t.tokens[before].ends&endsS != 0
		return plural && !t.wordIs(i-1, "to")
	}
	return t.isPronounThenVerb(before, i) || t.isVerbThenPronoun(before, i)
}

// isPluralThenVerb recognizes "prices rise every year", but not "sales talk".
func (t *text) isPluralThenVerb(before, i int) bool {
	g := t.grammar
	return before == i-1 && t.isOpenClass(before) && t.tokens[before].ends&endsS != 0 && !t.tokens[before].capital &&
		(t.in(i+1, g.prepositions) && !t.wordIs(i+1, "of") || t.in(i+1, g.determiners) || t.in(i+1, g.objects))
}

// isPronounThenVerb recognizes a verb that no list has by its subject: "I dine
// here", "it fares well", but not "we Greeks" or "they alone".
func (t *text) isPronounThenVerb(before, i int) bool {
	if before < 0 || !t.isOpenClass(i) || t.tokens[i].capital || t.tokens[i].ends&(endsING|endsLY|hasDigit) != 0 {
		return false
	}
	switch t.lower(before) {
	case "i", "we", "they", "ye":
		return before == i-1 && t.tokens[i].ends&endsS == 0
	case "he", "she", "it":
		return t.tokens[i].ends&endsS != 0
	}
	return false
}

// isNounThenVerb recognizes "the subject runs away", not "the farm rents of".
func (t *text) isNounThenVerb(before, i int) bool {
	g := t.grammar
	return t.isOpenClass(before) && t.tokens[before].ends&endsS == 0 && t.in(before-1, g.determiners) && !t.wordIs(i+1, "of") &&
		(t.in(i+1, g.prepositions) || t.in(i+1, g.determiners) || t.in(i+1, g.objects) || t.wordIs(i+1, "away"))
}

// isVerbThenPronoun recognizes a verb that no list has by its object: "his
// rivals tax him", "the news nettles them".
func (t *text) isVerbThenPronoun(before, i int) bool {
	switch {
	case !t.in(i+1, t.grammar.objects) || strings.Contains(t.lower(i+1), "sel"): // "the men themselves"
		return false
	case !t.isOpenClass(i) || !t.isOpenClass(before) || t.tokens[i].ends&(endsING|endsLY) != 0:
		return false
	}
	return t.tokens[i].ends&endsS != t.tokens[before].ends&endsS // one of them is plural
}

// canBeVerb reports whether the word can be a verb with a tense.
func (t *text) canBeVerb(i int) bool {
	g := t.grammar
	switch {
	case t.tokens[i].kind != word || t.in(i, g.notVerbs):
		return false
	case t.in(i, g.auxiliaries), t.in(i, g.verbs), t.in(i, g.nounVerbs), t.in(i, g.strongPasts), t.in(i, g.pastOrParticiple):
		return true
	case t.isFinite(i):
		return true
	}
	ends := t.tokens[i].ends
	if ends&endsS != 0 {
		subject := t.subjectPlace(i) // "heaven reserves an equal share"
		return t.isVerbS(i, g.verbs) || t.isVerbS(i, g.nounVerbs) ||
			t.isOpenClass(i) && t.isOpenClass(subject) && t.tokens[subject].ends&endsS == 0 && t.in(i+1, g.articles)
	}
	return ends&(endsED|endsETH) != 0
}

// subjectPlace returns the word before i and its adverbs: "he never quite forgave".
func (t *text) subjectPlace(i int) int {
	for i--; i >= 0 && t.tokens[i].kind == word; i-- {
		if !t.in(i, t.grammar.adverbs) && t.tokens[i].ends&endsLY == 0 {
			return i
		}
	}
	return -1
}

// canBeSubject recognizes a subject pronoun, a relative, or probably a noun.
func (t *text) canBeSubject(i int) bool {
	if i < 0 || t.tokens[i].kind != word {
		return false
	}
	g := t.grammar
	if t.in(i, g.subjects) || t.in(i, g.relatives) {
		return true
	}
	if (t.in(i, g.strongPasts) || t.in(i, g.pastOrParticiple)) && !t.in(i-1, g.determiners) {
		return false // "stood chained": a verb is not a subject, but "the thought struck him"
	}
	return t.isOpenClass(i) && t.tokens[i].ends&endsING == 0
}

// isOpenClass reports whether the word is outside the closed classes.
func (t *text) isOpenClass(i int) bool {
	if i < 0 || i >= len(t.tokens) || t.tokens[i].kind != word {
		return false
	}
	return !t.tokens[i].entry.lists.any(t.closed)
}

// isVerbS reports whether a word is a verb of the list with an s: "grows".
func (t *text) isVerbS(i, list int) bool {
	w := t.lower(i)
	for _, end := range [...]struct{ cut, add string }{{"s", ""}, {"es", ""}, {"ies", "y"}} {
		base, ok := strings.CutSuffix(w, end.cut)
		if e := t.lex.words[base+end.add]; ok && e != nil && e.lists.has(list) {
			return true
		}
	}
	if list != t.grammar.verbs {
		return false
	}
	for _, end := range [...]string{"izes", "ises", "ifies", "ates"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

func (t *text) wordIs(i int, w string) bool {
	return i >= 0 && i < len(t.tokens) && t.tokens[i].kind == word && t.tokens[i].entry.text == w
}

func (t *text) isPast(i int) bool {
	g := t.grammar
	return t.in(i, g.strongPasts) || t.in(i, g.pastOrParticiple) || !t.in(i, g.auxiliaries) && t.tokens[i].ends&endsED != 0
}

func (t *text) isParticiple(i int) bool {
	g := t.grammar
	return t.in(i, g.participles) || t.in(i, g.pastOrParticiple) || t.tokens[i].ends&endsED != 0 && !t.in(i, g.notVerbs)
}

// mainVerb returns the first finite verb after the match and before ; : a stop
// or the first comma, or -1. It skips brackets, and one verb for each relative
// or subordinator on the way. A pronoun or article directly after a noun starts
// a relative clause without a relative word ("the wrongs they had suffered"):
// then there is no main verb. See section 3 of the notes on connectors.
func (a at) mainVerb() int {
	start, end := a.segment()
	skip, depth := 0, 0
	g := a.grammar
	for i := start; i < end; i++ {
		switch {
		case a.tokens[i].kind == openBracket:
			depth++
		case a.tokens[i].kind == closeBracket:
			depth--
		case depth > 0 || a.tokens[i].kind != word:
		case i > start && (a.in(i, g.relatives) || a.in(i, g.subordinators)):
			skip++
		case i > start && skip == 0 && (a.in(i, g.personal) || a.wordIs(i, "it") || a.wordIs(i, "you") || a.wordIs(i, "the")) &&
			a.isOpenClass(i-1) && a.tokens[i-1].ends&endsLY == 0 && !a.isFinite(i-1):
			return -1
		case a.isFinite(i):
			if skip == 0 && a.in(i-1, g.coordinators) {
				return -1 // "as a clerk and was praised": the verb belongs to the clause before
			}
			if skip == 0 && a.isPast(i) && !a.in(i, g.strongPasts) && a.pronounClauseAfter(i, end) {
				return -1 // "the facts contained here I owe to others": a participle
			}
			if skip == 0 {
				return i
			}
			skip--
		}
	}
	return -1
}

// pronounClauseAfter reports whether a pronoun and its verb come between i and
// end, without a word that would start a clause of its own.
func (a at) pronounClauseAfter(i, end int) bool {
	g := a.grammar
	for k := i + 1; k < end; k++ {
		switch {
		case a.in(k, g.relatives), a.in(k, g.subordinators), a.in(k, g.coordinators):
			return false
		case a.in(k, g.personal) && a.isFinite(k+1):
			return true
		}
	}
	return false
}
