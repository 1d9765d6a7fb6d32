package machine

import "runtime"

const (
	isWindows = runtime.GOOS == "windows"

	// IsMac reports whether this is macOS, where programs have other folders.
	IsMac = runtime.GOOS == "darwin"

	// HasModes reports whether files have modes for their owner, group and others.
	HasModes = !isWindows
	// SyncsFolders reports whether a folder can be synced, so that a rename in it is durable.
	SyncsFolders = !isWindows
	// RenamesOverOpenFiles reports whether a file that another program has open can be
	// replaced. That program then goes on with the old one.
	RenamesOverOpenFiles = !isWindows
)

// MaxSocketPath limits a socket's path, in bytes: sun_path holds 108 bytes on Linux and
// Windows, 104 elsewhere, and the last one is zero.
var MaxSocketPath = map[bool]int{true: 107, false: 103}[isWindows || runtime.GOOS == "linux"]

// OpenCommand returns the command that opens an address in a browser.
func OpenCommand() string {
	switch {
	case IsMac:
		return "open"
	case isWindows:
		return "explorer"
	}
	return "xdg-open"
}
