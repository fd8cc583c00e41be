package lint

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// A Result is what one attack achieves. Figures are shares, from 0 to 1.
type Result struct {
	Attack   string     `json:"attack"`
	Kind     string     `json:"kind"`
	N        int        `json:"n"`
	Accuracy float64    `json:"accuracy"`
	Chance   float64    `json:"chance"`
	Lift     float64    `json:"lift"`
	Interval [2]float64 `json:"lift_interval"` // of the lift, 95 %, drawn over books
	Inverse  float64    `json:"inverse_lift"`  // of picking the option that the attack likes least
	Leaks    bool       `json:"leaks"`         // it, or its inverse, beats what luck gives to so many attacks

	hits   []float64 // by question; NaN where the attack does not apply
	scores [][]float64
}

// Strength is the lift of the attack or of its inverse, whichever is higher.
func (r *Result) Strength() float64 { return max(r.Lift, r.Inverse) }

// optionOnly reports whether the attack needs nothing but the options.
func (r *Result) optionOnly() bool { return r.Kind == Options || r.Kind == Learned }

// A Settings value says how to measure. The zero value measures everything that
// needs no model.
type Settings struct {
	// Fit says how well each option fits its place, in the eyes of the model that
	// chose them; it may be nil. It is called for questions that do not say so.
	Fit      func(ctx context.Context, q *Question) ([]float64, error)
	Fast     bool // no learned attacks
	Draws    int  // of the bootstrap; 2000 if zero
	Progress func(done, total int)
}

// A Report is all that lint has found.
type Report struct {
	Questions int      `json:"questions"`
	Books     int      `json:"books"`
	Options   float64  `json:"options_per_question"`
	Chance    float64  `json:"chance"`
	Luck      float64  `json:"luck"` // what the best of so many attacks reaches by luck alone, 95 %
	Worst     *Result  `json:"worst,omitempty"`
	Attacks   []Result `json:"attacks"`
	Hit       []Hit    `json:"most_hit"`
	Findings  Findings `json:"findings"`
	Balance   Balance  `json:"balance"`
	Advice    []Advice `json:"advice"`
	Notes     []string `json:"notes"`
	Chosen    int      `json:"balanced_questions"` // questions whose options were chosen by balance
}

