package cloze

import (
	"math/rand/v2"
	"testing"
	"time"

	"verbatim"
)

// The drafts of randomly damaged scans can still be proved.
func TestDamagedTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	debris := []string{"\n", "\n\n", " ", "", ".", "\u00a0", "-\n", "<page 4>\n", "CHAPTER II.\n\n", "“", "\"", "é", "; ", "\r\n", "\t"}
	drafts := 0
	for range 200 {
		text := page + "\n" + page
		for range 1 + random.IntN(30) {
			at := random.IntN(len(text))
			text = text[:at] + debris[random.IntN(len(debris))] + text[min(len(text), at+random.IntN(3)):]
		}
		doc, err := verbatim.NewDocument("damaged", text)
		if err != nil {
			continue
		}
		begin := time.Now()
		b := fromRules(t, doc, random.Int64())
		if took := time.Since(begin); took > 20*time.Second {
			t.Fatalf("a text of %d bytes took %v", len(text), took)
		}
		for _, category := range Categories {
			for d := range b.Drafts(category.Name) {
				drafts++
				check(t, b, d)
				for _, by := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
					if moved, err := b.Move(d.Masking, d.Kind(), d.Place, by[0], by[1]); err == nil {
						prove(t, b, moved)
					}
				}
			}
		}
	}
	if drafts < 100 {
		t.Errorf("checked only %d drafts; want at least 100", drafts)
	}
}
