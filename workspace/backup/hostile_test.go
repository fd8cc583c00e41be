package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// item is one entry of a hostile tar.
type item struct {
	name, body, link string
	kind             byte
}

func pack(t testing.TB, items []item, manifest string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	c := Contents{Format: format}
	for _, i := range items {
		h := &tar.Header{Name: i.name, Typeflag: i.kind, Size: int64(len(i.body)), Mode: 0o644, Linkname: i.link}
		if i.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(i.name, err)
		}
		if _, err := io.WriteString(w, i.body); err != nil {
			t.Fatal(err)
		}
		c.Files = append(c.Files, File{i.name, int64(len(i.body)), hashText(i.body)})
	}
	text, _ := json.Marshal(c)
	if manifest != "" {
		text = []byte(manifest)
	}
	if manifest != "none" {
		if err := w.WriteHeader(&tar.Header{Name: Manifest, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// Hostile and damaged files are rejected with the name of the entry, and nothing
// is left behind.
func TestHostileBackups(t *testing.T) {
	good := []item{{name: "process_files/a-decisions.jsonl", body: "{}\n"}}
	plain := pack(t, good, "")
	one := func(i item) []byte { return pack(t, append(slices.Clone(good), i), "") }
	flip := func(data []byte, at int) []byte { out := bytes.Clone(data); out[at] ^= 1; return out }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"absolute":           {one(item{name: "/tmp/x", body: "x"}), `"/tmp/x": this name leaves`},
		"up":                 {one(item{name: "process_files/../../x", body: "x"}), "leaves the folder"},
		"up alone":           {one(item{name: "../x", body: "x"}), "leaves the folder"},
		"dot":                {one(item{name: "./x", body: "x"}), "leaves the folder"},
		"backslash":          {one(item{name: `process_files\..\..\x`, body: "x"}), "leaves the folder"},
		"another folder":     {one(item{name: ".ssh/authorized_keys", body: "x"}), "files in process_files"},
		"symbolic link":      {one(item{name: "process_files/l", kind: tar.TypeSymlink, link: "/etc/passwd"}), "a symbolic link"},
		"hard link":          {one(item{name: "process_files/l", kind: tar.TypeLink, link: "/etc/passwd"}), "a link"},
		"device":             {one(item{name: "process_files/d", kind: tar.TypeChar}), "a device"},
		"pipe":               {one(item{name: "process_files/d", kind: tar.TypeFifo}), "a pipe"},
		"folder":             {one(item{name: "process_files/d/", kind: tar.TypeDir}), "a folder"},
		"twice":              {one(good[0]), "twice"},
		"file and folder":    {one(item{name: "process_files/a-decisions.jsonl/x", body: "x"}), "a file and a folder"},
		"folder and file":    {pack(t, []item{{name: "process_files/m/x"}, {name: "process_files/m"}}, ""), "a file and a folder"},
		"no manifest":        {pack(t, good, "none"), "no manifest"},
		"bad manifest":       {pack(t, good, "{"), "cannot be read"},
		"another format":     {pack(t, good, `{"format":"x"}`), `of the kind "x"`},
		"empty manifest":     {pack(t, good, `{"format":"verbatim backup 1"}`), "not in its manifest"},
		"missing file":       {pack(t, good, `{"format":"verbatim backup 1","files":[{"name":"x"}]}`), `"x": it is in the manifest`},
		"wrong hash":         {flip(plain, 512), `"process_files/a-decisions.jsonl": it is damaged`},
		"wrong header":       {flip(plain, 20), "damaged"},
		"cut in the middle":  {plain[:700], "cut off"},
		"cut at a block":     {plain[:1024], "no manifest"},
		"cut before the end": {plain[:len(plain)-512], "cut off"},
		"something follows":  {append(bytes.Clone(plain), "extra"...), "follows its end"},
		"zipped and cut":     {zipped(plain)[:150], "cut off"},
		"zipped, damaged":    {flip(zipped(plain), len(zipped(plain))-6), "checksum"},
		"bomb":               {zipped(one(item{name: "process_files/zeros", body: strings.Repeat("\x00", 100<<20)})), "larger than the whole backup"},
		"many small bombs": {zipped(pack(t, []item{{name: "process_files/a", body: strings.Repeat("\x00", 40<<20)},
			{name: "process_files/b", body: strings.Repeat("\x00", 60<<20)}}, "")), "far more than a backup does"},
		"nothing":       {nil, "no manifest"},
		"not a tar":     {[]byte("A book begins here.\n"), "not a backup"},
		"a long nonono": {bytes.Repeat([]byte("no"), 1000), "not a backup"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "b.tar")
			if err := os.WriteFile(file, c.data, 0o666); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "new")
			_, err := Restore(file, dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), file) {
				t.Errorf("%v, want ... %s ...", err, c.want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("something was written")
			}
		})
	}
}

// A file with holes can claim any size. archive/tar does not write one, so its
// header is written by hand.
func TestFilesWithHoles(t *testing.T) {
	r := &reader{file: "b.tar", seen: map[string]bool{}, left: 1 << 40}
	for _, h := range []*tar.Header{{Name: "x", Typeflag: tar.TypeGNUSparse}, {Name: "x", Typeflag: tar.TypeReg, PAXRecords: map[string]string{"GNU.sparse.major": "1"}}} {
		if err := r.allowed(h); err == nil || !strings.Contains(err.Error(), "holes") {
			t.Errorf("%v", err)
		}
	}
}

// Whatever a file holds, it is rejected with its name, or every file of its
// manifest is restored as the manifest says, inside the folder.
func FuzzRestore(f *testing.F) {
	f.Add(pack(f, []item{{name: "process_files/a-decisions.jsonl", body: "{}\n"}, {name: "a.txt", body: "One."}}, ""))
	f.Add(zipped(pack(f, []item{{name: "process_files/a", body: "x"}}, "")))
	f.Add(pack(f, []item{{name: "../x", body: "x"}}, ""))
	f.Add(pack(f, []item{{name: "process_files/l", kind: tar.TypeSymlink, link: "/"}, {name: "process_files/l/x", body: "x"}}, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		root := t.TempDir()
		file, dir := filepath.Join(root, "b.tar"), filepath.Join(root, "new")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		contents, err := Restore(file, dir)
		all := files(t, root)
		delete(all, "b.tar")
		if err != nil {
			if len(all) > 0 || !strings.Contains(err.Error(), "b.tar") {
				t.Fatalf("rejected with %v, but there is %v", err, all)
			}
			return
		}
		if len(all) != len(contents.Files) {
			t.Fatalf("%d files for %d", len(all), len(contents.Files))
		}
		for _, f := range contents.Files {
			if text := all["new/"+f.Name]; hashText(text) != f.SHA256 || int64(len(text)) != f.Size {
				t.Fatalf("%+v is %q", f, text)
			}
		}
	})
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
