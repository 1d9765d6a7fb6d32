package folder

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/memory-tiered/memory/internal/atomicfile"
)

// OwnerFile returns the path of the file that names the folder of the database at a path.
func OwnerFile(database string) string { return strings.TrimSuffix(database, ".db") + ".folder" }

// Owner returns the folder whose memories a database has. ok is false where the
// database does not tell.
func Owner(database string) (id ID, ok bool) {
	text, err := os.ReadFile(OwnerFile(database))
	return id, err == nil && json.Unmarshal(text, &id) == nil && id.Path != ""
}

// SetOwner notes whose memories a database has, unless it is noted already. A folder
// that is not there at the moment keeps its ID.
func SetOwner(database string, id ID) error {
	known, ok := Owner(database)
	if ok && (known == id || known.Path == id.Path && id.System == "") {
		return nil
	}
	text, err := json.Marshal(id)
	if err != nil {
		return err
	}
	return atomicfile.Write(OwnerFile(database), text, 0o600)
}
