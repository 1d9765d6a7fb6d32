package index

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
)

// FolderFile returns the path of the file that names the folder of the database at a path.
func FolderFile(database string) string { return strings.TrimSuffix(database, ".db") + ".folder" }

// Folder returns the folder whose memories a database has. ok is false where the
// database does not tell.
func Folder(database string) (id folder.ID, ok bool) {
	text, err := os.ReadFile(FolderFile(database))
	return id, err == nil && json.Unmarshal(text, &id) == nil && id.Path != ""
}

// SetFolder notes whose memories a database has, unless it is noted already. A folder
// that is not there at the moment keeps its ID.
func SetFolder(database string, id folder.ID) error {
	known, ok := Folder(database)
	if ok && (known == id || known.Path == id.Path && id.System == "") {
		return nil
	}
	text, err := json.Marshal(id)
	if err != nil {
		return err
	}
	return atomicfile.Write(FolderFile(database), text, 0o600)
}
