package review

// A Key is one key, or several, and what it does.
type Key struct{ Key, Does string }

// Keys are those that every view understands.
var Keys = []Key{
	{"a", "accept: the passage, the wrong answer, the whole question"},
	{"x", "reject it; the next best replaces a rejected same-book answer"},
	{"space", "skip: the draft comes again in another session"},
	{"f", "flag for later"},
	{"u", "undo, as often as you like, also what you did another day"},
	{"U", "redo what was undone"},
	{"t", "show the ground truth in its place"},
	{"e", "edit the passage, or the wrong answer behind the >"},
	{"T", "edit the ground truth"},
	{"[ ]", "move the clause's start one word to the left, to the right"},
	{"{ }", "move its end"},
	{"m", "write a wrong answer in place of this one"},
	{"n", "write one more wrong answer"},
	{"A", "accept all wrong answers that are left"},
	{"1-9, j k", "select a wrong answer; arrows too"},
	{"enter", "continue to the whole question; there, save it"},
	{"esc", "back"},
	{"p", "how much is done in each category"},
}

// Hints are the keys to show at each stage.
func Hints(stage Stage) []Key { return hints[stage] }

var hints = [...][]Key{
	{{"a", "accept"}, {"x", "reject"}, {"space", "skip"}, {"t", "ground truth"}, {"e", "edit"}, {"[ ] { }", "move clause"}, {"f", "flag"}, {"u", "undo"}, {"?", "help"}, {"q", "quit"}},
	{{"a", "accept"}, {"x", "reject"}, {"e", "edit"}, {"m", "my own instead"}, {"n", "one more"}, {"A", "all"}, {"1-9 j k", "select"}, {"enter", "preview"}, {"u", "undo"}, {"?", "help"}},
	{{"a or enter", "save"}, {"x", "reject the question"}, {"esc", "back"}, {"e", "edit"}, {"u", "undo"}, {"?", "help"}, {"q", "quit"}},
}
