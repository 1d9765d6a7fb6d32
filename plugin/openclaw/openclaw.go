// Package openclaw holds the plugin for OpenClaw inside the program. So the program can
// install it without npm and without a network, and both always fit each other.
//
// The plugin is JavaScript that the host loads as it stands. There is no build.
package openclaw

import (
	"embed"
	"io/fs"
)

// embedded has the files of the installed plugin. They are those that package.json lists
// in "files", and those that npm packs anyway; a test compares them.
//
//go:embed LICENSE README.md openclaw.plugin.json package.json src/*.js
var embedded embed.FS

// Files returns exactly the files of the installed plugin, with package.json at the root.
func Files() fs.FS { return embedded }
