// Package distractor makes wrong answers for a masked passage: the negation of
// the ground truth, the sentences of the same book that fit best, and what a
// language model of today would write.
//
// What you can rely on: each request gives three lists of equal length, the ground
// truth first. A distractor that could not be made is left out and named, never
// replaced by another. The package has no connections of its own: it uses the
// Scorer and the ChatModel that it is given.
package distractor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/parallel"
)

// A Generator makes distractors. The zero value makes none, and says so. It uses
// its models from several goroutines.
type Generator struct {
	Chat     verbatim.ChatModel // nil: there is no language model
	Scorer   verbatim.Scorer    // nil: no same-book distractors
	Negator  string             // the model that writes negations; DefaultNegator if empty
	Prompts  *Prompts           // the built-in ones if nil
	Workers  int                // parallel calls in MakeAll; 4 if zero
	Progress func(done, total int)
	// Arrange may bring the rankings of requests into another order: the first of a
	// ranking are offered. truths are the scores of the ground truths, for requests
	// that ask for them. It may be nil.
	Arrange func(requests []Request, rankings [][]Ranked, truths []*Ranked)
}

// DefaultNegator is the model that writes negations by default.
const DefaultNegator = "mistral-small:24b"

// Make answers one request, with all its distractors in parallel. A distractor that
// cannot be made is named in Failed. An error means that the request is bad, or that
// other requests would fail too: no server, no such model.
func (g *Generator) Make(ctx context.Context, r Request) (Answers, error) {
	allAtOnce := func(jobs []job) [][]job { return [][]job{jobs} }
	for answers, err := range g.makeAll(ctx, []Request{r}, 16, allAtOnce) {
		return answers, err
	}
	return Answers{}, ctx.Err()
}

// MakeAll answers many requests, in order. It calls one model after the other for
// all requests, because a laptop has no memory for two large models at once. A bad
// request, or one on which the program crashed, has its own error; if a model is
// unavailable, the error is the last pair.
func (g *Generator) MakeAll(ctx context.Context, requests []Request) iter.Seq2[Answers, error] {
	return g.makeAll(ctx, requests, cmp.Or(max(g.Workers, 0), 4), byModel)
}

// A job is one task of a request: a distractor that a model writes, or the ranking
// for all same-book distractors.
type job struct {
	request int
	at      int // its index in the list of types
	t       Type
	model   string // the model; empty for the scorer
	repeat  int    // how many jobs of the same type come before it
	base    string // what a twin negates
}

// A product is the result of a job.
type product struct {
	job
	text   string
	ranked []Ranked
	truth  *Ranked // if the request asks for it
	aside  []Aside
	failed string
}

func (g *Generator) makeAll(ctx context.Context, requests []Request, workers int, groups func([]job) [][]job) iter.Seq2[Answers, error] {
	return func(yield func(Answers, error) bool) {
		bad := make([]error, len(requests))
		plans := make([][]Type, len(requests))
		products := make([][]product, len(requests))
		var jobs []job
		for i := range requests {
			if bad[i] = requests[i].Check(); bad[i] == nil {
				plans[i], bad[i] = requests[i].types()
				jobs = append(jobs, g.with(&requests[i]).plan(i, plans[i])...)
			}
		}
		done := 0
		negated := func(j job) bool { return j.t.Kind == twin }
		first := slices.DeleteFunc(slices.Clone(jobs), negated)
		last := slices.DeleteFunc(slices.Clone(jobs), func(j job) bool { return !negated(j) }) // they negate what the others made
		for _, group := range slices.Concat(groups(first), [][]job{nil}, groups(last)) {
			if group == nil {
				g.arrange(requests, products)
			}
			for i, j := range group {
				if negated(j) {
					group[i].base = requests[j.request].base(products[j.request])
				}
			}
			work := func(ctx context.Context, j job) (product, error) {
				r := &requests[j.request]
				p := product{job: j}
				err := parallel.Guard(func() (err error) {
					p, err = g.with(r).do(ctx, r, j)
					return err
				})
				return p, err
			}
			for p, err := range parallel.Map(ctx, workers, verbatim.All(group), work) {
				if crashed(err) {
					bad[p.request] = err // a fault of the program on one request
					continue
				}
				if err != nil {
					yield(Answers{}, err)
					return
				}
				products[p.request] = append(products[p.request], p)
				if done++; g.Progress != nil {
					g.Progress(done, len(jobs))
				}
			}
		}
		for i := range requests {
			answers := Answers{ID: requests[i].ID}
			if bad[i] == nil {
				answers = assemble(&requests[i], plans[i], products[i])
			}
			if !yield(answers, bad[i]) {
				return
			}
		}
	}
}

