package derive

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/recall/block"
)

type section struct {
	title string
	fits  func(m *memory.Memory, states bool) bool // states: it states a relation between names
}

// sections lists the parts of a profile, in their order. A memory is in the first one that it
// fits. What happened on a day fits none, unless it is pinned.
var sections = []section{
	{"Preferences", func(m *memory.Memory, _ bool) bool { return m.Category == memory.CategoryPreference }},
	{"People and things", func(m *memory.Memory, states bool) bool { return states || m.Category == memory.CategoryEntity }},
	{"Projects", func(m *memory.Memory, _ bool) bool { return m.Type == memory.TypeProject }},
	{"Habits", func(m *memory.Memory, _ bool) bool { return m.Type == memory.TypeProcedural }},
	{"Decisions and plans", func(m *memory.Memory, _ bool) bool {
		return m.Category == memory.CategoryDecision || m.Category == memory.CategoryPlan
	}},
	{"Facts", func(m *memory.Memory, _ bool) bool { return m.Type == memory.TypeFactual || m.Pinned }},
}

// longestLine bounds a line of a profile, in characters. The memory has the rest.
const longestLine = 200

// Profile returns one page of what is known of the owner: trusted memories that still hold, the
// pinned and important ones first. The sections take turns until the budget is used.
func (read Answers) Profile(ctx context.Context, r knowledge.ProfileRequest) (page knowledge.Profile, err error) {
	budget := knowledge.DefaultTokens
	if r.MaxTokens != nil {
		budget = *r.MaxTokens
	}
	if budget < 0 {
		return page, memory.Invalid("max_tokens", "the budget %d is negative", budget).WithHint("0 means no limit")
	}
	if r.Sender == (memory.Sender{}) {
		r.User = memory.OwnerIdentity
	}
	l, err := read(ctx, memory.ListRequest{Workspace: r.Workspace, Properties: true, Sender: r.Sender, For: r.For})
	if err == nil {
		page, err = profile(ctx, l.DB, l.Predicate, budget)
	}
	page.Stale = l.Stale
	return page, err
}

// maxAtSessionStart is the largest number of memories of which a session gets a profile. Each takes some
// 46 µs, and a client waits 300 ms for its hook.
const maxAtSessionStart = 4000

// ProfileIDs returns the memories in the profile that a view gets, in its order. Of more than
// maxAtSessionStart memories there are none.
func ProfileIDs(ctx context.Context, db lookup.NamesSource, p memory.Predicate) (ids []memory.ID, err error) {
	if _, n, err := db.List(ctx, p, "path", 1, 0); err != nil || n > maxAtSessionStart {
		return nil, err
	}
	page, err := profile(ctx, db, p, knowledge.DefaultTokens)
	for _, s := range page.Sections {
		for _, line := range s.Lines {
			ids = append(ids, line.ID)
		}
	}
	return ids, err
}

func profile(ctx context.Context, db lookup.NamesSource, p memory.Predicate, budget int) (page knowledge.Profile, err error) {
	p.Archive = false
	n, err := lookup.ReadNames(ctx, db, p)
	if err != nil {
		return page, err
	}
	for _, s := range sections {
		page.Sections = append(page.Sections, knowledge.Section{Title: s.title})
	}
	picks := picksOf(n, p.View)
	page.LeftOut = len(picks)
	for _, pick := range picks {
		m, s := pick.Memory, &page.Sections[pick.section]
		line := knowledge.Line{Text: lineOf(n, m), ID: m.ID, Place: m.Place()}
		added := "- " + line.String() + "\n"
		if len(s.Lines) == 0 {
			added += "\n## " + s.Title + "\n\n"
		}
		tokens := block.TokenCount(added)
		if budget > 0 && page.Tokens+tokens > budget {
			continue
		}
		page.Tokens, page.LeftOut = page.Tokens+tokens, page.LeftOut-1
		s.Lines = append(s.Lines, line)
	}
	page.Sections = slices.DeleteFunc(page.Sections, func(s knowledge.Section) bool { return len(s.Lines) == 0 })
	return page, nil
}

// pick is a memory that the profile may have.
type pick struct {
	*memory.Memory
	section int
	turn    int // its place in the section
}

// picksOf returns what the profile may have: the pinned memories, then the best ones of each
// section in turn.
func picksOf(n lookup.Names, v memory.View) (picks []pick) {
	isOver := lookup.IsOver(v.At())
	for i := range n.Memories {
		m := &n.Memories[i]
		states, holds := n.States(i)
		if m.Trust != memory.TrustTrusted || m.SupersededBy != nil || isOver(m) || states && !holds || m.IsProperties || m.ImportanceLabel == memory.ImportanceIgnore {
			continue
		}
		if at := slices.IndexFunc(sections, func(s section) bool { return s.fits(m, states) }); at >= 0 {
			picks = append(picks, pick{Memory: m, section: at})
		}
	}
	slices.SortStableFunc(picks, func(a, b pick) int {
		return cmp.Or(rank(b.Memory)-rank(a.Memory), cmp.Compare(b.Importance, a.Importance), b.CreatedAt.Compare(a.CreatedAt))
	})
	turns := make([]int, len(sections))
	for i := range picks {
		p := &picks[i]
		p.turn = turns[p.section]
		turns[p.section]++
	}
	slices.SortStableFunc(picks, func(a, b pick) int {
		return cmp.Or(rank(b.Memory)-rank(a.Memory), a.turn-b.turn, a.section-b.section)
	})
	return picks
}

// rank puts pinned memories first.
func rank(m *memory.Memory) int {
	if m.Pinned {
		return 1
	}
	return 0
}

// lineOf returns the text of a memory on one line, after the name that its heading has for what
// it is about.
func lineOf(n lookup.Names, m *memory.Memory) string {
	text := strings.Join(strings.Fields(m.Text), " ")
	if at := len(m.Heading) - 1; at >= 0 && len(n.Find(m.Heading[at])) == 1 && !strings.Contains(text, m.Heading[at]) {
		text = m.Heading[at] + ": " + text
	}
	if utf8.RuneCountInString(text) > longestLine {
		return string([]rune(text)[:longestLine]) + "…"
	}
	return text
}
