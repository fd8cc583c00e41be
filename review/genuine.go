package review

// Genuine reports whether a decision is as it was made: its id is its hash.
func (d *Decision) Genuine() bool { return d.ID != "" && d.hash() == d.ID }
