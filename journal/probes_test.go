package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A probe is one sentence and the items expected of it. testdata/probes/read.txt
// describes the format.
type probe struct {
	section, text, want string
	line                int
}

func readProbes(t *testing.T, name string) (probes []probe) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "probes", name))
	if err != nil {
		t.Fatal(err)
	}
	section, number := "", 0
	for line := range strings.Lines(string(content)) {
		number++
		line = strings.TrimSpace(line)
		text, want, found := strings.Cut(line, " => ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			section = line[3:]
		case !found:
			t.Fatalf("%s:%d: a probe is `sentence => items`", name, number)
		default:
			probes = append(probes, probe{section, text, want, number})
		}
	}
	return probes
}

// holds reports whether the claims are the expected ones.
func (p probe) holds(t *testing.T, claims []claim) bool {
	has := func(wrong func(claim) bool) bool {
		for _, c := range claims {
			if wrong(c) {
				return true
			}
		}
		return false
	}
	switch p.want {
	case "nothing":
		return len(claims) == 0
	case "no food":
		return !has(func(c claim) bool { return c.domain == Food })
	case "no absent":
		return !has(func(c claim) bool { return c.domain == Symptom && c.polarity == Absent })
	}
	wants := strings.Split(p.want, " ; ")
	if len(wants) != len(claims) {
		return false
	}
	for i, c := range claims {
		head, span, _ := strings.Cut(wants[i], ": ")
		fields := strings.Fields(head)
		if len(fields) != 3 || span == "" {
			t.Fatalf("line %d: %q is not `domain polarity time: span`", p.line, wants[i])
		}
		got, want := strings.ToLower(p.text[c.Start:c.End]), strings.ToLower(span)
		if c.domain != fields[0] || c.polarity != fields[1] || c.time != fields[2] || !strings.Contains(got, want) && !strings.Contains(want, got) {
			return false
		}
	}
	return true
}

// The probes of read.txt were used to write the cards. Those of apart.txt were
// measured once when the cards were finished (92 of 100) and read afterwards.
func TestProbes(t *testing.T) {
	for _, file := range []struct {
		name  string
		least int
	}{{"read.txt", 97}, {"apart.txt", 92}} {
		e := New(Cards())
		probes := readProbes(t, file.name)
		if len(probes) != 100 {
			t.Errorf("%s has %d probes, want 100", file.name, len(probes))
		}
		right := 0
		bySection := map[string][2]int{}
		for _, p := range probes {
			claims, _ := e.find(p.text)
			count := bySection[p.section]
			count[1]++
			if p.holds(t, claims) {
				right++
				count[0]++
			} else {
				t.Logf("%s:%d: got %s, want %s", file.name, p.line, show(p.text, claims), p.want)
			}
			bySection[p.section] = count
		}
		t.Logf("%s: %d of %d; by section %v", file.name, right, len(probes), bySection)
		if right < file.least {
			t.Errorf("%s: %d of %d probes hold, want at least %d", file.name, right, len(probes), file.least)
		}
	}
}
