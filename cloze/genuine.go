package cloze

// Genuine reports whether a draft's id is the hash of what its reviewer sees.
func (d *Draft) Genuine() bool {
	return d.ID == draftID(d.Barcode, d.Category, d.Passage, d.Truth)
}
