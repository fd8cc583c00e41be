package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/internal/near"
	"verbatim/workspace"
)

// sayPlainly lets all commands tell slips of the hand in our words: what is
// wrong, what may have been meant, and where to read on.
func sayPlainly(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(flagMistake)
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := tooSmall(cmd); err != nil {
			return err
		}
		switch {
		case cmd.HasSubCommands() && len(args) > 0:
			return unknownCommand(cmd, args[0])
		case check == nil || check(cmd, args) == nil:
			return nil
		}
		return argMistake(cmd, args)
	}
	for _, below := range cmd.Commands() {
		sayPlainly(below)
	}
}

// oldFlags lets the flags of version 0.1.0 work under their old names, and calls
// notice with each that was typed.
func oldFlags(notice func(old, now string)) func(*pflag.FlagSet, string) pflag.NormalizedName {
	return func(flags *pflag.FlagSet, name string) pflag.NormalizedName {
		if now, old := workspace.OldNames[name]; old {
			notice(name, now)
			return pflag.NormalizedName(now)
		}
		return pflag.NormalizedName(name)
	}
}

func see(cmd *cobra.Command) string { return "see: " + cmd.CommandPath() + " --help" }

func unknownCommand(cmd *cobra.Command, name string) error {
	names := []string{"--version"}
	for _, below := range cmd.Commands() {
		names = append(names, below.Name())
	}
	return fmt.Errorf("there is no command %q%s; %s", name, near.Nearest(name, names), see(cmd))
}

// argMistake says what is missing, or one too many, by the command's own usage.
func argMistake(cmd *cobra.Command, args []string) error {
	var wanted []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if !strings.HasPrefix(word, "[") {
			wanted = append(wanted, strings.ReplaceAll(strings.TrimSuffix(word, "..."), "|", " or "))
		}
	}
	usage := strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
	if len(args) < len(wanted) {
		return fmt.Errorf("%s is missing; type: %s; %s", strings.Join(wanted[len(args):], " and "), usage, see(cmd))
	}
	return fmt.Errorf("%q is one too many (a name with spaces needs quotes); type: %s; %s", args[len(args)-1], usage, see(cmd))
}

// flagMistake says in our words what pflag says in its own.
func flagMistake(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return unknownCommand(cmd, args[0]) // `verbatim inpsect --json` is not about --json
	}
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("there is no flag -%s; %s", unknown.GetSpecifiedName(), see(cmd))
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		return fmt.Errorf("there is no flag %s%s; %s", name, near.Nearest(name, names), see(cmd))
	case errors.As(err, &bare):
		return fmt.Errorf("nothing stands after --%s; %s", bare.GetFlag().Name, see(cmd))
	case errors.As(err, &wrong):
		f := wrong.GetFlag()
		return fmt.Errorf("--%s is %q; it must be %s, for example --%s=%s; %s", f.Name, wrong.GetValue(), kindOf(f.Value.Type()), f.Name, f.DefValue, see(cmd))
	}
	return fmt.Errorf("%w; %s", err, see(cmd))
}

func kindOf(flagType string) string {
	switch flagType {
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 90s, 10m or 2h"
	}
	return "a whole number"
}

// tooSmall refuses numbers that mean nothing. Nothing else is counted from less
// than 0.
func tooSmall(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		least := 0
		switch f.Name {
		case "workers", "concurrency":
			least = 1
		case "confirm-cap": // -1: all
			least = -1
		case "seed":
			return
		}
		if n, isInt := strconv.Atoi(f.Value.String()); err == nil && f.Value.Type() == "int" && isInt == nil && n < least {
			err = fmt.Errorf("--%s is %d; it must be at least %d; %s", f.Name, n, least, see(cmd))
		}
	})
	return err
}

var exclusive = regexp.MustCompile(`^if any flags in the group \[(\S+) (\S+)\] are set none of the others can be;.*`)

// plainly says an error in words for people where a library's own shine through.
func plainly(err error) string {
	text := strings.ReplaceAll(err.Error()+advice(err), context.Canceled.Error(), "stopped")
	if unknown := (*workspace.NotDescribedError)(nil); errors.As(err, &unknown) {
		text = notDescribed(unknown)
	}
	if number := (*strconv.NumError)(nil); errors.As(err, &number) {
		kind := "no whole number"
		switch {
		case errors.Is(number.Err, strconv.ErrRange):
			kind = "too large"
		case number.Func == "ParseFloat":
			kind = "no number"
		case number.Func == "ParseBool":
			kind = "neither true nor false"
		}
		text = strings.ReplaceAll(text, number.Error(), fmt.Sprintf("%q is %s", number.Num, kind))
	}
	return verbatim.Readable(exclusive.ReplaceAllString(text, "--$1 and --$2 exclude each other; give one of them"))
}
