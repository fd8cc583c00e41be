package main

import (
	"github.com/spf13/cobra"

	"verbatim/internal/cli"
)

func inspectCommand() *cobra.Command {
	cmd := newGroup("inspect", inspectSentencesCommand(), inspectCleaningCommand(), inspectConnectorsCommand(), inspectFramesCommand(),
		inspectFieldsCommand(), inspectRankingCommand(), inspectNegationsCommand(), inspectPolarityCommand())
	cmd.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		for _, name := range []string{"json", "spans", "sentences"} {
			if asJSON, _ := cmd.Flags().GetBool(name); asJSON {
				return // JSON escapes them itself
			}
		}
		cmd.SetOut(&cli.Readable{Out: cmd.OutOrStdout()})
	}
	return cmd
}
