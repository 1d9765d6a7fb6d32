package plan

import (
	"maps"

	"github.com/memory-tiered/memory"
)

// IsDestroy reports whether a command destroyed memories. Its audit may begin with the
// memories that hold again because of that.
func IsDestroy(rows []memory.AuditRow) bool { return len(DestroyedIDs(rows)) > 0 }

// DestroyedIDs returns the memories that a command destroyed.
func DestroyedIDs(rows []memory.AuditRow) (ids []memory.ID) {
	for _, row := range rows {
		if row.Action == string(memory.ActionDestroy) {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// RowsByMemory returns one row for each memory of a command, in the order of the audit.
// A command that changed a memory in several steps has several rows about it.
func RowsByMemory(rows []memory.AuditRow) (merged []memory.AuditRow) {
	position := map[memory.ID]int{}
	for _, row := range rows {
		i, known := position[row.ID]
		switch {
		case row.ID == "":
		case !known:
			position[row.ID] = len(merged)
			row.Old, row.New = maps.Clone(row.Old), maps.Clone(row.New)
			merged = append(merged, row)
		default:
			for field, was := range row.Old {
				if _, earlier := merged[i].Old[field]; !earlier {
					merged[i].Old[field] = was
				}
			}
			maps.Copy(merged[i].New, row.New)
		}
	}
	return merged
}

// IsStored reports whether a command wrote the text of a memory.
func IsStored(row memory.AuditRow) bool {
	return row.Action == memory.AuditStore || row.Action == memory.AuditCapture
}

// These keys note, in a row of the audit, that a command made the memory's file, and which
// folders it made for that.
const (
	newFileKey    = "new_file"
	newFoldersKey = "new_folders"
)

// NoteNewFile adds to the last row of the plan that the command made the memory's file. It
// also adds the folders that the command made for the file, the innermost first.
func (p *Plan) NoteNewFile(isNew bool, folders []string) {
	row := p.Rows[len(p.Rows)-1]
	if isNew {
		row.New[newFileKey] = true
	}
	if len(folders) > 0 {
		row.New[newFoldersKey] = folders
	}
}

// MadeFolders returns the folders that a command made for the memory's file.
func MadeFolders(row memory.AuditRow) (folders []string) {
	list, _ := row.New[newFoldersKey].([]any)
	for _, each := range list {
		if name, ok := each.(string); ok {
			folders = append(folders, name)
		}
	}
	return folders
}

// MadeFile reports whether a command made the memory's file.
func MadeFile(row memory.AuditRow) bool {
	isNew, _ := row.New[newFileKey].(bool)
	return isNew
}