func (g *Generator) plan(request int, types []Type) []job {
	var jobs []job
	count := map[Type]int{}
	for at, t := range types {
		j := job{request: request, at: at, t: t, repeat: count[t]}
		count[t]++
		switch t.Kind {
		case "same_book":
			if j.repeat > 0 {
				continue // one ranking is enough for all
			}
		case "negation", twin:
			j.model = g.Negator
		default:
			j.model = t.Model
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// byModel groups the jobs of each model, for a batch.
func byModel(jobs []job) [][]job {
	groups := map[string][]job{}
	for _, j := range jobs {
		groups[j.model] = append(groups[j.model], j)
	}
	var all [][]job
	for _, model := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groups[model])
	}
	return all
}

// do does one job. Only a problem that concerns other jobs too is an error.
func (g *Generator) do(ctx context.Context, r *Request, j job) (product, error) {
	p := product{job: j}
	var err error
	switch {
	case j.t.Kind == "same_book" && g.Scorer == nil:
		p.failed = "there is no next-sentence model to rank candidates"
	case j.t.Kind == "same_book":
		p.ranked, p.truth, p.aside, p.failed, err = g.sameBook(ctx, r)
	case g.Chat == nil:
		p.failed = "there is no language model"
	default:
		p.text, p.failed, err = g.write(ctx, r, j)
	}
	if errors.Is(err, verbatim.ErrNoAnswer) {
		p.failed, err = err.Error(), nil
	}
	return p, err
}

// with is the Generator with the settings of the request's book, or the defaults.
func (g *Generator) with(r *Request) *Generator {
	own := *g
	own.Chat = cmp.Or(r.Chat, g.Chat)
	own.Prompts = cmp.Or(r.Prompts, g.Prompts, standard)
	own.Negator = cmp.Or(r.Negator, g.Negator, DefaultNegator)
	return &own
}

// sameBook ranks the candidates that make good wrong answers.
func (g *Generator) sameBook(ctx context.Context, r *Request) (ranked []Ranked, truth *Ranked, aside []Aside, failed string, err error) {
	setting, err := findSetting(r.Passage, r.Mask)
	if err != nil || setting.previous == "" && setting.next == "" {
		return nil, nil, nil, "no sentence comes before or after the mask, so candidates cannot be ranked", nil
	}
	want := max(r.Ranking, len(r.Types), len(DefaultTypes))
	if r.RankTruth { // all good ones are wanted, but no bad one for its number
		want = max(len(DefaultTypes), poolWant)
	}
	ranked, truth, aside, err = rankLures(ctx, g.Scorer, r, want)
	return ranked, truth, aside, "", err
}

// takeTruth takes the ground truth, which has the index after the last
// candidate's, out of a ranking.
func takeTruth(ranked []Ranked, index int) ([]Ranked, *Ranked) {
	at := slices.IndexFunc(ranked, func(r Ranked) bool { return r.Index == index })
	if at < 0 {
		return ranked, nil
	}
	truth := ranked[at]
	return slices.Delete(ranked, at, at+1), &truth
}

// prompt is the question to the job's model. words is the length to ask for, or 0.
// The second distractor of a type needs another seed and a higher temperature, or
// it would equal the first.
func (g *Generator) prompt(r *Request, j job, words int) verbatim.Prompt {
	text := g.Prompts.negation(r)
	switch j.t.Kind {
	case twin:
		of := *r
		of.GroundTruth = j.base
		text = g.Prompts.negation(&of)
	case "anachronistic":
		text = g.Prompts.anachronistic(r, j.t, words)
	}
	p := verbatim.Prompt{Model: j.model, Messages: []verbatim.Message{{Role: "user", Content: text}}, Seed: j.repeat}
	if j.repeat > 0 {
		p.Temperature = 0.8
	}
	return p
}

// write asks the job's model and shapes its answer. If an anachronistic answer has
// less than half or more than twice the words of the ground truth, or is several
// sentences, it asks once more, with the length in the prompt.
func (g *Generator) write(ctx context.Context, r *Request, j job) (text, failed string, err error) {
	want, lengths := len(strings.Fields(r.GroundTruth)), []int{0, len(strings.Fields(r.GroundTruth))}
	if r.DrawLength && j.t.Kind == "anachronistic" {
		want = r.length(j)
		lengths = []int{want, want}
	}
	for try, length := range lengths {
		prompt := g.prompt(r, j, length)
		if r.DrawLength {
			prompt.Seed += 100 * try // the same question gets another answer
		}
		reply, err := g.Chat.Chat(ctx, prompt)
		if err != nil {
			return "", "", err
		}
		text, failed = g.Prompts.shape(reply.Content, r)
		got := len(strings.Fields(g.Prompts.strip(reply.Content, isQuoted(r.GroundTruth))))
		switch {
		case j.t.Kind == "negation" || j.t.Kind == twin:
			return text, failed, nil
		case 2*got < want || got > 2*want:
			failed = fmt.Sprintf("the answer has %d words and the ground truth %d, even after asking for about as many", got, want)
		case failed != severalSentences:
			return text, failed, nil
		}
	}
	return "", failed, nil
}

// assemble makes the lists in the order of the types. An answer that equals another
// is rejected; for the same book, the next best replaces it.
func assemble(r *Request, types []Type, products []product) Answers {
	a := Answers{ID: r.ID, Strings: []string{r.GroundTruth}, Types: []string{"ground_truth"}, Probabilities: []Probability{1}}
	made := map[int]product{}
	var book product
	for _, p := range products {
		made[p.at] = p
		if p.t.Kind == "same_book" {
			book = p
		}
	}
	seen := map[string]bool{sameness(r.GroundTruth): true}
	for _, text := range r.Exclude {
		seen[sameness(text)] = true
	}
	for at, t := range types {
		p := made[at]
		if t.Kind == "same_book" {
			p = book.take(seen)
		}
		if p.failed == "" && seen[sameness(p.text)] {
			p.failed = "the answer is the same as another"
		}
		if p.failed != "" {
			a.Failed = append(a.Failed, Failure{t.String(), p.failed})
			continue
		}
		seen[sameness(p.text)] = true
		a.Strings = append(a.Strings, p.text)
		a.Types = append(a.Types, t.String())
		a.Probabilities = append(a.Probabilities, 0)
	}
	if a.Truth = book.truth; r.Ranking > 0 {
		a.Ranking, a.SetAside = book.ranked[:min(len(book.ranked), r.Ranking)], book.aside
	}
	return a
}

// take is the best candidate of the book that is not used yet.
func (p product) take(seen map[string]bool) product {
	for _, r := range p.ranked {
		if !seen[sameness(r.Candidate)] {
			p.text = r.Candidate
			return p
		}
	}
	if p.failed == "" {
		p.failed = fmt.Sprintf("the book has only %d candidates that can be used", len(p.ranked))
	}
	return p
}

// Negate negates one answer. sentence is or contains the answer.
func (g *Generator) Negate(ctx context.Context, truth, answerType, sentence string) (text, failed string, err error) {
	r := &Request{GroundTruth: truth, AnswerType: answerType, Passage: sentence, Mask: "\x00"}
	g = g.with(r)
	p, err := g.do(ctx, r, job{t: Type{Kind: "negation"}, model: g.Negator})
	return p.text, p.failed, err
}

// Planned are the prompts that a request needs at least, for an estimate of its
// cost. An answer of the wrong length, or of several sentences, needs one more.
func (g *Generator) Planned(r Request) ([]verbatim.Prompt, error) {
	types, err := r.types()
	if err != nil {
		return nil, err
	}
	g = g.with(&r)
	var prompts []verbatim.Prompt
	for _, j := range g.plan(0, types) {
		if j.model != "" {
			prompts = append(prompts, g.prompt(&r, j, 0))
		}
	}
	return prompts, nil
}

// Serve answers each request before it reads the next: the program that asks may
// be waiting for the answer. A bad request gets a line of answers that says why,
// so that requests and answers stay in step. Any other error is the last pair.
func (g *Generator) Serve(ctx context.Context, requests iter.Seq2[Request, error]) iter.Seq2[Answers, error] {
	return func(yield func(Answers, error) bool) {
		for r, err := range requests {
			answers := Answers{ID: r.ID}
			if unreadable(err) {
				yield(answers, err)
				return
			}
			if err == nil {
				err = r.Check()
			}
			if err == nil {
				if answers, err = g.Make(ctx, r); err != nil && !crashed(err) {
					yield(answers, err)
					return
				}
			}
			if !yield(answers.with(err), nil) {
				return
			}
		}
	}
}

// ServeAll is Serve, but reads all requests first and asks model after model.
func (g *Generator) ServeAll(ctx context.Context, requests iter.Seq2[Request, error]) iter.Seq2[Answers, error] {
	return func(yield func(Answers, error) bool) {
		var all []Request
		var bad []error
		for r, err := range requests {
			if unreadable(err) {
				yield(Answers{}, err)
				return
			}
			if err == nil {
				err = r.Check()
			}
			all, bad = append(all, r), append(bad, err)
		}
		at := 0
		for answers, err := range g.MakeAll(ctx, all) {
			if crashed(err) {
				bad[at] = err
			}
			if err != nil && (at >= len(bad) || bad[at] == nil) {
				yield(answers, err) // a model is lost
				return
			}
			if !yield(answers.with(bad[at]), nil) {
				return
			}
			at++
		}
	}
}

// crashed reports whether an error is a fault of the program on one request.
func crashed(err error) bool {
	_, is := errors.AsType[*parallel.PanicError](err)
	return is
}

// unreadable reports whether the input itself failed, not one line of it.
func unreadable(err error) bool {
	line := (*verbatim.LineError)(nil)
	return err != nil && !errors.As(err, &line)
}

// with adds the error of a bad request, which has no answers.
func (a Answers) with(err error) Answers {
	if err != nil {
		a.Error = err.Error()
		a.Strings, a.Types, a.Probabilities = []string{}, []string{}, []Probability{}
	}
	return a
}
