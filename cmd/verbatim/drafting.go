package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/bert/small"
	"verbatim/chat"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/folder"
	"verbatim/review"
)

// makeBatch drafts questions of many books. One that fails does not stop the
// others. First each book is read, drafted and ranked, and its drafts written;
// then the language models write their answers, one model after the other over
// all books, and the drafts are written again, whole.
func makeBatch(cmd *cobra.Command, paths []string, o *makeOptions) error {
	m, sum, jobs, err := begin(cmd, paths, o)
	if err != nil {
		return err
	}
	if err := m.estimate(jobs); err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), "books", len(jobs))
	var open []*workbook
	defer func() {
		for _, w := range open {
			_ = w.close()
		}
	}()
	for _, job := range jobs {
		w, err := m.prepare(job.path)
		if err == nil {
			if err = m.draft(cmd.Context(), w); err != nil {
				err = errors.Join(err, w.close())
			}
		}
		bar.clear()
		if cmd.Context().Err() != nil {
			return stopped(cmd, cmd.Context().Err())
		}
		if err != nil {
			if fatal(err) {
				return stopped(cmd, err)
			}
			sum.fail(err)
			continue
		}
		open = append(open, w)
		bar.step()
		if m.waiting(w) == 0 { // nothing of it is for a language model
			open = open[:len(open)-1]
			if err := m.finish(w, sum); err != nil {
				return err
			}
		}
	}
	bar.clear()
	if err := m.writeAnswers(cmd.Context(), open); err != nil {
		return stopped(cmd, err)
	}
	for _, w := range open {
		if err := m.finish(w, sum); err != nil {
			return err
		}
	}
	open = nil
	m.modelSummaries()
	return sum.end()
}

// begin is how make begins: each book once, and those that would replace each
// other named and left out.
func begin(cmd *cobra.Command, paths []string, o *makeOptions) (*maker, *summary, []bookJob, error) {
	m, err := newMaker(cmd, o)
	if err != nil {
		return nil, nil, nil, err
	}
	jobs, twins := tellApart(o.dir, paths)
	sum := newSummary(cmd, o, len(jobs)+len(twins))
	for _, err := range twins {
		sum.fail(err)
	}
	return m, sum, jobs, nil
}

// fatal says whether no other book would fare better.
func fatal(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, errNoSpace) || chat.KindOf(err) != ""
}

// finish writes the questions of a book and its part of the summary.
func (m *maker) finish(w *workbook, sum *summary) error {
	err := w.saveQuestions(m.o.force)
	if err != nil {
		w.note("%v", err)
	}
	sum.add(w)
	return w.close()
}

// draftSources is what drafts are made from, but for the answers of models.
func (m *maker) draftSources(w *workbook) folder.Sources {
	return w.draftSources(m.o, m.scorers[w.files.Dir()])
}

func (w *workbook) draftSources(o *makeOptions, scorer string) folder.Sources {
	tagged, _ := os.ReadFile(w.files.Path(w.barcode, folder.Tagged))
	sameBook, _ := o.typeLists()
	drawn := o.drawn()
	from := w.tagger.sources(w.doc)
	maps.Copy(from, folder.Sources{
		"tags": hashOf(tagged), "scorer": scorer,
		"seed": drawn["seed"], numberOfDrafts: drawn["candidates"], "number of examples": drawn["min-examples"],
		choiceOfCategories: drawn["categories"], "choice of distractors": drawn["distractors"], "number of same-book answers": strconv.Itoa(len(sameBook)),
	})
	return from
}

// Sources of drafts that say how many of them there are: the others are the
// same whatever these say.
const (
	numberOfDrafts     = "number of candidates"
	choiceOfCategories = "choice of categories"
)

