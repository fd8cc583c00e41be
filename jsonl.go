package verbatim

import (
	"bytes"
	"encoding/json"
)

// marshalPlain is JSON as people read it: no \u003c for <, no newline.
func marshalPlain(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
