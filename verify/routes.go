package verify

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Searcher answers questions with memories.
type Searcher interface {
	Recall(context.Context, memory.RecallRequest) (memory.RecallAnswer, error)
	Search(context.Context, memory.SearchRequest) (memory.SearchAnswer, error)
}

// Lister returns memories, files and the current context as they are now.
type Lister interface {
	List(context.Context, memory.ListRequest) (memory.ListAnswer, error)
	Files(context.Context, memory.FilesRequest) (memory.FilesAnswer, error)
	Context(context.Context, memory.ContextOf) (memory.ContextAnswer, error)
}

// Historian returns what was decided and recalled before.
type Historian interface {
	Audit(context.Context, memory.AuditRequest) (memory.AuditAnswer, error)
	Receipts(context.Context, memory.ReceiptsRequest) (memory.ReceiptsAnswer, error)
	Last(context.Context, memory.LastRequest) (memory.LastAnswer, error)
}

// Routes are the use cases that return texts of one workspace.
type Routes struct {
	Searcher
	Lister
	Historian
	Workspace string
	User      *User    // nil: a person, who may see everything
	Users     []string // for a person: the identities, which have current contexts of their own
}

// User is the user who looks for a text, as the request names the user.
type User struct {
	memory.Sender
	For memory.Audience
}

// Find asks every route for a text and reports, sorted by route, which of them
// return it. It records no use and no receipt. For a user, it asks as this user, and
// leaves out the audit, which is about everybody's memories.
func (r Routes) Find(ctx context.Context, text string) (memory.VerifyAnswer, error) {
	s := routeScan{Routes: r, text: text, words: joinWords(text)}
	checks := []func(context.Context) error{s.checkLists, s.checkSearches, s.checkRecall, s.checkReceipts, s.checkLast, s.checkFiles, s.checkContext}
	if r.User == nil {
		checks = append(checks, s.checkAudit)
	} else {
		s.as = *r.User
	}
	for _, check := range checks {
		if err := check(ctx); err != nil {
			return s.answer, err
		}
	}
	slices.SortStableFunc(s.answer.Checked, func(a, b memory.CheckedPlace) int { return strings.Compare(a.Route, b.Route) })
	return s.answer, nil
}

// routeScan is one pass over the routes.
type routeScan struct {
	Routes
	as      User // empty: a person
	text    string
	words   string // text with its white space joined
	private bool   // a route returned the text as a private memory
	answer  memory.VerifyAnswer
}

func (s *routeScan) isForModel() bool { return s.as.For == memory.AudienceModel }

// joinWords replaces each run of white space by one space, because files may
// wrap a text differently.
func joinWords(text string) string { return strings.Join(strings.Fields(text), " ") }

func (s *routeScan) contains(other string) bool { return strings.Contains(joinWords(other), s.words) }

// containsAny reports whether a memory repeats the text in anything that answers show.
func (s *routeScan) containsAny(m memory.Memory) bool {
	shown := slices.Concat([]string{m.Text, string(m.Scope)}, m.Tags, m.Entities, m.Heading)
	if m.SourceRef != nil {
		shown = append(shown, *m.SourceRef)
	}
	return slices.ContainsFunc(shown, s.contains)
}

// inMemories searches memories. On a route that was asked for forgotten or
// missing memories, one that is tagged as such is noted and does not count.
func (s *routeScan) inMemories(memories []memory.Memory, askedForHidden bool) (found bool, note string) {
	for _, m := range memories {
		switch {
		case !s.containsAny(m):
		case askedForHidden && (m.Forgotten || m.Missing):
			tag := "missing"
			if m.Forgotten {
				tag = "forgotten"
			}
			note = "tagged as " + tag + ": shown only on request"
		default:
			found, s.private = true, s.private || m.Private
		}
	}
	return found, note
}

func (s *routeScan) add(route string, found bool, note string) {
	s.answer.Add(memory.CheckedPlace{Route: route, Found: found, Note: note})
}

// checkLists reads whole lists, page by page.
func (s *routeScan) checkLists(ctx context.Context) error {
	for _, list := range []struct {
		route string
		memory.ListRequest
	}{
		{"list", memory.ListRequest{Properties: true}},
		{"list --tier archive", memory.ListRequest{Properties: true, Filter: memory.Filter{Tier: memory.TierArchive}}},
		{"list --forgotten", memory.ListRequest{Filter: memory.Filter{Forgotten: true}}},
		{"list --missing", memory.ListRequest{Missing: true}},
	} {
		if s.isForModel() && (list.Forgotten || list.Missing) {
			continue // no answer for a model contains those
		}
		found, notes := false, ""
		err := s.eachPage(ctx, list.ListRequest, func(page []memory.Memory) {
			in, note := s.inMemories(page, list.Forgotten || list.Missing)
			found, notes = found || in, notes+note
		})
		if err != nil {
			return err
		}
		s.add(list.route, found, notes)
	}
	return nil
}

