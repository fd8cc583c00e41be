package main

import (
	"github.com/spf13/cobra"

	"verbatim/internal/cli"
)

func inspectCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Show one stage of the work",
		Long: `Show one stage of the work. Every inspect command prints text for people, or
with --json one object per line for programs. Offsets are bytes of the file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			for _, name := range []string{"json", "spans", "sentences"} {
				if asJSON, _ := cmd.Flags().GetBool(name); asJSON {
					return // JSON escapes them itself
				}
			}
			cmd.SetOut(&cli.Readable{Out: cmd.OutOrStdout()})
		},
	}
	cmd.AddCommand(inspectSentencesCommand(), inspectCleaningCommand(), inspectConnectorsCommand())
	cmd.AddCommand(inspectFramesCommand(), inspectFieldsCommand())
	cmd.AddCommand(inspectRankingCommand(), inspectNegationsCommand())
	cmd.AddCommand(inspectPolarityCommand())
	return cmd
}