// answerSource is what the answers of language models are made from.
func (m *maker) answerSource(w *workbook) string {
	_, written := m.o.typeLists()
	if w.chat == nil || len(written) == 0 {
		return "none"
	}
	l := m.languages[w.files.Dir()]
	return hashOf([]byte(strings.Join(written, " ") + "\n" + l.label("negation-model", distractor.DefaultNegator) + "\n" + writtenFrom(w.files.Dir(), w.about.Frame())))
}

// writtenFrom is what a model's answers come from besides the draft: the frame,
// and the prompts, where the user has some.
func writtenFrom(dir, frame string) string {
	return hashOf([]byte(frame + "\n" + folderHash(filepath.Join(dir, "rules", "prompts"))))
}

// folderHash hashes the files of a folder of the user's; empty for none.
func folderHash(dir string) string {
	var all []byte
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			all = fmt.Appendf(all, "%s %d %s\n", name, len(data), data)
		}
		return nil
	})
	return hashOf(all)
}

// draft makes the drafts of a book and ranks what the book itself can answer;
// or reads them, where they were made from the same.
func (m *maker) draft(ctx context.Context, w *workbook) error {
	categories := w.enough(m.o)
	if len(categories) == 0 {
		return m.errTooShort(w)
	}
	g, err := m.generator(w)
	if err != nil {
		return err
	}
	from := m.draftSources(w)
	state, why, err := w.files.State(w.barcode, folder.Drafts, from)
	switch {
	case err != nil:
		return err
	case state == folder.Changed && !m.o.force:
		return fmt.Errorf("%s is left as it is: %s; --force makes it anew", w.files.Path(w.barcode, folder.Drafts), why)
	case state == folder.Fresh && !m.o.force:
		err = m.readAgain(w)
	default:
		others, same := m.others(w, from)
		if state == folder.Stale && !same {
			w.note("the drafts were stale (%s) and were made anew", why)
		}
		err = m.drawDrafts(ctx, w, categories, others)
	}
	if err != nil {
		return err
	}
	w.addInstead()
	var unranked []*cloze.Draft
	for _, d := range m.toDistract(w) {
		if !d.Made && len(d.Options) == 0 && len(d.Failed) == 0 {
			unranked = append(unranked, d)
		}
	}
	if state == folder.Fresh && !m.o.force && len(unranked) == 0 {
		return nil
	}
	if err := m.rank(ctx, w, g, unranked); err != nil {
		return err
	}
	return w.saveDrafts(from, m.answersDone(w), m.unusual(w))
}

// others are the drafts, made from the same, of categories that this run is not
// asked about: who wants more of one category keeps those of the others. same
// says that only another number of drafts is wanted.
func (m *maker) others(w *workbook, from folder.Sources) (others []*cloze.Draft, same bool) {
	from = maps.Clone(from)
	delete(from, numberOfDrafts)
	delete(from, choiceOfCategories)
	if state, _, err := w.files.State(w.barcode, folder.Drafts, from); err != nil || state != folder.Fresh {
		return nil, false
	}
	drafts, err := readDrafts(w.files.Path(w.barcode, folder.Drafts))
	if err != nil {
		return nil, false // they are made anew
	}
	return slices.DeleteFunc(drafts, func(d *cloze.Draft) bool { return m.o.wants(d.Category) }), true
}

// drawDrafts draws as many drafts of each category as are wanted, and puts them
// before those that are there.
func (m *maker) drawDrafts(ctx context.Context, w *workbook, categories []string, others []*cloze.Draft) error {
	w.drafts = nil
	for _, category := range categories {
		n := 0
		for d := range w.book.Drafts(category) {
			keep, err := w.check(ctx, d)
			if err != nil {
				return err
			}
			if keep {
				w.drafts = append(w.drafts, d)
				if n++; n == m.o.candidates {
					break
				}
			}
		}
	}
	w.drafts = append(w.drafts, others...)
	return nil
}

