package index_test

import (
	"cmp"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// otherModel has the dimension of the first model, but its vectors mean something
// else. Only the name of the model distinguishes them.
const otherModel = "another"

// embedOther embeds a text with otherModel.
func embedOther(text string) []float32 {
	v := make([]float32, indextest.Dim)
	for word := range strings.FieldsSeq(text) {
		h := fnv.New32a()
		h.Write([]byte("salt" + word))
		v[h.Sum32()%uint32(len(v))]++
	}
	embed.Normalize(v)
	return v
}

func nearestTexts(t *testing.T, db *index.DB, q memory.Query) string {
	t.Helper()
	found, err := db.Search(t.Context(), q, memory.Predicate{}, 3, true)
	if err := cmp.Or(err, found.VectorError); err != nil {
		return err.Error()
	}
	var ids []memory.ID
	for _, c := range found.Nearest {
		if c.Raw > 0.5 {
			ids = append(ids, c.ID)
		}
	}
	seen := must.Get(db.Visible(t.Context(), ids, memory.Predicate{}))(t)
	var texts []string
	for _, m := range seen {
		texts = append(texts, m.Text)
	}
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}

func TestPrivateTextsDoNotDelayAChangeOfModel(t *testing.T) {
	db := must.Get(indextest.TryOpen(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{}))(t)
	defer db.Close()
	b := file("a.md", "apple tart", "a private thing")
	b.Placements[1].Block.Annotations.Private = new(true)
	must.Do(t, db.Apply(t.Context(), noon, b))
	must.Do(t, db.UseModel(t.Context(), index.ServingModel, otherModel, indextest.Dim))
	complete := func(want bool) {
		t.Helper()
		if got, err := db.HasAllVectors(t.Context(), otherModel, false); err != nil || got != want {
			t.Errorf("complete is %v, %v", got, err)
		}
	}
	complete(false)
	pending, err := db.Pending(t.Context(), otherModel, 10, false)
	if err != nil || len(pending) != 1 || pending[0].Text != "apple tart" {
		t.Fatalf("%+v, %v", pending, err)
	}
	must.Do(t, db.PutVectors(t.Context(), otherModel, map[memory.Fingerprint][]float32{pending[0].Fingerprint: embedOther("apple tart")}))
	complete(true)
	if all, err := db.HasAllVectors(t.Context(), otherModel, true); err != nil || all {
		t.Errorf("with private texts: complete is %v, %v", all, err)
	}
}
