package main

import (
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cue"
)

func inspectConnectorsCommand() *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "connectors FILE",
		Short: "The connectors of a book, in which sense, and what they govern",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cards := cue.Connectors()
			if all && asJSON && args[0] == "-" {
				return inspectLines(cmd, cards)
			}
			return fmt.Errorf("not yet")
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every occurrence, also those that mean nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one object a line, for programs")
	return cmd
}

// queryLine is a line of input for --all --json.
type queryLine struct {
	ID       *string `json:"id"`
	Previous string  `json:"previous"`
	Sentence *string `json:"sentence"`
}

// hitLine is one occurrence.
type hitLine struct {
	ID        string `json:"id"`
	Connector string `json:"connector"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Sense     string `json:"sense"`
	Subtype   string `json:"subtype,omitempty"`
	Card      string `json:"card"`
	Sure      bool   `json:"sure"`
}

func inspectLines(cmd *cobra.Command, cards *cue.Cards) error {
	r := cards.NewReader()
	var hits iter.Seq2[hitLine, error] = func(yield func(hitLine, error) bool) {
		for line, err := range verbatim.Read[queryLine](cmd.InOrStdin(), "standard input") {
			if err != nil {
				yield(hitLine{}, err)
				return
			}
			for _, h := range r.Hits(line.Previous, *line.Sentence) {
				if !yield(hitLine{*line.ID, h.Connector, h.Start, h.End, h.Sense, h.Subtype, h.Card, h.Sure}, nil) {
					return
				}
			}
		}
	}
	return verbatim.Write(cmd.OutOrStdout(), hits)
}
