package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// obsidianNotes are the settings of Obsidian and of its plugin Periodic Notes.
type obsidianNotes struct {
	Folder, Format string
	Daily          *struct {
		Folder, Format string
		Enabled        bool
	}
}

// maxSettings is far above the size of such settings, in bytes.
const maxSettings = 1 << 20

// ObsidianNotes returns how Obsidian names the daily notes of a folder. It is nil if the
// folder has no such settings, or if they cannot be expressed: then err tells why.
func ObsidianNotes(dir string) (*NoteFormat, error) {
	plugin, found := readObsidian(dir, "plugins/periodic-notes/data.json")
	if found && plugin.Daily != nil && plugin.Daily.Enabled {
		return ParseNoteFormat(plugin.Daily.Folder, plugin.Daily.Format)
	}
	if core, found := readObsidian(dir, "daily-notes.json"); found {
		return ParseNoteFormat(core.Folder, core.Format)
	}
	return nil, nil
}

// readObsidian reads a file of settings. One that is not valid is as good as none.
func readObsidian(dir, name string) (notes obsidianNotes, found bool) {
	file := filepath.Join(dir, ".obsidian", filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings {
		return notes, false
	}
	src, err := os.ReadFile(file)
	return notes, err == nil && json.Unmarshal(src, &notes) == nil
}
