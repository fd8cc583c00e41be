package main

import (
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/balance"
	"verbatim/cloze"
	"verbatim/distractor"
)

// addChoose adds --choose.
func addChoose(cmd *cobra.Command) {
	cmd.Flags().String("choose", "best", "the wrong answers of the book: best, those that fit best; balanced, those that give nothing away")
}

// balanceRequests lets a generator choose answers that give nothing away, if the
// settings say so. Request by request, the choice depends on those before; of a
// batch, on the whole batch.
func balanceRequests(g *distractor.Generator, choose string, requests iter.Seq2[distractor.Request, error]) (iter.Seq2[distractor.Request, error], error) {
	switch choose {
	case "", "best":
		return requests, nil
	case verbatim.Balanced:
	default:
		return nil, fmt.Errorf("--choose is %q; write best or balanced", choose)
	}
	chooser := &balance.Chooser{}
	g.Arrange = func(requests []distractor.Request, rankings [][]distractor.Ranked, truths []*distractor.Ranked) {
		var items []balance.Item
		var of []int
		for i, r := range requests {
			if truths[i] != nil {
				items, of = append(items, requestItem(&r, rankings[i], truths[i])), append(of, i)
			}
		}
		var chosen [][]int
		if len(items) == 1 {
			chosen = [][]int{chooser.Next(items[0])}
		} else {
			chosen = balance.Choose(items)
		}
		for n, i := range of {
			rankings[i] = chosenFirst(rankings[i], distractor.Around(rankings[i], truths[i].Score, cloze.PoolSize), chosen[n])
		}
	}
	return func(yield func(distractor.Request, error) bool) {
		for r, err := range requests {
			r.RankTruth, r.DrawLength = true, true
			if len(r.Types) == 0 {
				r.Types = distractor.BalancedTypes()
			}
			if !yield(r, err) {
				return
			}
		}
	}, nil
}

// requestItem is a request as the choice sees it.
func requestItem(r *distractor.Request, ranked []distractor.Ranked, truth *distractor.Ranked) balance.Item {
	item := balance.Item{ID: r.ID + "\x00" + r.GroundTruth, Category: r.Mask, Passage: r.Passage, Truth: balance.Option{Text: r.GroundTruth, Fit: truth.Score}}
	for _, c := range distractor.Around(ranked, truth.Score, cloze.PoolSize) {
		item.Pool = append(item.Pool, balance.Option{Text: c.Candidate, Fit: c.Score})
	}
	for _, name := range r.Types {
		if name == "same_book" {
			item.Want++
		}
	}
	return item
}

// chosenFirst puts the chosen ones of a pool before the rest of a ranking.
func chosenFirst(ranked, pool []distractor.Ranked, chosen []int) []distractor.Ranked {
	var first []distractor.Ranked
	for _, i := range chosen {
		first = append(first, pool[i])
	}
	isFirst := func(r distractor.Ranked) bool {
		return slices.ContainsFunc(first, func(f distractor.Ranked) bool { return f.Index == r.Index })
	}
	return append(first, slices.DeleteFunc(slices.Clone(ranked), isFirst)...)
}
