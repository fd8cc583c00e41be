package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// hashOf is what a file's made-from record holds of its sources.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// hashFileOf is the hash of a file; empty where it cannot be read.
func hashFileOf(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return hashOf(data)
}
