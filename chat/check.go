package chat

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"verbatim"
)

// CheckEntry reads one line of a ledger as a replay would: it has a key and a
// request, and a recorded answer can be decoded. It gives the time of the call.
func CheckEntry(line verbatim.Line) (time.Time, error) {
	entry, err := verbatim.Decode[Entry](line)
	if err != nil {
		return time.Time{}, err
	}
	bad := func(what string) error {
		return &verbatim.LineError{File: line.File, Line: line.Number, What: what}
	}
	switch key, err := hex.DecodeString(entry.Key); {
	case err != nil || len(key) != 32:
		return entry.Time, bad("the key is not a hash of 64 digits")
	case len(entry.Request) == 0:
		return entry.Time, bad("the request is missing")
	case entry.Outcome != "":
		return entry.Time, nil // a failed call is never replayed
	}
	a, err := decode(entry.Style, []byte(entry.Response))
	if err == nil && !a.complete {
		err = errors.New("it ends too early")
	}
	if err != nil {
		return entry.Time, bad(fmt.Sprintf("the recorded answer cannot be read: %v", err))
	}
	return entry.Time, nil
}
