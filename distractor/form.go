package distractor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/sentence"
)

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
		return p.likeClause(text, r), ""
	}
	return likeSentence(text), ""
}

// split is the sentences of a text.
func split(text string) []string {
	var all []string
	for s := range sentence.SplitText(text) {
		all = append(all, text[s.Start:s.End])
	}
	return all
}

// strip removes lead-ins, emphasis and a pair of quotation marks around the
// whole text.
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
