package main

import "runtime/debug"

// release is the version in CHANGELOG.md.
const release = "0.1.0"

// version adds the commit where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return release + " (" + setting.Value[:12] + ")"
		}
	}
	return release
}
