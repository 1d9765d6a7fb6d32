package index_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

func (s *suite) testWords() {
	s.apply(indextest.Noon, indextest.File("a.md", "Prefers tabs over spaces in Go", "Deploys run on Fridays", "把Nekuig部署到生产环境",
		"The getUserName call fails with ERR_CONN-42 in src/net/dial.go", "ERR and CONN and 42 apart", "東京タワーの高さは333メートル",
		"Commit 3f8a91c2b7d0e4f5 broke it", "Shipped🤖today"))
	for _, c := range []struct {
		q    memory.Query
		want string // a prefix of the first text; empty: no text
	}{
		{indextest.Words("preference", "tab"), "Prefers"}, {indextest.Words("deployed"), "Deploys"}, {indextest.Words("DEPLOY"), "Deploys"},
		{indextest.Words("nekuig"), "把"}, {indextest.Words("部署"), "把"}, {indextest.Words("生产环境"), "把"}, {indextest.Words("境"), "把"}, {indextest.Words("署到"), "把"},
		{indextest.Words("東京"), "東京"}, {indextest.Words("タワー"), "東京"}, {indextest.Words("name"), "The getUserName"}, {indextest.Words("getUserName"), "The getUserName"},
		{indextest.Identifier("ERR_CONN-42"), "The getUserName"}, {indextest.Identifier("err_conn-42"), "The getUserName"},
		{indextest.Identifier("src/net/dial.go"), "The getUserName"}, {indextest.Identifier("dial.go"), "The getUserName"},
		{indextest.Identifier("3f8a91c2"), "Commit"}, {indextest.Identifier("b7d0e4"), "Commit"}, {indextest.Words("today"), "Shipped"},
		{indextest.Words("部长"), ""}, {indextest.Words("zzyzx"), ""}, {indextest.Words(""), ""}, {indextest.Words("!!!"), ""}, {indextest.Identifier("100%"), ""}, {memory.Query{}, ""},
	} {
		got := s.byWords(c.q, memory.Predicate{}, 5)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.HasPrefix(got[0], c.want)) {
			s.Errorf("%v finds %q, want %q first", c.q.Terms, got, c.want)
		}
	}
}

