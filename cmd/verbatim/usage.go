package main

import (
	"cmp"
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

// plainErrors makes all commands report mistakes in one way: what is wrong, what
// was perhaps meant, and where to find help.
func plainErrors(cmd *cobra.Command) {
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
		plainErrors(below)
	}
}

func see(cmd *cobra.Command) string { return "see: " + cmd.CommandPath() + " --help" }

func unknownCommand(cmd *cobra.Command, name string) error {
	names := []string{"--version"}
	for _, below := range cmd.Commands() {
		names = append(names, below.Name())
	}
	return fmt.Errorf("unknown command %q%s; %s", name, near.Nearest(name, names), see(cmd))
}

// argMistake says which argument is missing or too many.
func argMistake(cmd *cobra.Command, args []string) error {
	var wanted []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if !strings.HasPrefix(word, "[") {
			wanted = append(wanted, strings.ReplaceAll(strings.TrimSuffix(word, "..."), "|", " or "))
		}
	}
	usage := strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
	if len(args) < len(wanted) {
		return fmt.Errorf("%s is missing; usage: %s; %s", strings.Join(wanted[len(args):], " and "), usage, see(cmd))
	}
	return fmt.Errorf("too many arguments: %q (a name with spaces needs quotes); usage: %s; %s", args[len(args)-1], usage, see(cmd))
}

// flagMistake rewrites errors of pflag.
func flagMistake(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return unknownCommand(cmd, args[0]) // `verbatim inpsect --json` is not about --json
	}
	if unknown, is := errors.AsType[*pflag.NotExistError](err); is {
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("unknown flag -%s; %s", unknown.GetSpecifiedName(), see(cmd))
		}
		name := "--" + unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		return fmt.Errorf("unknown flag %s%s; %s", name, near.Nearest(name, names), see(cmd))
	}
	if bare, is := errors.AsType[*pflag.ValueRequiredError](err); is {
		return fmt.Errorf("--%s needs a value; %s", bare.GetFlag().Name, see(cmd))
	}
	if wrong, is := errors.AsType[*pflag.InvalidValueError](err); is {
		f := wrong.GetFlag()
		return fmt.Errorf("--%s is %q; it must be %s, for example --%s=%s; %s", f.Name, wrong.GetValue(), cmp.Or(kinds[f.Value.Type()], "a whole number"), f.Name, f.DefValue, see(cmd))
	}
	return fmt.Errorf("%w; %s", err, see(cmd))
}

// kinds says what a flag takes; all others take whole numbers.
var kinds = map[string]string{"bool": "true or false", "duration": "a time such as 90s, 10m or 2h"}

// tooSmall rejects numbers below the least possible, which is 0 for most flags.
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

// plainly is an error as people read it, without the wording of libraries.
func plainly(err error) string {
	text := strings.ReplaceAll(err.Error()+advice(err), context.Canceled.Error(), "stopped")
	if unknown, is := errors.AsType[*workspace.NotDescribedError](err); is {
		text = notDescribed(unknown)
	}
	if number, is := errors.AsType[*strconv.NumError](err); is {
		kind := "not a whole number"
		switch {
		case errors.Is(number.Err, strconv.ErrRange):
			kind = "too large"
		case number.Func == "ParseFloat":
			kind = "not a number"
		case number.Func == "ParseBool":
			kind = "neither true nor false"
		}
		text = strings.ReplaceAll(text, number.Error(), fmt.Sprintf("%q is %s", number.Num, kind))
	}
	return verbatim.Readable(exclusive.ReplaceAllString(text, "--$1 and --$2 cannot be used together"))
}
