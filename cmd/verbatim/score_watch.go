package main

import (
	"cmp"
	"context"
	"errors"
	"io"

	"verbatim/grade"
)

// runWatch shows the figures of predictions without gold.
func runWatch(ctx context.Context, c *console, f scoreFlags) error {
	switch {
	case f.against != "" || len(f.maxDrop) > 0 || f.html != "" || len(f.explain) > 0:
		return errors.New("--against, --max-drop, --html and --explain need --gold FILE; without gold, compare with --baseline FILE")
	case f.draws < 0:
		return errors.New("--draws must be 0 or more")
	}
	files, err := openScoreFiles(ctx, c, f, "", f.pred, f.baseline)
	defer files.close()
	if err != nil {
		return listProblems(c, err)
	}
	say(c, "no --gold: these figures show what the system does, not whether it is right")
	var w *grade.Watch
	var checked []grade.CheckedGate
	files.out.Rows = "" // no scores of single journals
	if err := files.out.Write(func(io.Writer) (summary grade.Object, err error) {
		w, err = grade.Observe(ctx, grade.WatchOptions{Schema: files.schema, Pred: files.in[0], Baseline: files.in[1], Journals: files.journals,
			Draws: f.draws, Seed: f.seed, Workers: f.workers})
		if err != nil {
			return nil, err
		}
		summary = w.Summary("verbatim " + version())
		checked, err = grade.CheckGates(files.gates, summary)
		return summary, err
	}); err != nil {
		return listProblems(c, err)
	}
	if err := w.WriteTable(c.out); err != nil {
		return err
	}
	sayRemarks(c, &w.Pred.Remarks)
	wrong := sayProblems(c, w.Pred.Name, w.Pred.Problems)
	if w.Baseline != nil {
		wrong = append(wrong, sayProblems(c, w.Baseline.Name, w.Baseline.Problems)...)
	}
	err = writeCI(c, f, checked, wrong, func(out io.Writer) error {
		return grade.WriteMarkdownGates(out, "Predictions without gold", checked, wrong)
	})
	return cmp.Or(err, scoreVerdict(c, wrong, checked))
}
