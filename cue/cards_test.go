package cue

import "testing"

func TestEveryCardDoesWhatItsExamplesSay(t *testing.T) {
	for _, failure := range Connectors().Check() {
		t.Error(failure.Error())
	}
}
