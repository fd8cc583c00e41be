package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/intake"
	"verbatim/internal/durable"
)

// intakeFlags say how to read journals.
type intakeFlags struct{ fields, encoding string }

func addIntake(cmd *cobra.Command, f *intakeFlags) {
	cmd.Flags().StringVar(&f.fields, "map", "", "the journals' own `NAMES` of fields or columns, such as id=entry_id,text=entry")
	cmd.Flags().StringVar(&f.encoding, "encoding", "", "the journals' encoding: utf-8, utf-16 or latin-1 (default: utf-8)")
}

func (f intakeFlags) reader() (*intake.Reader, error) {
	mapped, err := intake.ParseFields(f.fields)
	if err != nil {
		return nil, fmt.Errorf("--map: %w", err)
	}
	if f.encoding != "" && !slices.Contains(intake.Encodings, strings.ToLower(f.encoding)) {
		return nil, fmt.Errorf("--encoding %s is unknown; the encodings are %s", f.encoding, strings.Join(intake.Encodings, ", "))
	}
	return &intake.Reader{Fields: mapped, Encoding: f.encoding}, nil
}

// checkInputs names a missing file before the first one is read.
func checkInputs(paths []string) error {
	for _, path := range paths {
		if path == "-" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return durable.CannotRead(err)
		}
	}
	return onlyOneInput(paths...)
}