// instead are the drafts that stand now where accepted ones were lost.
func (w *workbook) instead() map[string][]*cloze.Draft {
	of := map[string][]*cloze.Draft{}
	lost := w.lost()
	for s := range w.log.Standings() {
		if lost[s.Draft] {
			if d := w.book.Instead(s.Category, s.Draft, s.Passage, s.Truth); d != nil {
				of[s.Category] = append(of[s.Category], d)
			}
		}
	}
	return of
}

// addInstead puts them before the other drafts, where they are not yet there.
func (w *workbook) addInstead() {
	instead := w.instead()
	for _, category := range cloze.Categories {
		for _, d := range instead[category.Name] {
			at := slices.IndexFunc(w.drafts, func(x *cloze.Draft) bool { return x.ID == d.ID })
			if at < 0 {
				w.drafts = slices.Insert(w.drafts, 0, d)
			} else {
				w.drafts[at].Instead = d.Instead
			}
		}
	}
}

// readAgain reads drafts that were made from the same.
func (m *maker) readAgain(w *workbook) (err error) {
	if w.drafts, err = readDrafts(w.files.Path(w.barcode, folder.Drafts)); err != nil {
		return err
	}
	return m.refresh(w)
}

// refresh forgets what models wrote from other prompts or another frame.
func (m *maker) refresh(w *workbook) error {
	if w.chat == nil {
		return nil // what a model wrote another day stays
	}
	state, _, err := w.files.State(w.barcode, folder.Drafts, folder.Sources{"answers": m.answerSource(w)})
	if err != nil || state == folder.Fresh {
		return err
	}
	for _, d := range w.drafts {
		d.Forget()
	}
	return nil
}

// toDistract are the drafts that get wrong answers now.
func (m *maker) toDistract(w *workbook) []*cloze.Draft {
	if m.o.distractors == "all" {
		return w.drafts
	}
	var accepted []*cloze.Draft
	for _, d := range w.drafts {
		if s, ok := w.log.Of(d.ID); ok && s.Verdict == review.Passage {
			accepted = append(accepted, d)
		}
	}
	return accepted
}

// rank finds the wrong answers of the same book.
func (m *maker) rank(ctx context.Context, w *workbook, g *distractor.Generator, drafts []*cloze.Draft) error {
	sameBook, _ := m.o.typeLists()
	if len(sameBook) == 0 || len(drafts) == 0 {
		return nil
	}
	var requests []distractor.Request
	for _, d := range drafts {
		requests = append(requests, w.book.Request(d, w.about.Frame(), sameBook, nil))
	}
	bar := newProgress(m.cmd.ErrOrStderr(), "drafts of "+w.barcode+" ranked", len(requests))
	g.Progress = func(int, int) { bar.step() }
	defer bar.clear()
	i := 0
	for answers, err := range g.MakeAll(ctx, requests) {
		if err != nil {
			return err
		}
		w.book.TakeSameBook(drafts[i], answers)
		i++
	}
	return ctx.Err()
}

// answersDone says whether nothing is left for language models, and marks the
// drafts as made.
func (m *maker) answersDone(w *workbook) string {
	if m.waiting(w) > 0 {
		return "waiting"
	}
	for _, d := range m.toDistract(w) {
		d.Made = true
	}
	return m.answerSource(w)
}

// waiting is how many drafts of a book wait for a language model's answers.
func (m *maker) waiting(w *workbook) int {
	_, written := m.o.typeLists()
	if w.chat == nil || len(written) == 0 {
		return 0
	}
	n := 0
	for _, d := range m.toDistract(w) {
		if !d.Made {
			n++
		}
	}
	return n
}

