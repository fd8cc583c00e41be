package parallel

import "iter"

// Each is the items of a list, as input for Map.
func Each[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range list {
			if !yield(item, nil) {
				return
			}
		}
	}
}