func (s *routeScan) eachPage(ctx context.Context, r memory.ListRequest, visit func([]memory.Memory)) error {
	r.Workspace, r.Sender, r.For = s.Workspace, s.as.Sender, s.as.For
	for {
		answer, err := s.List(ctx, r)
		if err != nil {
			return err
		}
		visit(answer.Memories)
		if r.Offset += len(answer.Memories); len(answer.Memories) == 0 || r.Offset >= answer.Total {
			return nil
		}
	}
}

func (s *routeScan) checkSearches(ctx context.Context) error {
	search := func(route string, lane memory.Lane, forgotten bool) error {
		answer, err := s.Search(ctx, memory.SearchRequest{Query: s.question(), Workspace: s.Workspace, Lane: lane, Sender: s.as.Sender, For: s.as.For,
			Filter: memory.Filter{Deep: true, Forgotten: forgotten}})
		found, note := s.inMemories(memoriesOf(answer.Hits), forgotten)
		s.add(route, found, note)
		return err
	}
	var err error
	if !s.isForModel() {
		err = search("search --forgotten", "", true)
	}
	for _, lane := range memory.Lanes {
		if err == nil {
			err = search("search --lane "+string(lane), lane, false)
		}
	}
	return err
}

// question returns the beginning of the text as a query: a longer one takes more
// time and finds nothing more.
func (s *routeScan) question() string {
	const maxRunes = 2000
	if runes := []rune(s.text); len(runes) > maxRunes {
		return string(runes[:maxRunes])
	}
	return s.text
}

func memoriesOf(hits []memory.Hit) (memories []memory.Memory) {
	for _, h := range hits {
		memories = append(memories, h.Memory)
	}
	return memories
}

// checkRecall runs after the lists and searches, which tell whether the text is
// private.
func (s *routeScan) checkRecall(ctx context.Context) error {
	record := false
	answer, err := s.Recall(ctx, memory.RecallRequest{Prompt: s.question(), Workspace: s.Workspace, Sender: s.as.Sender, Record: &record})
	found, _ := s.inMemories(memoriesOf(answer.Hits), false)
	note := ""
	if s.private {
		note = "private: never injected, and never sent to another machine"
	}
	s.add("recall", found || s.contains(answer.Context), note)
	return err
}

func (s *routeScan) checkAudit(ctx context.Context) error {
	audit, err := s.Audit(ctx, memory.AuditRequest{Workspace: s.Workspace})
	if err != nil {
		return err
	}
	found, err := s.inJSON(audit)
	s.add("audit", found, "")
	return err
}

func (s *routeScan) inJSON(v any) (bool, error) {
	text, err := json.Marshal(v)
	return s.contains(string(text)), err
}

func (s *routeScan) checkReceipts(ctx context.Context) error {
	answer, err := s.Receipts(ctx, memory.ReceiptsRequest{Workspace: s.Workspace, Sender: s.as.Sender, For: s.as.For})
	if err != nil {
		return err
	}
	found := false
	for _, r := range answer.Receipts {
		in, err := s.inJSON(r)
		if err != nil {
			return err
		}
		found = found || in
	}
	s.add("receipts", found, "")
	return nil
}

func (s *routeScan) checkLast(ctx context.Context) error {
	last, err := s.Last(ctx, memory.LastRequest{Workspace: s.Workspace, Sender: s.as.Sender, For: s.as.For})
	if errors.Is(err, memory.ErrNotFound) {
		err = nil // nothing was recalled yet
	}
	shown := slices.Concat([]memory.ReceiptMemory(last.Injected), last.NearMisses)
	s.add("last", slices.ContainsFunc(shown, func(m memory.ReceiptMemory) bool { return m.Memory != nil && s.contains(m.Memory.Text) }), "")
	return err
}

// checkFiles asks for every file that holds memories, as hosts may serve it.
func (s *routeScan) checkFiles(ctx context.Context) error {
	var paths []string
	lists := []memory.ListRequest{{}}
	if !s.isForModel() {
		lists = append(lists, memory.ListRequest{Filter: memory.Filter{Forgotten: true}})
	}
	for _, r := range lists {
		if err := s.eachPage(ctx, r, func(page []memory.Memory) {
			for _, m := range page {
				paths = append(paths, m.Path)
			}
		}); err != nil {
			return err
		}
	}
	slices.Sort(paths)
	files, err := s.Files(ctx, memory.FilesRequest{Workspace: s.Workspace, Paths: slices.Compact(paths), Sender: s.as.Sender})
	if err != nil {
		return err
	}
	s.add("files", slices.ContainsFunc(files.Files, func(f memory.ServedFile) bool { return s.contains(f.Content) }), "")
	return nil
}

func (s *routeScan) checkContext(ctx context.Context) error {
	found := false
	senders := []memory.Sender{{}}
	for _, user := range s.Users {
		senders = append(senders, memory.Sender{User: user})
	}
	if s.User != nil {
		senders = []memory.Sender{s.User.Sender}
	}
	for _, sender := range senders {
		current, err := s.Context(ctx, memory.ContextOf{Workspace: s.Workspace, Sender: sender})
		if err != nil {
			return err
		}
		found = found || current.Context != nil && s.contains(current.Context.Text)
	}
	s.add("context", found, "")
	return nil
}
