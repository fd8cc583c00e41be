package cue

import "testing"

func TestConnectorCardsPassTheirExamples(t *testing.T) {
	for _, failure := range Connectors().Check() {
		t.Error(failure.Error())
	}
}
