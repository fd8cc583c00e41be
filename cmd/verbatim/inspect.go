package main

import "github.com/spf13/cobra"

func inspectCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Look at one stage of the work",
		Long: `Look at one stage of the work. Every inspect command prints for people, and
with --json one object a line for programs. Offsets are bytes of the file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			for _, name := range []string{"json", "spans", "sentences"} {
				if asJSON, _ := cmd.Flags().GetBool(name); asJSON {
					return // JSON has escapes of its own
				}
			}
			cmd.SetOut(&readable{out: cmd.OutOrStdout()})
		},
	}
	cmd.AddCommand(inspectSentencesCommand(), inspectCleaningCommand(), inspectConnectorsCommand())
	cmd.AddCommand(inspectFramesCommand(), inspectFieldsCommand())
	cmd.AddCommand(inspectRankingCommand(), inspectNegationsCommand())
	cmd.AddCommand(inspectPolarityCommand())
	return cmd
}
