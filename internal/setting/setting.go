// Package setting reads a setting into a value, or says where it is and how to
// write it.
package setting

import "fmt"

// Parse reads the setting `name` into a value, and changes nothing if nobody set
// it. get gives its text and where it comes from. A mistake names its place.
func Parse[T any](get func(name string) (value, from string), name string, into *T, parse func(string) (T, error), example string) error {
	text, from := get(name)
	if from == "" {
		return nil
	}
	value, err := parse(text)
	if err != nil {
		return fmt.Errorf("%s: %s is %q; write it as %s", from, name, text, example)
	}
	*into = value
	return nil
}
