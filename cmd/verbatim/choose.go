package main

import "github.com/spf13/cobra"

// addChoose adds --choose.
func addChoose(cmd *cobra.Command) {
	cmd.Flags().String("choose", "best", "the wrong answers of the book: best, those that fit best; balanced, those that give nothing away")
}