func (s *suite) testQuerySyntax() {
	s.apply(indextest.Noon, indextest.File("a.md", "Plain words here", `He said "NEAR" and NOT * OR text:plain`))
	for _, q := range []string{`"`, `""`, `"""plain`, "plain OR", "NOT plain", "NEAR(plain words)", "text:plain", "parts : x", "plain*", "^plain",
		"{text} : plain", "-plain", "plain + words", "(", ")", "%", "_", `\`, "\x00plain", "\xff\xfeplain", "plain\x00words", "'; DROP TABLE memories; --",
		strings.Repeat("a", 1<<20), strings.Repeat("plain ", 100_000)} {
		for _, kind := range []memory.TermKind{memory.TermWord, memory.TermIdentifier, memory.TermCJK} {
			if _, err := s.Search(s.Context(), memory.Query{Terms: []memory.Term{{Text: q, Kind: kind}}}, memory.Predicate{}, 5, false); err != nil {
				s.Errorf("%.40q: %v", q, err)
			}
		}
	}
	many := make([]string, 500)
	for i := range many {
		many[i] = fmt.Sprint("word", i)
	}
	if got := s.byWords(indextest.Words(append([]string{"here"}, many...)...), memory.Predicate{}, 5); len(got) != 1 {
		s.Errorf("500 unknown words and one known word find %q", got)
	}
}

func (s *suite) testScores() {
	lines := []string{"The observatory keeps a telescope made of brass", "Brass needs polish"}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("Number %d is about cooking pasta with tomatoes", i))
	}
	s.apply(indextest.Noon, indextest.File("a.md", lines...))
	score := func(words ...string) float64 {
		found, err := s.Search(s.Context(), indextest.Words(words...), memory.Predicate{}, 1, false)
		if err != nil || len(found.Signals) != 1 {
			s.Fatalf("%q: %v, %v", words, found, err)
		}
		return found.Signals[0].Score
	}
	all := score("observatory", "telescope", "brass")
	part := score("observatory", "submarine", "periscope", "torpedo")
	if all < 0.75 || part > 0.45 {
		s.Errorf("all terms matched scores %.2f, a quarter of them %.2f", all, part)
	}
}

func (s *suite) testNeighbours() {
	texts := []string{"red apples and green pears", "green pears", "a bicycle with two wheels", "wheels of a cart", "the sea at night"}
	s.apply(indextest.Noon, indextest.File("a.md", texts...))
	if found, err := s.Search(s.Context(), memory.Query{Vector: indextest.Embed("x")}, memory.Predicate{}, 3, true); err != nil || !errors.Is(found.VectorError, memory.ErrUnavailable) {
		s.Errorf("without a model: %v, %v", found.VectorError, err)
	}
	s.embed(texts...)
	for _, query := range append(texts, "green wheels", "apples") {
		found, err := s.Search(s.Context(), memory.Query{Vector: indextest.Embed(query)}, memory.Predicate{}, 3, true)
		must.Do(s, cmp.Or(err, found.VectorError))
		s.wantNeighbours(query, found.Nearest, texts, 3)
	}
	if found, err := s.Search(s.Context(), memory.Query{}, memory.Predicate{}, 3, true); err != nil || len(found.Nearest) > 0 {
		s.Errorf("without a vector: %v, %v", found, err)
	}
	if found, err := s.Search(s.Context(), memory.Query{Vector: indextest.Embed("")}, memory.Predicate{}, 3, true); err != nil || len(found.Nearest) > 0 {
		s.Errorf("with the zero vector: %v, %v", found, err)
	}
	if found, err := s.Search(s.Context(), memory.Query{Vector: []float32{1}}, memory.Predicate{}, 3, true); err != nil || !errors.Is(found.VectorError, memory.ErrUnavailable) {
		s.Errorf("with a vector of another dimension: %v, %v", found.VectorError, err)
	}
	if err := s.PutVectors(s.Context(), indextest.Model, map[memory.Fingerprint][]float32{{1}: {1, 2, 3}}); !errors.Is(err, memory.ErrInvalid) {
		s.Errorf("a vector of another dimension is stored: %v", err)
	}
	nan := make([]float32, indextest.Dim)
	nan[3] = float32(math.NaN())
	if err := s.PutVectors(s.Context(), indextest.Model, map[memory.Fingerprint][]float32{{1}: nan}); !errors.Is(err, memory.ErrInvalid) {
		s.Errorf("a vector with NaN is stored: %v", err)
	}
}

// wantNeighbours compares candidates with the k largest cosines.
func (s *suite) wantNeighbours(query string, found []memory.Candidate, texts []string, k int) {
	s.Helper()
	var want []float64
	for _, text := range texts {
		want = append(want, cosine(indextest.Embed(query), indextest.Stored(text)))
	}
	slices.Sort(want)
	slices.Reverse(want)
	want = want[:min(k, len(want))]
	if len(found) != len(want) {
		s.Errorf("%q: %d neighbours, want %d", query, len(found), len(want))
		return
	}
	for i, c := range found {
		if math.Abs(c.Raw-want[i]) > 1e-4 {
			s.Errorf("%q: neighbour %d has the cosine %.5f, want %.5f", query, i, c.Raw, want[i])
		}
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func (s *suite) testVectorChanges() {
	s.embed("first text", "second text", "third text", "late text")
	s.apply(indextest.Noon, indextest.File("a.md", "first text", "second text"))
	check := func(when string, want ...string) {
		s.Helper()
		got := s.byVector("text", memory.Predicate{}, 9)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			s.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	check("applied", "first text", "second text")
	edited := indextest.File("a.md", "first text", "third text")
	edited.Placements[1].ID = indextest.ID("second text")
	s.apply(indextest.Noon, edited)
	check("edited", "first text", "third text")
	s.apply(indextest.Noon, indextest.File("b.md", "not embedded yet"))
	check("before it is embedded", "first text", "third text")
	s.embed("not embedded yet")
	check("after it is embedded", "first text", "not embedded yet", "third text")
	s.apply(indextest.Noon, indextest.File("a.md", "first text"))
	check("removed", "first text", "not embedded yet")
	must.Do(s, s.UseModel(s.Context(), index.ServingModel, "another", indextest.Dim))
	check("another model")
	must.Do(s, s.UseModel(s.Context(), index.ServingModel, indextest.Model, indextest.Dim))
	check("the first model again", "first text", "not embedded yet")
}

func (s *suite) testSelectiveFilter() {
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf("common words number %d", i))
	}
	b := indextest.Join(indextest.File("many.md", lines...), indextest.File("few.md", "common words apart from the others", "common things"))
	s.apply(indextest.Noon, b)
	s.embed(append(lines, "common words apart from the others", "common things")...)
	p := memory.Predicate{Path: "few.md"}
	if got := s.byWords(indextest.Words("common", "number"), p, 5); len(got) != 2 {
		s.Errorf("words find %q", got)
	}
	if got := s.byVector("common words number 7", p, 5); len(got) != 2 {
		s.Errorf("vectors find %q", got)
	}
	if got := s.byVector("common words number 7", memory.Predicate{}, 300); len(got) != 300 {
		s.Errorf("%d neighbours, want 300", len(got))
	}
}

func (s *suite) testFilters() {
	now := indextest.Noon
	b := indextest.Join(indextest.File("MEMORY.md", "apple plain"), indextest.File("memory/2026/old.md", "apple archived", "apple forgotten", "apple scoped"),
		indextest.File("memory/private.md", "apple private", "apple expired", "apple global"))
	b.Placements[1].Block.Annotations.Tier = memory.TierArchive
	b.Placements[2].Block.Annotations.Forgotten = ptr(true)
	b.Placements[3].Block.Annotations = memory.Declared{Scope: "work", Tags: []string{"Fruit"}, Pinned: ptr(true), Category: memory.CategoryPlan}
	b.Placements[4].Block.Annotations.Private = ptr(true)
	b.Placements[5].Block.Annotations.Expires = now.Add(-time.Minute)
	b.Placements[6].Block.Annotations = memory.Declared{Scope: memory.ScopeGlobal, Created: now.AddDate(0, 0, 1), Trust: memory.TrustQuarantined}
	b.Placements[0].Block.Annotations.User = "lena"
	s.apply(now, b)
	var texts []string
	for _, p := range b.Placements {
		texts = append(texts, p.Block.Text)
	}
	s.embed(texts...)
	for _, c := range []struct {
		name string
		p    memory.Predicate
		want string
	}{
		{"no condition", memory.Predicate{}, "expired global plain private scoped"},
		{"archive", memory.Predicate{Archive: true}, "archived expired global plain private scoped"},
		{"tier archive", memory.Predicate{Tier: memory.TierArchive}, "archived"},
		{"including forgotten", memory.Predicate{Forgotten: memory.Include}, "expired forgotten global plain private scoped"},
		{"forgotten only", memory.Predicate{Forgotten: memory.Only}, "forgotten"},
		{"scope", memory.Predicate{View: memory.View{Scope: "work"}}, "expired global plain private scoped"},
		{"another scope", memory.Predicate{View: memory.View{Scope: "home"}}, "expired global plain private"},
		{"everybody's", memory.Predicate{View: memory.View{Users: []string{""}}}, "expired global private scoped"},
		{"of a user", memory.Predicate{View: memory.View{Users: []string{"lena", "telegram:2"}}}, "plain"},
		{"for a user", memory.Predicate{View: memory.View{Users: []string{"", "lena"}}}, "expired global plain private scoped"},
		{"for another user", memory.Predicate{View: memory.View{Users: []string{"", "ben"}}}, "expired global private scoped"},
		{"tag", memory.Predicate{Tag: "fruit"}, "scoped"},
		{"pinned", memory.Predicate{Pinned: true}, "scoped"},
		{"category", memory.Predicate{Category: memory.CategoryPlan}, "scoped"},
		{"type", memory.Predicate{Type: memory.TypeProcedural}, ""},
		{"path", memory.Predicate{Path: "MEMORY.md"}, "plain"},
		{"folder", memory.Predicate{Path: "memory/2026"}, "scoped"},
		{"glob", memory.Predicate{Path: "memory/*.md"}, "expired global private"},
		{"glob of folders", memory.Predicate{Path: "memory/**/*.md"}, "expired global private scoped"},
		{"since", memory.Predicate{Since: now}, "global"},
		{"until", memory.Predicate{Until: now}, "expired plain private scoped"},
		{"as of", memory.Predicate{View: memory.View{AsOf: now}}, "expired plain private scoped"},
		{"to inject as of now", memory.Predicate{View: memory.View{Model: true, Pushed: true, AsOf: now}}, "plain scoped"},
		{"to inject now", memory.Predicate{View: memory.View{Model: true, Pushed: true, Now: now}}, "plain scoped"},
		{"to inject before it expired", memory.Predicate{View: memory.View{Model: true, Pushed: true, Now: now.Add(-time.Hour)}}, "expired plain scoped"},
		{"to inject as of a time before now", memory.Predicate{View: memory.View{Model: true, Pushed: true, Now: now, AsOf: now.Add(-2 * time.Minute)}}, "expired plain scoped"},
		{"to inject without a time", memory.Predicate{View: memory.View{Model: true, Pushed: true}}, "plain scoped"},
		{"to inject, including all", memory.Predicate{View: memory.View{Model: true, Pushed: true, AsOf: now}, Archive: true, Forgotten: memory.Include, Missing: memory.Include}, "plain scoped"},
		{"ids", memory.Predicate{IDs: []memory.ID{indextest.ID("apple plain"), indextest.ID("apple forgotten")}}, "plain"},
	} {
		for lane, got := range map[string][]string{"words": s.byWords(indextest.Words("apple"), c.p, 20), "vector": s.byVector("apple", c.p, 20)} {
			slices.Sort(got)
			if all := strings.ReplaceAll(strings.Join(got, " "), "apple ", ""); all != c.want {
				s.Errorf("%s, %s: %q, want %q", c.name, lane, all, c.want)
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }
