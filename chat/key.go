package chat

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/durable"
)

// A Secret prints as "(secret)".
type Secret string

const hidden = "(secret)"

func (s Secret) String() string               { return hidden }
func (s Secret) GoString() string             { return hidden }
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }

// A KeySource says where a key is; it is zero if there is none.
type KeySource struct {
	Setting  string // its name, `key ADDRESS`
	From     string // where the setting comes from
	Variable string // of the environment
	File     string // if it is no variable
}

func (k KeySource) String() string {
	if k.File != "" {
		return "the file " + k.File
	}
	return "the environment variable " + k.Variable
}

// variableName matches what an environment variable is called, and hardly any key.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,63}$`)

// KeyAt is where the key of an address is: the setting names an environment
// variable, or `file` and a file. It never is the key itself.
func (u *Setup) KeyAt(address string) (KeySource, error) {
	name := "key " + address
	value, from := u.settings.Get(name)
	if from == "" {
		return KeySource{}, nil
	}
	source := KeySource{Setting: name, From: from}
	if path, is := strings.CutPrefix(value, "file "); is {
		source.File = strings.TrimSpace(path)
		return source, nil
	}
	if !variableName.MatchString(value) { // the value is not shown: messages end up in logs
		return source, fmt.Errorf("%s: this looks like the key of %s itself; put the key into an environment variable, and write here the variable's name, in capitals", from, address)
	}
	source.Variable = value
	return source, nil
}

// Servers are all servers of the setup, each once.
func (u *Setup) Servers() []Server {
	var all []Server
	for _, m := range append([]Model{u.Preset}, u.Models...) {
		for _, s := range m.Servers {
			same := func(other Server) bool { return other.URL == s.URL && other.Setting == s.Setting }
			if !slices.ContainsFunc(all, same) {
				all = append(all, s)
			}
		}
	}
	return all
}

// ReadKeys reads the keys of all servers, each where its setting says. It must
// come before New if a server needs a key.
func (u *Setup) ReadKeys() error {
	models := []*Model{&u.Preset}
	for i := range u.Models {
		models = append(models, &u.Models[i])
	}
	for _, m := range models {
		m.Servers = slices.Clone(m.Servers) // models may share those of the preset
		for i := range m.Servers {
			s := &m.Servers[i]
			if s.KeyAt == (KeySource{}) {
				continue
			}
			key, err := s.KeyAt.read(s.URL)
			if err != nil {
				return fmt.Errorf("%s: %w", s.KeyAt.From, err)
			}
			s.Key = key
		}
	}
	return nil
}

// largestKey limits what is read of a key's file: the name may be wrong.
const largestKey = 64 << 10

func (k KeySource) read(address string) (Secret, error) {
	key := os.Getenv(k.Variable)
	if k.File != "" {
		text, err := readKeyFile(k.File)
		if err != nil {
			return "", fmt.Errorf("the key of %s: %w", address, durable.CannotRead(err))
		}
		key = strings.TrimSpace(text) // a file ends with a line end
	}
	// What is wrong is said without the key: messages end up in logs.
	switch {
	case key == "" && k.File != "":
		return "", fmt.Errorf("%s, which should hold the key of %s, is empty", k, address)
	case key == "":
		return "", fmt.Errorf("%s, which should hold the key of %s, is not set", k, address)
	case strings.ContainsAny(key, "\r\n"):
		return "", fmt.Errorf("%s, which should hold the key of %s, has a line break in it; it must hold the key alone, in one line", k, address)
	case strings.IndexFunc(key, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) >= 0:
		return "", fmt.Errorf("%s, which should hold the key of %s, has a control character in it (such as a tab or an escape); copy the key again", k, address)
	}
	return Secret(key), nil
}

// readKeyFile reads a file that holds a key. A pipe or a device would be waited
// for without end.
func readKeyFile(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || info.Size() > largestKey) {
		return "", fmt.Errorf("%s is no file with a key", path)
	}
	text, err := durable.ReadFile(path)
	return string(text), err
}

// userInfo is a name or a password in an address.
var userInfo = regexp.MustCompile(`(^|//)[^/@\s"]+@`)

// WithoutSecrets is an address as it may be shown: without a name, a password or
// a query.
func WithoutSecrets(address string) string {
	address = userInfo.ReplaceAllString(address, "${1}"+hidden+"@")
	if base, _, has := strings.Cut(address, "?"); has {
		address = base + "?" + hidden
	}
	return address
}

// A redactor removes keys from what servers and the network say. They may be
// encoded: as a part of an address, in JSON, or as a password is sent.
type redactor struct {
	all  *strings.Replacer // every key; nil: there is none
	long *strings.Replacer // those that no ordinary text contains; nil: there is none
}

// longKey is the length from which a key cannot be a word of an answer. Local
// servers are often given a word such as EMPTY as their key.
const longKey = 16

func newRedactor(keys []Secret) redactor {
	var all, long []string
	for _, key := range keys {
		for _, form := range encodings(string(key)) {
			all = append(all, form, hidden)
			if len(key) >= longKey {
				long = append(long, form, hidden)
			}
		}
	}
	var r redactor
	if len(all) > 0 {
		r.all = strings.NewReplacer(all...)
	}
	if len(long) > 0 {
		r.long = strings.NewReplacer(long...)
	}
	return r
}

// encodings are the forms in which a server may send a key back.
func encodings(key string) []string {
	if key == "" {
		return nil
	}
	forms := []string{key, url.QueryEscape(key), url.PathEscape(key), strings.Trim(string(plainJSON(key)), `"`)}
	for before := range 3 { // base64 of NAME:KEY depends on the length of the name
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all := encoding.EncodeToString([]byte("..."[:before] + key))
			first, end := (before*8+5)/6, (before+len(key))*8/6 // the letters that no other byte decides
			if end-first >= 8 {
				forms = append(forms, all[first:end])
			}
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // the replacer takes the first that fits
	return slices.Compact(forms)
}

// text removes every key from a message.
func (r redactor) text(message string) string {
	if r.all == nil {
		return message
	}
	return r.all.Replace(message)
}

// body removes keys from a body: all from a failure, the long ones from an answer,
// which must not lose a word.
func (r redactor) body(body []byte, answer bool) []byte {
	replacer := r.all
	if answer {
		replacer = r.long
	}
	if replacer == nil || len(body) == 0 {
		return body
	}
	return []byte(replacer.Replace(string(body)))
}

// err is an error whose text has no key in it.
func (r redactor) err(err error) error {
	if err == nil {
		return nil
	}
	if text := r.text(err.Error()); text != err.Error() {
		return &redacted{text, err}
	}
	return err
}

// A redacted error still is of the kinds that the original is.
type redacted struct {
	text string
	err  error
}

func (e *redacted) Error() string        { return e.text }
func (e *redacted) Is(target error) bool { return errors.Is(e.err, target) }
func (e *redacted) As(target any) bool   { return errors.As(e.err, target) }
