package sentence

// opensLower says whether the writer of a text opens sentences with small
// letters. A whole text decides: one small letter behind a stop is a comma
// that was misread, many are a habit.
func (r *Rules) opensLower(text string) bool {
	return false
}