// writeAnswers lets the language models write, one after the other over all
// books, and says before how many calls that may take.
func (m *maker) writeAnswers(ctx context.Context, books []*workbook) error {
	_, written := m.o.typeLists()
	var g *distractor.Generator
	var requests []distractor.Request
	var drafts []*cloze.Draft
	for _, w := range books {
		own, err := m.generator(w)
		if err != nil {
			return err
		}
		g = own // any will do: each request brings what its folder has
		for _, d := range m.toDistract(w) {
			if !d.Made {
				r := w.book.Request(d, w.about.Frame(), written, nil)
				r.Candidates, r.Chat, r.Prompts, r.Negator = nil, own.Chat, own.Prompts, own.Negator
				requests, drafts = append(requests, r), append(drafts, d)
			}
		}
	}
	if len(requests) == 0 {
		return nil
	}
	bar := newProgress(m.cmd.ErrOrStderr(), "answers", len(requests)*len(written))
	g.Progress = func(int, int) { bar.step() }
	defer bar.clear()
	i := 0
	for answers, err := range g.MakeAll(ctx, requests) {
		if err != nil {
			return err
		}
		drafts[i].TakeWritten(answers)
		drafts[i].Made = true
		i++
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, w := range books {
		if err := w.saveDrafts(m.draftSources(w), m.answersDone(w), m.unusual(w)); err != nil {
			return err
		}
	}
	return nil
}

// generator is the maker of wrong answers with the settings of a book's folder.
// The model that ranks is loaded once for each folder.
func (m *maker) generator(w *workbook) (*distractor.Generator, error) {
	dir := w.files.Dir()
	if m.generators[dir] == nil {
		g, err := m.languages[dir].generator()
		if err != nil {
			return nil, err
		}
		m.scorers[dir] = scorerHash(m.languages[dir].settings)
		if m.scorers[dir] == aStandIn {
			g.Scorer = standIn
		}
		m.generators[dir] = g
	}
	g := *m.generators[dir]
	g.Chat = w.chat
	return &g, nil
}

// standIn ranks instead of the embedded model, which would make tests slow; only
// tests set it.
var standIn verbatim.Scorer

const aStandIn = "a stand-in"

// smallHash is the embedded model's; status asks for it with every book.
var smallHash = sync.OnceValue(func() string { return modelHash(small.Files()) })

// scorerHash tells which model ranks by these settings.
func scorerHash(s *settings) string {
	folder, from := s.get("nsp-model")
	switch {
	case folder == "none":
		return "none"
	case from == "" && standIn != nil:
		return aStandIn
	case from == "":
		return smallHash()
	}
	return modelHash(os.DirFS(folder))
}

// modelHash tells one next-sentence model from another, so that drafts that
// another one has ranked are stale.
func modelHash(files fs.FS) string {
	sum := sha256.New()
	for _, name := range []string{"config.json", "vocab.txt", "tokenizer.json", "model.safetensors"} {
		if file, err := files.Open(name); err == nil {
			_, _ = io.Copy(sum, file) // a file that cannot be read has stopped the run before
			_ = file.Close()
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// saveDrafts writes the drafts of a book; answers says what those that models
// wrote were made from, and flags how to make them so again.
func (w *workbook) saveDrafts(from folder.Sources, answers, flags string) error {
	from["answers"], from["flags"] = answers, flags
	if answers != "none" {
		from["frame or prompt"] = writtenFrom(w.files.Dir(), w.about.Frame())
	}
	err := w.files.Write(w.barcode, from, map[string]func(io.Writer) error{
		folder.Drafts: func(out io.Writer) error {
			return verbatim.Write(out, func(yield func(*cloze.Draft, error) bool) {
				for _, d := range w.drafts {
					if !yield(d, nil) {
						return
					}
				}
			})
		},
	})
	return w.plainly(err)
}

// readDrafts reads a file of drafts; where there is none there are none.
func readDrafts(path string) ([]*cloze.Draft, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainPathError(err)
	}
	defer file.Close()
	var drafts []*cloze.Draft
	for d, err := range verbatim.Read[cloze.Draft](file, path) {
		if err != nil {
			return nil, fmt.Errorf("%w; make the drafts anew with: verbatim make --batch --force BOOK.txt", err)
		}
		drafts = append(drafts, &d)
	}
	return drafts, nil
}
