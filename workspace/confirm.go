package workspace

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/cloze"
	"verbatim/confirm"
)

// confirming is the work that a language model has left to do on the tags of a
// book that a person reviews meanwhile. Categories are confirmed one by one, in
// order; a session that needs one sooner asks for it itself.
type confirming struct {
	asking sync.Mutex // held while the model is asked about a category
	stop   func()     // ends that

	mu      sync.Mutex // held briefly; guards what follows, and the book's tags
	waiting []string   // categories that are not confirmed yet
	done    map[string]confirm.Counts
	busy    string // what is asked now, for a person who waits
	err     error  // why a category could not be confirmed
}

// beginConfirming lists the categories that have tags for the model to confirm.
// The others can be reviewed at once.
func (b *Book) beginConfirming() {
	if b.confirmer == nil || b.ws.recorded(b.Barcode, Tagged, "model") == confirmSource(b.confirmer) {
		return
	}
	open := map[string]bool{}
	for _, line := range b.lines {
		for _, t := range line.Tags {
			open[t.Name] = open[t.Name] || b.confirmer.Questions.Open(t)
		}
	}
	for _, c := range cloze.Categories {
		if open[c.Name] {
			b.left.waiting = append(b.left.waiting, c.Name)
		}
	}
}

// waits reports whether a category is still to be confirmed.
func (b *Book) waits(category string) bool {
	b.left.mu.Lock()
	defer b.left.mu.Unlock()
	return slices.Contains(b.left.waiting, category)
}

// confirmCategory confirms one category, unless that is done. Candidates, counts
// and draws of the category then use confirmed tags only. With the last category
// the file of tagged sentences is written.
func (b *Book) confirmCategory(ctx context.Context, category string, seed int64) error {
	if !b.waits(category) {
		return nil // without waiting for another category
	}
	b.left.asking.Lock()
	defer b.left.asking.Unlock()
	if !b.waits(category) {
		return nil
	}
	b.left.mu.Lock()
	part := onlyTags(b.lines, category)
	b.left.mu.Unlock()
	asking := *b.confirmer
	asking.Progress = func(done, total int) {
		b.left.mu.Lock()
		defer b.left.mu.Unlock()
		b.left.busy = fmt.Sprintf("confirming connectors of %s: %d of %d", category, done, total)
	}
	no, counts, err := asking.Book(ctx, part)
	b.left.mu.Lock()
	defer b.left.mu.Unlock()
	if b.left.busy = ""; err != nil {
		b.left.err = err
		return err
	}
	replaceTags(b.lines, part, category)
	b.rejectTags(no)
	b.left.done[category] = counts
	b.left.waiting = slices.DeleteFunc(b.left.waiting, func(c string) bool { return c == category })
	b.unsaved = true
	if err := b.candidates(seed); err != nil || len(b.left.waiting) > 0 {
		return err
	}
	b.unsaved = false
	return b.writeTags(b.confirmer)
}

// onlyTags are the lines with the tags of one category; the texts are there,
// because a question may show the sentence before.
func onlyTags(lines []verbatim.Tagged, category string) []verbatim.Tagged {
	part := slices.Clone(lines)
	for i := range part {
		part[i].Tags = slices.DeleteFunc(slices.Clone(part[i].Tags), func(t verbatim.Tag) bool { return t.Name != category })
	}
	return part
}

// replaceTags puts the tags of one category back, in the order of the sentence.
func replaceTags(lines, part []verbatim.Tagged, category string) {
	for i := range lines {
		var tags []verbatim.Tag
		left := part[i].Tags
		for _, t := range lines[i].Tags {
			if t.Name != category {
				tags = append(tags, t)
			} else if len(left) > 0 && left[0].Span == t.Span && left[0].Connector == t.Connector {
				tags, left = append(tags, left[0]), left[1:]
			}
		}
		lines[i].Tags = tags
	}
}

