package main

import (
	"crypto/sha256"
	"encoding/hex"
)

// hashOf is what a file's made-from record holds of its sources.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
