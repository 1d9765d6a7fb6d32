package ingest_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestCategoryTypeAndLanguageAreDetected indexes each text alone.
func TestCategoryTypeAndLanguageAreDetected(t *testing.T) {
	const (
		notes = "memory/notes.md"
		daily = "memory/2026-11-19.md"
	)
	tests := []struct {
		file, text string
		category   memory.Category
		kind       memory.Type
		lang       string
	}{
		{notes, "- Lena prefers tea to coffee in the afternoon", memory.CategoryPreference, memory.TypeFactual, "en"},
		{notes, "- Lena trinkt lieber Tee und mag keine Milch", memory.CategoryPreference, memory.TypeFactual, "de"},
		{notes, "- We decided that the API stays on version two", memory.CategoryDecision, memory.TypeFactual, "en"},
		{daily, "- We decided that the API stays on version two", memory.CategoryDecision, memory.TypeEpisodic, "en"},
		{notes, "- [ ] Call the landlord", memory.CategoryTask, memory.TypeFactual, "en"},
		{notes, "- [x] Call Ada", memory.CategoryTask, memory.TypeFactual, ""},
		{notes, "- TODO: call Ada", memory.CategoryTask, memory.TypeFactual, ""},
		{notes, "- It turned out that the cache was never warm", memory.CategoryLesson, memory.TypeFactual, "en"},
		{notes, "- Never deploy on a Friday", memory.CategoryRisk, memory.TypeFactual, "en"},
		{notes, "- The team is going to move the database in spring", memory.CategoryPlan, memory.TypeFactual, "en"},
		{notes, "- Babbage is a grey parrot", memory.CategoryEntity, memory.TypeFactual, "en"},
		{notes, "- The port is the one above", memory.CategoryFact, memory.TypeFactual, "en"},
		{notes, "- " + strings.Repeat("word ", 79) + "decided", memory.CategoryDecision, memory.TypeFactual, ""},
		{notes, "- " + strings.Repeat("word ", 80) + "decided", memory.CategoryFact, memory.TypeFactual, ""},
		{notes, "- Ada King of Lovelace is a mathematician", memory.CategoryEntity, memory.TypeFactual, "en"},
		{notes, "- Ada Augusta King of Lovelace is a mathematician", memory.CategoryFact, memory.TypeFactual, "en"},
		{notes, "- Plants need water", memory.CategoryFact, memory.TypeFactual, ""},
		{notes, "1. stop it\n2. copy the data\n3. start it", memory.CategoryFact, memory.TypeProcedural, "en"},
		{daily, "- To restore the backup, run restore.sh and then wait", memory.CategoryFact, memory.TypeProcedural, "en"},
		{notes, "- The deadline of the first milestone is in May", memory.CategoryFact, memory.TypeProject, "en"},
		{"USER.md", "- The deadline of the first milestone is in May", memory.CategoryFact, memory.TypeFactual, "en"},
		{"MEMORY.md", "- port 5432", memory.CategoryFact, memory.TypeFactual, ""},
		{notes, "```\ndecided := true\n```", memory.CategoryFact, memory.TypeFactual, ""},
		{notes, "- 開発環境のデータベースは毎晩二時にバックアップされる", memory.CategoryFact, memory.TypeFactual, "ja"},
		{notes, "- 数据库每天凌晨两点备份", memory.CategoryFact, memory.TypeFactual, "zh"},
		{notes, "- https://example.org/path/to/page データベースは毎晩バックアップされる", memory.CategoryFact, memory.TypeFactual, "ja"},
		{notes, "- PostgreSQL PostgreSQL 数据库每天凌晨两点备份", memory.CategoryFact, memory.TypeFactual, "zh"},
		{notes, "- PostgreSQL PostgreSQL PostgreSQL PostgreSQL 数据库每天凌晨两点备份", memory.CategoryFact, memory.TypeFactual, ""},
		{notes, "- 데이터베이스는 매일 밤 백업된다", memory.CategoryFact, memory.TypeFactual, "ko"},
		{notes, "- База данных копируется каждую ночь", memory.CategoryFact, memory.TypeFactual, "ru"},
		{notes, "- La contraseña es la misma para los servidores", memory.CategoryFact, memory.TypeFactual, "es"},
		{notes, "- Le mot de passe est le même pour les serveurs", memory.CategoryFact, memory.TypeFactual, "fr"},
		{notes, "---\nmemory_type: project\n---\n- To restore the backup, run restore.sh", "", memory.TypeProject, "en"},
	}
	w := newWorld(t)
	for i, tt := range tests {
		w.write(tt.file, tt.text)
		w.scan()
		all := w.list(memory.Predicate{})
		if len(all) != 1 {
			t.Fatalf("%d: %d memories", i, len(all))
		}
		if m := all[0]; tt.category != "" && m.Category != tt.category || m.Type != tt.kind || m.Lang != tt.lang {
			t.Errorf("%s %q: detected %s, %s, %q; want %s, %s, %q", tt.file, tt.text, m.Category, m.Type, m.Lang, tt.category, tt.kind, tt.lang)
		}
		w.write(tt.file)
	}
}