// rejectTags puts rejected tags among the others, in the order of the sentences.
func (b *Book) rejectTags(no []verbatim.RejectedTag) {
	b.rejected = append(b.rejected, no...)
	slices.SortStableFunc(b.rejected, func(x, y verbatim.RejectedTag) int { return x.Index - y.Index })
}

// said is how many connectors the model kept and rejected, now or another day.
func (b *Book) said() (kept, rejected int) {
	if b.ws.Models == nil {
		return 0, 0
	}
	for _, line := range b.lines {
		for _, t := range line.Tags {
			if strings.HasPrefix(t.Confirmed, b.ws.Models.Confirm) {
				kept++
			}
		}
	}
	for _, r := range b.rejected {
		if strings.HasPrefix(r.Reason, b.ws.Models.Confirm) {
			rejected++
		}
	}
	return kept, rejected
}

// reasons are the first two reasons for which a model rejected connectors of a
// category, or of any, and where the others are.
func (b *Book) reasons(category string) string {
	var some []string
	for _, r := range b.rejected {
		if len(some) < 2 && strings.HasPrefix(r.Reason, b.ws.Models.Confirm) && (category == "" || strings.HasPrefix(category, r.Sense)) {
			some = append(some, r.Reason)
		}
	}
	return strings.Join(append(some, "all reasons are in "+Name(b.Barcode, Rejected)), "; ")
}

// writeTags writes the tagged sentences as they are in memory. c is the model that
// has confirmed them; nil: none, or not all of them.
func (b *Book) writeTags(c *confirm.Confirmer) error {
	return b.cannot(b.ws.write(b.Barcode, b.tagSources(c), nil, map[string]func(io.Writer) error{
		Tagged:   func(w io.Writer) error { return writeJSON(w, b.lines) },
		Rejected: func(w io.Writer) error { return writeJSON(w, b.rejected) },
	}))
}

// Confirm asks a language model about a draft's connector, if there is one and
// it has not been asked. It reports whether the draft may be used, and puts what
// the model said into the tagged sentences, which saveTags writes.
func (b *Book) Confirm(ctx context.Context, d *cloze.Draft) (bool, error) {
	if b.confirmer == nil {
		return true, nil
	}
	_, _, tag, found := b.Cloze().Tagged(d)
	if !found || !b.confirmer.Questions.Open(tag) {
		return true, nil
	}
	window := b.window(d)
	at := len(window) - 1
	if len(window[at].Tags) == 0 {
		return false, nil // it was rejected a moment ago
	}
	asking := *b.confirmer
	asking.Cap, asking.Progress = -1, nil
	no, counts, err := asking.Book(ctx, window)
	if err != nil || counts.Failed > 0 {
		return err == nil, err // without an answer, what the rules say counts
	}
	if len(no) == 0 {
		d.ConfirmedBy = window[at].Tags[0].Confirmed
	}
	b.left.mu.Lock()
	defer b.left.mu.Unlock()
	b.unsaved = true
	replaceTags(b.lines[d.Sentence:d.Sentence+1], window[at:], d.Category)
	b.rejectTags(no)
	return len(no) == 0, nil
}

// window is the sentence of a draft with the tag of its category, after the
// sentence before it, which a question may show.
func (b *Book) window(d *cloze.Draft) []verbatim.Tagged {
	b.left.mu.Lock()
	defer b.left.mu.Unlock()
	start := max(0, d.Sentence-1)
	window := onlyTags(b.lines[start:d.Sentence+1], d.Category)
	if start < d.Sentence {
		window[0].Tags = nil
	}
	return window
}

// saveTags writes what the model said since the file was written. While some
// categories wait, the file does not say that the model has confirmed it.
func (b *Book) saveTags() error {
	b.left.mu.Lock()
	defer b.left.mu.Unlock()
	if !b.unsaved || b.edited {
		return nil
	}
	b.unsaved = false
	if len(b.left.waiting) > 0 {
		return b.writeTags(nil)
	}
	return b.writeTags(b.confirmer)
}
