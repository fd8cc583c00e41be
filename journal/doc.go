// Package journal is the home of the extractor: from a personal health journal
// to items whose evidence is a verbatim piece of it. So far it holds the
// journals that the extractor will be tested on; testdata/README.txt tells how
// they are written, testdata/CONVENTIONS.md what counts as an item.
package journal
