package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

func TestDiagnoseNamesTheDamagedPart(t *testing.T) {
	indextest.SQLiteOnly(t)
	for want, damage := range map[string]string{
		"":     "SELECT 1",
		"fts":  "INSERT INTO memories_fts(memories_fts, rowid, text, context, parts) VALUES ('delete', 1, 'another text', '', '')",
		"rows": "UPDATE embeddings SET vector = zeroblob(length(vector))",
	} {
		t.Run(want, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tiered.db")
			db := open(t, path, index.Options{})
			apply(t, db, noon, file("MEMORY.md", "the heron nests behind the mill", "the owl hunts at dusk"))
			embedAll(t, db)
			must.Do(t, db.Exec(damage))
			problems := must.Get(db.Diagnose(t.Context()))(t)
			var found []string
			for _, p := range problems {
				found = append(found, p.Check)
			}
			if want == "" && len(found) > 0 || want != "" && !slices.Equal(found, []string{want}) {
				t.Errorf("found %+v", problems)
			}
			if db.Damage() != nil {
				t.Error("a diagnosis starts no repair")
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || slices.ContainsFunc(left, func(f os.DirEntry) bool { return f.Name()[0] == '.' }) {
				t.Errorf("files left: %v, %v", left, err)
			}
		})
	}
}
