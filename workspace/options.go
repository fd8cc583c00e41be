package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"verbatim/distractor"
)

// Options decide which drafts are made of a book. Start from Standard or from
// Settings.Options.
type Options struct {
	Seed        int64    `json:"seed"`
	Drafts      int      `json:"drafts"`       // per category
	MinExamples int      `json:"min_examples"` // that a category needs
	Categories  []string `json:"categories"`   // empty: all
	Distractors string   `json:"distractors"`  // all, or accepted: only for drafts whose passage was accepted
	Types       []string `json:"types"`        // of wrong answers; empty: distractor.DefaultTypes
	Scorer      string   `json:"nsp_model"`    // folder of a next-sentence model, none, or empty for the one inside
	Arithmetic  string   `json:"arithmetic"`   // of that model: int8 or f32; empty: its own choice
	// Choose is what chooses among the same-book answers: empty or best, the fit
	// alone; balanced, what gives nothing away.
	Choose string `json:"choose,omitempty"`
}

// Standard are the options that hold if nobody decides otherwise.
func Standard() Options { return Options{Drafts: 7, MinExamples: 4, Distractors: "all"} }

// Wants reports whether a category is asked for.
func (o *Options) Wants(category string) bool {
	return wants(o.Categories, category)
}

func wants(categories []string, category string) bool {
	return len(categories) == 0 || slices.Contains(categories, category)
}

// types are the wrong answers to make: those of the book, and those that a
// language model writes.
func (o *Options) types() (sameBook, written []string) {
	types := o.Types
	if len(types) == 0 {
		types = distractor.DefaultTypes
		if o.balanced() {
			types = distractor.BalancedTypes()
		}
	}
	for _, name := range types {
		if name == sameBookType {
			sameBook = append(sameBook, name)
		} else {
			written = append(written, name)
		}
	}
	return sameBook, written
}

const sameBookType = "same_book"

// Changes are the options of a run that the folder's settings did not give, by
// their JSON names. made.json holds them, so that drafts can be made the same
// way again.
type Changes map[string]json.RawMessage

// Changes are the options that the folder's settings do not give by themselves. A
// model's path is relative to the folder.
func (ws *Workspace) Changes(o Options) (Changes, error) {
	alone := *ws.Settings
	alone.Override = nil
	settings, err := alone.Options()
	if err != nil {
		return nil, err
	}
	if o.Scorer != "" && o.Scorer != "none" && o.Scorer != settings.Scorer {
		if o.Scorer = ws.relative(o.Scorer); o.Scorer == "" {
			o.Scorer = settings.Scorer // no path leads there from the folder
		}
	}
	changes, was := o.fields(), settings.fields()
	maps.DeleteFunc(changes, func(name string, value json.RawMessage) bool { return bytes.Equal(value, was[name]) })
	return changes, nil
}

// fields are all options by their JSON names; an empty list is null.
func (o Options) fields() (fields Changes) {
	o.Categories, o.Types = append([]string(nil), o.Categories...), append([]string(nil), o.Types...)
	text, _ := json.Marshal(o) // numbers and strings
	_ = json.Unmarshal(text, &fields)
	return fields
}

// Again are the options with which a book's drafts would be made again: those
// of the last time over what the settings say now.
func (ws *Workspace) Again(barcode string) (Options, error) {
	settings, err := ws.Settings.Options()
	if err != nil {
		return settings, err
	}
	entries, err := ws.entries(barcode)
	changes := entries[Drafts].Options
	if err != nil || changes == nil {
		return settings, err
	}
	text, err := json.Marshal(changes)
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	if err != nil {
		return settings, damaged(Name(barcode, made), err)
	}
	if _, own := (*changes)["nsp_model"]; own && settings.Scorer != "none" {
		settings.Scorer = filepath.Join(ws.dir, filepath.FromSlash(settings.Scorer))
	}
	return settings, nil
}

// changesFromFlags reads the options that version 0.1.0 wrote as flags.
func changesFromFlags(flags []string) (*Changes, error) {
	changes := Changes{}
	for _, flag := range flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		if now, old := OldNames[name]; old {
			name = now
		}
		switch name = strings.ReplaceAll(name, "-", "_"); name {
		case "":
		case "seed", "drafts", "min_examples":
			if _, err := strconv.Atoi(value); err != nil {
				return nil, fmt.Errorf("%s is %q, not a number", name, value)
			}
			changes[name] = json.RawMessage(value)
		case "categories", "types":
			changes[name], _ = json.Marshal(strings.FieldsFunc(value, func(r rune) bool { return r == ',' }))
		default:
			changes[name], _ = json.Marshal(value)
		}
	}
	return &changes, nil
}
