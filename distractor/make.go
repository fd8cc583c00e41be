package distractor

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
}

// DefaultNegator is the model that writes negations by default.
const DefaultNegator = "mistral-small:24b"

// Make answers one request, with all its distractors in parallel. A distractor that
// cannot be made is named in Failed. An error means that the request is bad, or that
// other requests would fail too: no server, no such model.
func (g *Generator) Make(ctx context.Context, r Request) (Answers, error) {
	for answers, err := range g.makeAll(ctx, []Request{r}, 16, allAtOnce) {
		return answers, err
	}
	return Answers{}, ctx.Err()
}

// MakeAll answers many requests, in order. It calls one model after the other for
// all requests, because a laptop has no memory for two large models at once. A bad
// request has its own error; if a model is unavailable, the error is the last pair.
func (g *Generator) MakeAll(ctx context.Context, requests []Request) iter.Seq2[Answers, error] {
	workers := g.Workers
	if workers <= 0 {
		workers = 4
	}
	return g.makeAll(ctx, requests, workers, byModel)
}

// A job is one task of a request: a distractor that a model writes, or the ranking
// for all same-book distractors.
type job struct {
	request int
	at      int // its index in the list of types
	t       Type
	model   string // the model; empty for the scorer
	repeat  int    // how many jobs of the same type come before it
}

// A product is the result of a job.
type product struct {
	job
	text   string
	ranked []Ranked
	failed string
}

