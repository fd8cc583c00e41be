package journal

import (
	"slices"
	"testing"
)

func TestEveryCardDoesWhatItsExamplesSay(t *testing.T) {
	for _, failure := range Check(Cards()) {
		t.Error(failure)
	}
}

func TestGivens(t *testing.T) {
	for _, name := range Cards().Givens() {
		if !slices.Contains(given, name) {
			t.Errorf("a card asks for %q, which the extractor never gives", name)
		}
	}
}
