package fsck

import (
	"encoding/json"
	"slices"
	"strings"
)

// A damage is something that happens to a folder, and what a check says.
type damage struct {
	name, file string
	change     func([]string) []string
	want       string // place: kind, effect
	repaired   bool   // a repair takes care of it
	lost       bool   // what was in the line is gone, and others may miss it
}

func forged(line, field, value string) string {
	var record map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &record); err != nil {
		panic(err)
	}
	record[field] = json.RawMessage(value)
	out, _ := json.Marshal(record)
	return string(out) + "\n"
}

func put(at int, line string) func([]string) []string {
	return func(all []string) []string { return slices.Insert(all, at, line) }
}

func end(text string) func([]string) []string {
	return func(all []string) []string { return append(all, text) }
}

var damages = []damage{
	{"a decision that is not JSON", "lamp-decisions.jsonl", put(2, "{\"id\": \"brok\n"), "lamp-decisions.jsonl:3: damaged line, work", true, false},
	{"a decision of other bytes", "lamp-decisions.jsonl", put(0, "\xff\xfe\x00\n"), "lamp-decisions.jsonl:1: damaged line, work", true, false},
	{"a decision that is null", "lamp-decisions.jsonl", put(0, "null\n"), "lamp-decisions.jsonl:1: damaged line, work", true, false},
	{"a torn decision", "lamp-decisions.jsonl", end(`{"id":"0123","dra`), "lamp-decisions.jsonl:18: torn tail, nothing", true, false},
	{"a tail of zeros", "lamp-decisions.jsonl", end("\x00\x00\x00\x00"), "lamp-decisions.jsonl:18: torn tail, nothing", true, false},
	{"a torn ledger", "lamp-ledger.jsonl", end(`{"key":"0123`), "lamp-ledger.jsonl:38: torn tail, nothing", true, false},
	{"a call without an answer", "lamp-ledger.jsonl", func(all []string) []string { return slices.Insert(all, 1, forged(all[0], "response", `"{\"mess"`)) },
		"lamp-ledger.jsonl:2: damaged line, remade", true, false},
	{"a call of the future", "lamp-ledger.jsonl", func(all []string) []string { return append(all, forged(all[0], "time", `"9999-12-31T00:00:00Z"`)) },
		"lamp-ledger.jsonl:38: impossible date, nothing", false, false},
	{"a vote that is not JSON", "lamp-votes.jsonl", end("{}}\n"), "lamp-votes.jsonl:1: damaged line, work", true, false},
	{"a vote from before", "lamp-votes.jsonl", end(`{"id":"1","time":"1970-01-01T00:00:00Z"}` + "\n"), "lamp-votes.jsonl:1: impossible date, nothing", false, false},
	{"an edited copy at the end", "lamp-decisions.jsonl", func(all []string) []string { return append(all, forged(all[0], "reviewer", `"Zoe"`)) },
		"lamp-decisions.jsonl:18: edited copy, nothing", true, false},
	{"an edited copy at the start", "lamp-decisions.jsonl", func(all []string) []string { return slices.Insert(all, 0, forged(all[0], "reviewer", `"Zoe"`)) },
		"lamp-decisions.jsonl:1: edited copy, nothing", true, false},
	{"an edited decision", "lamp-decisions.jsonl", func(all []string) []string { all[1] = forged(all[1], "reviewer", `"Zoe"`); return all },
		"lamp-decisions.jsonl:2: edited decision, work", false, false},
	{"a missing decision", "lamp-decisions.jsonl", func(all []string) []string { return all[1:] }, "missing decision, work", false, true},
	{"a draft that is not JSON", "lamp-drafts.jsonl", put(1, "nonsense\n"), "lamp-drafts.jsonl:2: damaged line, remade", true, false},
	{"a draft that is null", "lamp-drafts.jsonl", put(1, "null\n"), "lamp-drafts.jsonl:2: damaged line, remade", true, false},
	{"a draft with another truth", "lamp-drafts.jsonl", func(all []string) []string { all[0] = forged(all[0], "truth", `"but no"`); return all },
		"lamp-drafts.jsonl:1: wrong id, remade", false, false},
	{"a draft of another book", "lamp-drafts.jsonl", func(all []string) []string { all[0] = forged(all[0], "barcode", `"lamb"`); return all },
		"lamp-drafts.jsonl:1: wrong id, remade", false, false},
	{"tags outside the book", "lamp-tagged.jsonl", func(all []string) []string { all[4] = forged(all[4], "end", `99999999`); return all },
		"lamp-tagged.jsonl:5: no proof, remade", false, false},
	{"a tagged file that was cut", "lamp-tagged.jsonl", func(all []string) []string { return append(all[:3], `{"sentence": "The`) },
		"lamp-tagged.jsonl:4: damaged line, remade", true, false},
	{"rejected tags of another kind", "lamp-refused.jsonl", put(0, "[]\n"), "lamp-refused.jsonl:1: damaged line, remade", true, false},
	{"a question with another passage", "lamp-clozequestions.jsonl", func(all []string) []string { all[0] = forged(all[0], "passage", `"It was."`); return all },
		"lamp-clozequestions.jsonl:1: no proof, remade", false, false},
	{"a changed file", "lamp-refused.jsonl", func(all []string) []string { return all[1:] }, "lamp-refused.jsonl: changed file, remade", false, false},
	{"made.json of zeros", "lamp-made.json", func([]string) []string { return []string{"\x00\x00\x00"} }, "lamp-made.json: damaged file, remade", true, false},
	{"an empty made.json", "lamp-made.json", func([]string) []string { return nil }, "lamp-made.json: damaged file, remade", true, false},
	{"an unfinished file", "lamp-made.json", func(all []string) []string {
		var made map[string]map[string]any
		_ = json.Unmarshal([]byte(strings.Join(all, "")), &made)
		delete(made["drafts.jsonl"], "sha256")
		out, _ := json.Marshal(made)
		return []string{string(out)}
	}, "lamp-drafts.jsonl: unfinished file, nothing", false, false},
	{"metadata cut short", "metadata/lamp.json", func(all []string) []string { return []string{all[0][:len(all[0])/2]} }, "metadata/lamp.json: damaged file, work", true, false},
	{"metadata in Latin-1", "metadata/lamp.json", func([]string) []string { return []string{"{\"source_title\": \"Caf\xe9\"}"} }, "metadata/lamp.json: damaged file, work", true, false},
	{"a catalogue row cut short", "metadata/lamp-catalogue.json", end(`{"raw":`), "metadata/lamp-catalogue.json: damaged file, nothing", true, false},
	{"a choice that is not JSON", "lamp-choice.jsonl", end("{\n"), "lamp-choice.jsonl:1: damaged line, remade", true, false},
	{"typed texts cut short", "lamp-unsaved.json", end(`{"passage":`), "lamp-unsaved.json: damaged file, work", true, false},
	{"a setting that does not exist", "settings.txt", end("sede: 5\n"), "settings.txt:1: bad setting, work", false, false},
	{"a setting of another kind", "settings.txt", end("reviewer: Ada\nseed: five\n"), "settings.txt:2: bad setting, work", false, false},
	{"settings of zeros", "settings.txt", end("seed: 5\n\x00\x00\x00\n"), "settings.txt:2: damaged line, work", true, false},
	{"a bad card", "rules/mine.txt", end("nonsense\n"), "rules: bad card, work", false, false},
	{"a temporary file", "lamp-drafts.jsonl.0123abcd.tmp", end("half"), "lamp-drafts.jsonl.0123abcd.tmp: leftover, nothing", true, false},
	{"temporary metadata", "metadata/lamp.json.0123abcd.tmp", end("half"), "metadata/lamp.json.0123abcd.tmp: leftover, nothing", true, false},
	{"temporary settings", "settings.txt.0123abcd.tmp", end("half"), "settings.txt.0123abcd.tmp: leftover, nothing", true, false},
	{"a torn record", "lamp-ledger.jsonl.torn", end("half\n"), "lamp-ledger.jsonl.torn: leftover, nothing", true, false},
	{"a file of the user's", "notes.md", end("half\n"), "notes.md: unknown file, note", false, false},
	{"another text", "../lamp.txt", end("One more.\n"), "lamp.txt: other text, remade", false, false},
	{"no text", "../lamp.txt", func([]string) []string { return []string{"%PDF-"} }, "lamp.txt: no text, note", false, false},
}
