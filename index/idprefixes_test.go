package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func TestIDPrefixesNameOneMemory(t *testing.T) {
	db := fresh(t)
	var texts []string
	for i := range 3000 { // some 70 pairs of ids share their first four digits
		texts = append(texts, fmt.Sprintf("fact number %d", i))
	}
	apply(t, db, noon, file("MEMORY.md", texts...))
	var ids []memory.ID
	for _, text := range texts {
		ids = append(ids, id(text))
	}
	prefixes := must.Get(db.IDPrefixes(t.Context(), ids, memory.View{}))(t)
	count := map[string]int{}
	for _, id := range ids {
		digits := strings.ReplaceAll(string(id), "-", "")
		for n := memory.MinIDPrefix; n <= 12; n++ {
			count[digits[:n]]++
		}
	}
	longer := 0
	for _, id := range ids {
		prefix := prefixes[id]
		if len(prefix) < memory.MinIDPrefix || count[prefix] != 1 || len(prefix) > memory.MinIDPrefix && count[prefix[:len(prefix)-1]] == 1 {
			t.Errorf("%s: prefix %q names %d memories", id, prefix, count[prefix])
		}
		if len(prefix) > memory.MinIDPrefix {
			longer++
		}
	}
	if longer == 0 {
		t.Error("no two ids share four digits: the test needs more memories")
	}
}

func TestIDPrefixesOfAUserDependOnNoOtherUsersMemories(t *testing.T) {
	db := fresh(t)
	var texts []string
	for i := range 1000 {
		texts = append(texts, fmt.Sprintf("fact number %d", i))
	}
	batch := file("MEMORY.md", texts...)
	users := []string{"lena", "ben", ""}
	var readable []memory.ID // of lena
	for i := range batch.Placements {
		batch.Placements[i].Block.Annotations.User = users[i%3]
		if users[i%3] != "ben" {
			readable = append(readable, id(texts[i]))
		}
	}
	apply(t, db, noon, batch)
	prefixes, err := db.IDPrefixes(t.Context(), readable, memory.View{Users: []string{"", "lena"}})
	if err != nil || len(prefixes) != len(readable) {
		t.Fatalf("%d prefixes: %v", len(prefixes), err)
	}
	all := must.Get(db.IDPrefixes(t.Context(), readable, memory.View{}))(t)
	count := map[string]int{}
	for _, id := range readable {
		count[string(id)[:memory.MinIDPrefix]]++
	}
	longer := 0
	for _, id := range readable {
		if alone := count[string(id)[:memory.MinIDPrefix]] == 1; alone != (len(prefixes[id]) == memory.MinIDPrefix) {
			t.Errorf("%s: prefix %q, and %d of lena's begin so", id, prefixes[id], count[string(id)[:memory.MinIDPrefix]])
		}
		if len(all[id]) > len(prefixes[id]) {
			longer++
		}
	}
	if longer == 0 {
		t.Error("no id of ben shares four digits with one of lena's: the test needs more memories")
	}
}