func (g *Generator) makeAll(ctx context.Context, requests []Request, workers int, groups func([]job) iter.Seq[[]job]) iter.Seq2[Answers, error] {
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
		for group := range groups(jobs) {
			work := func(ctx context.Context, j job) (product, error) {
				r := &requests[j.request]
				return g.with(r).do(ctx, r, j)
			}
			for p, err := range parallel.Map(ctx, workers, parallel.Each(group), work) {
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
		case "negation":
			j.model = g.negator()
		default:
			j.model = t.Model
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func (g *Generator) negator() string {
	if g.Negator != "" {
		return g.Negator
	}
	return DefaultNegator
}

func (g *Generator) prompts() *Prompts {
	if g.Prompts != nil {
		return g.Prompts
	}
	return standard
}

// allAtOnce is the order for one request: everything in parallel.
func allAtOnce(jobs []job) iter.Seq[[]job] {
	return func(yield func([]job) bool) { yield(jobs) }
}

// byModel is the order for a batch: one model after the other.
func byModel(jobs []job) iter.Seq[[]job] {
	return func(yield func([]job) bool) {
		slices.SortStableFunc(jobs, func(a, b job) int { return strings.Compare(a.model, b.model) })
		for len(jobs) > 0 {
			n := slices.IndexFunc(jobs, func(j job) bool { return j.model != jobs[0].model })
			if n < 0 {
				n = len(jobs)
			}
			if !yield(jobs[:n]) {
				return
			}
			jobs = jobs[n:]
		}
	}
}

// do does one job. A problem of this distractor alone is a failure; an error ends
// the run.
func (g *Generator) do(ctx context.Context, r *Request, j job) (product, error) {
	p := product{job: j}
	var err error
	switch {
	case j.t.Kind == "same_book" && g.Scorer == nil:
		p.failed = "there is no next-sentence model to rank candidates"
	case j.t.Kind == "same_book":
		p.ranked, p.failed, err = g.sameBook(ctx, r)
	case g.Chat == nil:
		p.failed = "there is no language model"
	case j.t.Kind == "negation":
		p.text, p.failed, err = g.write(ctx, r, j, g.prompts().negation(r))
	default:
		p.text, p.failed, err = g.anachronistic(ctx, r, j)
	}
	if errors.Is(err, verbatim.ErrNoAnswer) {
		p.failed, err = err.Error(), nil
	}
	return p, err
}

// with is the Generator with the settings of the request's book.
func (g *Generator) with(r *Request) *Generator {
	own := *g
	if r.Chat != nil {
		own.Chat = r.Chat
	}
	if r.Prompts != nil {
		own.Prompts = r.Prompts
	}
	if r.Negator != "" {
		own.Negator = r.Negator
	}
	return &own
}

// sameBook ranks the candidates that may be used: not those in the passage, and not
// the ground truth of this or another question.
func (g *Generator) sameBook(ctx context.Context, r *Request) (ranked []Ranked, failed string, err error) {
	setting, err := findSetting(r.Passage, r.Mask)
	if err != nil || setting.previous == "" && setting.next == "" {
		return nil, "no sentence comes before or after the mask, so candidates cannot be ranked", nil
	}
	used := map[string]bool{}
	for _, text := range r.Exclude {
		used[sameness(text)] = true
	}
	candidates := slices.Clone(r.Candidates)
	for i, candidate := range candidates {
		if used[sameness(candidate)] || InPassage(r.Passage, candidate) {
			candidates[i] = "" // the others keep their index; Rank leaves it out
		}
	}
	ranked, err = Rank(ctx, g.Scorer, r.Passage, r.Mask, candidates, r.GroundTruth)
	return ranked, "", err
}

// write asks for one answer and shapes it.
func (g *Generator) write(ctx context.Context, r *Request, j job, prompt string) (text, rejected string, err error) {
	reply, err := g.Chat.Chat(ctx, j.prompt(prompt))
	if err != nil {
		return "", "", err
	}
	text, rejected = g.prompts().shape(reply.Content, r)
	return text, rejected, nil
}

// prompt is a question to the job's model. The second distractor of a type needs
// another seed and a higher temperature, or it would equal the first.
func (j job) prompt(text string) verbatim.Prompt {
	p := verbatim.Prompt{Model: j.model, Messages: []verbatim.Message{{Role: "user", Content: text}}, Seed: j.repeat}
	if j.repeat > 0 {
		p.Temperature = 0.8
	}
	return p
}

// anachronistic asks a model of today. If the answer has the wrong length it asks
// once more, with the length in the prompt.
func (g *Generator) anachronistic(ctx context.Context, r *Request, j job) (text, failed string, err error) {
	want, keepQuotes := words(r.GroundTruth), isQuoted(r.GroundTruth)
	n := 0
	for _, length := range []int{0, want} {
		reply, err := g.Chat.Chat(ctx, j.prompt(g.prompts().anachronistic(r, j.t, length)))
		if err != nil {
			return "", "", err
		}
		n = words(g.prompts().strip(reply.Content, keepQuotes))
		if rightLength(n, want) {
			text, failed = g.prompts().shape(reply.Content, r)
			return text, failed, nil
		}
	}
	return "", fmt.Sprintf("the answer has %d words and the ground truth %d, even after asking for about as many", n, want), nil
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
	next := 0
	for at, t := range types {
		p := made[at]
		if t.Kind == "same_book" {
			p = book.take(&next, seen)
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
	a.Ranking = book.ranked[:min(len(book.ranked), max(0, r.Ranking))]
	return a
}

// take is the best candidate of the book that is not used yet.
func (p product) take(next *int, seen map[string]bool) product {
	for ; *next < len(p.ranked); *next++ {
		if text := p.ranked[*next].Candidate; !seen[sameness(text)] {
			p.text = text
			*next++
			return p
		}
	}
	if p.failed == "" {
		p.failed = fmt.Sprintf("the book has only %d candidates that can be used", len(p.ranked))
	}
	return p
}

// Negate negates one answer. sentence is the sentence that is or contains the
// answer.
func (g *Generator) Negate(ctx context.Context, truth, answerType, sentence string) (text, failed string, err error) {
	r := &Request{GroundTruth: truth, AnswerType: answerType, Passage: sentence, Mask: "\x00"}
	p, err := g.do(ctx, r, job{t: Type{Kind: "negation"}, model: g.negator()})
	return p.text, p.failed, err
}

// Planned are the prompts that a request needs at least, for an estimate of its
// cost. An answer of the wrong length needs one more.
func (g *Generator) Planned(r Request) ([]verbatim.Prompt, error) {
	types, err := r.types()
	if err != nil {
		return nil, err
	}
	var prompts []verbatim.Prompt
	for _, j := range g.plan(0, types) {
		switch j.t.Kind {
		case "negation":
			prompts = append(prompts, j.prompt(g.prompts().negation(&r)))
		case "anachronistic":
			prompts = append(prompts, j.prompt(g.prompts().anachronistic(&r, j.t, 0)))
		}
	}
	return prompts, nil
}
