//go:build race

package grade

func init() { raceDetector = true }