// A Hit is a question that many attacks get right.
type Hit struct {
	ID      string   `json:"id"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Attacks []string `json:"attacks"`
	Expect  float64  `json:"expected"` // how many would hit it by chance
}

// Check measures all attacks on a set of questions and looks for what is dirty.
func Check(ctx context.Context, questions []*Question, o Settings) (*Report, error) {
	s := newSet(questions)
	r := &Report{Questions: len(questions), Books: len(books(questions)), Attacks: []Result{}, Hit: []Hit{}, Advice: []Advice{}, Notes: []string{}}
	for _, q := range questions {
		r.Options += float64(len(q.Options)) / float64(len(questions))
		r.Chance += q.chance() / float64(len(questions))
		if q.Choice != "" {
			r.Chosen++
		}
	}
	if len(questions) > 0 {
		if err := r.attack(ctx, s, o); err != nil {
			return nil, err
		}
	}
	r.hygiene(s)
	r.advise(s)
	return r, nil
}

// attack runs all attacks.
func (r *Report) attack(ctx context.Context, s *set, o Settings) error {
	draws := cmp.Or(o.Draws, 2000)
	of, count := byBook(s.questions)
	if count < 3 {
		r.Notes = append(r.Notes, "There are fewer than three books: intervals are drawn over questions, and are too narrow.")
		of, count = nil, len(s.questions)
		for i := range s.questions {
			of = append(of, i)
		}
	}
	add := func(name, kind string, scores [][]float64) {
		if result, ok := measure(s.questions, name, kind, scores); ok {
			result.Interval = interval(s.questions, result.hits, of, count, draws)
			r.Attacks = append(r.Attacks, result)
		}
	}
	for _, a := range optionAttacks {
		add(a.name, a.kind, score(s, a))
	}
	switch {
	case o.Fast:
	case len(books(s.questions)) < 2:
		r.Notes = append(r.Notes, "All questions are of one book, so no attack can be learned on other books.")
	default:
		for i, l := range learners {
			if err := ctx.Err(); err != nil {
				return err
			}
			add(l.name, Learned, learn(s, l))
			if o.Progress != nil {
				o.Progress(i+1, len(learners))
			}
		}
	}
	for _, a := range passageAttacks {
		if slices.ContainsFunc(s.questions, func(q *Question) bool { return q.Passage != "" }) {
			add(a.name, a.kind, score(s, a))
		}
	}
	fits, err := fits(ctx, s.questions, o.Fit)
	if err != nil {
		return err
	}
	add("the ranker's best", Ranker, fits)
	add("the ranker's worst", Ranker, opposites(fits))
	r.judge(s.questions)
	return nil
}

func score(s *set, a attack) [][]float64 {
	scores := make([][]float64, len(s.questions))
	for i, q := range s.questions {
		if a.kind != Passage || q.Passage != "" {
			scores[i] = a.score(s, q)
		}
	}
	return scores
}

// fits are what the ranker thinks of the options; nil where it cannot say.
func fits(ctx context.Context, questions []*Question, fit func(context.Context, *Question) ([]float64, error)) ([][]float64, error) {
	all := make([][]float64, len(questions))
	for i, q := range questions {
		if all[i] = q.Fit; len(q.Fit) == len(q.Options) || fit == nil {
			continue
		}
		found, err := fit(ctx, q)
		if err != nil {
			return nil, err
		}
		all[i] = found
	}
	for i, q := range questions {
		if len(all[i]) != len(q.Options) {
			all[i] = nil
		}
	}
	return all, nil
}

func opposites(all [][]float64) [][]float64 {
	other := make([][]float64, len(all))
	for i, scores := range all {
		if scores != nil {
			other[i] = negate(scores)
		}
	}
	return other
}

// measure counts how often an attack picks the ground truth.
func measure(questions []*Question, name, kind string, scores [][]float64) (Result, bool) {
	r := Result{Attack: name, Kind: kind, scores: scores, hits: make([]float64, len(questions))}
	inverse := 0.0
	for i, q := range questions {
		r.hits[i] = math.NaN()
		if scores[i] == nil {
			continue
		}
		r.N++
		r.hits[i] = pick(scores[i])[0]
		r.Accuracy += r.hits[i]
		inverse += pick(negate(scores[i]))[0]
		r.Chance += q.chance()
	}
	if r.N == 0 {
		return r, false
	}
	n := float64(r.N)
	r.Accuracy, r.Chance = r.Accuracy/n, r.Chance/n
	r.Lift, r.Inverse = r.Accuracy-r.Chance, inverse/n-r.Chance
	return r, true
}

// pick is the share of each option in the pick of the highest score.
func pick(scores []float64) []float64 {
	top := slices.Max(scores) - 1e-12
	shares, n := make([]float64, len(scores)), 0.0
	for _, x := range scores {
		n += truth(x >= top)
	}
	for i, x := range scores {
		shares[i] = truth(x >= top) / n
	}
	return shares
}

// interval is the 95 % interval of a lift, by drawing whole books.
func interval(questions []*Question, hits []float64, of []int, count, draws int) [2]float64 {
	lift, size := make([]float64, count), make([]float64, count)
	for i, q := range questions {
		if !math.IsNaN(hits[i]) {
			lift[of[i]] += hits[i] - q.chance()
			size[of[i]]++
		}
	}
	source := rand.New(rand.NewPCG(1, uint64(count)))
	var lifts []float64
	for range draws {
		sum, n := 0.0, 0.0
		for range count {
			k := source.IntN(count)
			sum, n = sum+lift[k], n+size[k]
		}
		if n > 0 {
			lifts = append(lifts, sum/n)
		}
	}
	slices.Sort(lifts)
	return [2]float64{percentile(lifts, .025), percentile(lifts, .975)}
}

// percentile interpolates between sorted values.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	place := p * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float64((sorted[high]-sorted[low])*(place-float64(low)))
}

// judge says which attacks beat what luck gives to so many, and finds the
// questions that most of those hit.
func (r *Report) judge(questions []*Question) {
	var only []*Result
	for i := range r.Attacks {
		if a := &r.Attacks[i]; a.optionOnly() && a.N == len(questions) {
			only = append(only, a)
		}
	}
	r.Luck = luck(questions, only)
	for i := range r.Attacks {
		a := &r.Attacks[i]
		a.Leaks = a.Kind != Passage && a.Strength() > r.Luck
		if a.optionOnly() && (r.Worst == nil || a.Strength() > r.Worst.Strength()) {
			r.Worst = a
		}
	}
	r.mostHit(questions)
}

const luckDraws = 400

// luck is the 95th percentile of the best lift, over all attacks and their
// inverses, if the ground truth were a random option of each question.
func luck(questions []*Question, attacks []*Result) float64 {
	var shares [][][]float64
	for _, a := range attacks {
		picks, against := make([][]float64, len(questions)), make([][]float64, len(questions))
		for i := range questions {
			picks[i], against[i] = pick(a.scores[i]), pick(negate(a.scores[i]))
		}
		shares = append(shares, picks, against)
	}
	chance := 0.0
	for _, q := range questions {
		chance += q.chance()
	}
	source := rand.New(rand.NewPCG(3, uint64(len(questions))))
	drawn := make([]int, len(questions))
	var best []float64
	for range luckDraws {
		for i, q := range questions {
			drawn[i] = source.IntN(len(q.Options))
		}
		most := 0.0
		for _, picks := range shares {
			sum := 0.0
			for i, k := range drawn {
				sum += picks[i][k]
			}
			most = max(most, (sum-chance)/float64(len(questions)))
		}
		best = append(best, most)
	}
	slices.Sort(best)
	return percentile(best, .95)
}

const shownHits = 25

// mostHit lists the questions that the attacks with a lift get right.
func (r *Report) mostHit(questions []*Question) {
	for i, q := range questions {
		h := Hit{ID: q.ID, File: q.File, Line: q.Line, Attacks: []string{}}
		for _, a := range r.Attacks {
			if a.Kind == Passage || !a.Leaks && a.Interval[0] <= 0 {
				continue
			}
			h.Expect += q.chance()
			if a.hits[i] > .999 {
				h.Attacks = append(h.Attacks, a.Attack)
			}
		}
		if len(h.Attacks) > 0 && float64(len(h.Attacks)) > h.Expect {
			r.Hit = append(r.Hit, h)
		}
	}
	slices.SortStableFunc(r.Hit, func(a, b Hit) int { return cmp.Compare(len(b.Attacks), len(a.Attacks)) })
	r.Hit = r.Hit[:min(len(r.Hit), shownHits)]
}
