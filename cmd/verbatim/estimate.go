package main

import (
	"fmt"
	"path/filepath"

	"verbatim/cloze"
)

// estimate says before a batch how many calls to language models it may take.
// Where there are none it says nothing.
func (m *maker) estimate(jobs []bookJob) error {
	_, written := m.o.typeLists()
	checks, answers := 0, 0
	for _, job := range jobs {
		l, err := m.language(job.dir)
		if err != nil {
			return err
		}
		check, err := m.batchCheck(l)
		if err != nil {
			return err
		}
		if check == nil {
			continue
		}
		c, drafts := m.estimateBook(job.path, job.dir, check)
		checks, answers = checks+c, answers+drafts*len(written)
	}
	if checks+answers > 0 {
		fmt.Fprintf(m.cmd.ErrOrStderr(), "verbatim: about %s to language models: %d to check connectors, %d for wrong answers (fewer where the ledger answers; --max-calls sets a limit)\n",
			count(checks+answers, "call"), checks, answers)
	}
	return nil
}

// estimateBook counts for one book; one that cannot be read is named later.
func (m *maker) estimateBook(path, dir string, check *tagCheck) (checks, drafts int) {
	doc, err := openDocument(path, standardInput(m.cmd.Context(), consoleOf(m.cmd)))
	if err != nil {
		return 0, 0
	}
	if m.taggers[dir] == nil {
		if m.taggers[dir], err = newTagger(filepath.Join(dir, "rules")); err != nil {
			return 0, 0
		}
	}
	open, all := map[string]int{}, map[string]int{}
	for s := range m.taggers[dir].sentences(doc) {
		for _, tag := range s.Tags {
			all[tag.Name]++
			if check.questions.Needs(tag) {
				open[tag.Name]++
			}
		}
	}
	for _, c := range cloze.Categories {
		if check.cap >= 0 {
			checks += min(check.cap, open[c.Name])
		} else {
			checks += open[c.Name]
		}
		if m.o.wants(c.Name) && m.o.distractors == "all" && all[c.Name] >= m.o.minExamples {
			drafts += min(m.o.candidates, all[c.Name])
		}
	}
	return checks, drafts
}
