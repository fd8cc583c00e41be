package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/confirm"
	"verbatim/folder"
)

// A tagCheck lets a language model confirm what rules alone cannot decide. It
// is nil where there is no model.
type tagCheck struct {
	*language
	questions confirm.Questions
	model     string
	cap       int
	total     confirm.Counts

	mu  sync.Mutex
	bar *progress // of questions; books take turns at it
}

func addCheckFlags(cmd *cobra.Command) {
	addModelFlags(cmd)
	cmd.Flags().Int("verify-cap", 100, "how many cases of a tag a language model is asked about in one book; the others when they are drawn (-1: all)")
	cmd.Flags().String("check-model", confirm.DefaultModel, "label of the model that is asked about connectors")
}

// checkWith is the check with the settings of a folder; nil without a model.
func checkWith(l *language) (*tagCheck, error) {
	if l.client == nil {
		return nil, nil
	}
	c := &tagCheck{language: l, cap: 100, model: l.label("check-model", confirm.DefaultModel)}
	if err := parsed(l.settings, "verify-cap", &c.cap, strconv.Atoi, "100"); err != nil {
		return nil, err
	}
	if c.cap < -1 {
		return nil, fmt.Errorf("verify-cap is %d; give a number of cases, or -1 for all", c.cap)
	}
	c.bar = newProgress(l.cmd.ErrOrStderr(), "questions to "+c.model, 0)
	var err error
	c.questions, err = confirm.Load(l.rules("questions"), confirm.Embedded())
	return c, err
}

// source is what a tagged file was made from, besides tagger.sources.
// A file that a model has checked is not made anew because the model is away.
func (c *tagCheck) source(from folder.Sources) {
	if c != nil {
		from["model"] = fmt.Sprintf("%s, %d of a tag, questions %.12s", c.model, c.cap, c.questions.Hash())
	}
}

// book asks about the tags of a book and puts what the model refused among
// what the rules refused, in the order of the sentences.
func (c *tagCheck) book(ctx context.Context, files *folder.Folder, barcode string, lines []verbatim.Tagged, refused []verbatim.RefusedTag) ([]verbatim.RefusedTag, confirm.Counts, error) {
	model, closeLedger, err := c.language.book(files.Path(barcode, ledgerFile))
	if err != nil {
		return nil, confirm.Counts{}, err
	}
	defer closeLedger()
	checker := confirm.Confirmer{Chat: model, Model: c.model, Questions: c.questions, Cap: c.cap, Workers: c.workers, Progress: c.progress()}
	no, counts, err := checker.Book(ctx, lines)
	if err != nil {
		return nil, counts, err
	}
	refused = append(refused, no...)
	slices.SortStableFunc(refused, func(a, b verbatim.RefusedTag) int { return a.Index - b.Index })
	return refused, counts, nil
}

// progress moves the one bar for one book; the total grows as books come in.
func (c *tagCheck) progress() func(done, total int) {
	return func(done, total int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if done == 1 {
			c.bar.total += total
		}
		c.bar.step()
	}
}

// report says what the model did.
func (c *tagCheck) report() {
	if c == nil {
		return
	}
	c.bar.clear()
	words := c.cmd.ErrOrStderr()
	if t := c.total; t.Asked+t.Unconfirmed > 0 {
		fmt.Fprintf(words, "%s was asked about %s: %d kept, %d refused", c.model, count(t.Asked, "connector"), t.Kept, t.Rejected)
		if t.Failed > 0 {
			fmt.Fprintf(words, ", %d without an answer (the rules' verdict stands)", t.Failed)
		}
		if t.Unconfirmed > 0 {
			fmt.Fprintf(words, "; %d more are asked about when they are drawn", t.Unconfirmed)
		}
		fmt.Fprintln(words)
	}
	c.summary()
}
