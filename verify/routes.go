package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// Backend has the use cases that return texts.
type Backend interface {
	Recall(context.Context, memory.RecallRequest) (memory.RecallAnswer, error)
	Search(context.Context, memory.SearchRequest) (memory.SearchAnswer, error)
	List(context.Context, memory.ListRequest) (memory.ListAnswer, error)
	Files(context.Context, memory.FilesRequest) (memory.FilesAnswer, error)
	Context(context.Context, memory.ContextOf) (memory.ContextAnswer, error)
	Audit(context.Context, memory.AuditRequest) (memory.AuditAnswer, error)
	Receipts(context.Context, memory.ReceiptsRequest) (memory.ReceiptsAnswer, error)
	Last(context.Context, memory.LastRequest) (memory.LastAnswer, error)
	Entities(context.Context, memory.ListRequest) (knowledge.EntitiesAnswer, error)
	Scenes(context.Context, memory.ListRequest) (knowledge.ScenesAnswer, error)
	Profile(context.Context, knowledge.ProfileRequest) (knowledge.Profile, error)
	Review(context.Context, memory.ReviewRequest) (memory.ReviewAnswer, error)
}

// Routes are the texts of one workspace, as users ask for them.
type Routes struct {
	Backend
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
// leaves out the audit and the review, which are about everybody's memories.
func (r Routes) Find(ctx context.Context, text string) (memory.VerifyAnswer, error) {
	s := routeScan{Routes: r, text: text, words: joinWords(text)}
	if r.User != nil {
		s.as = *r.User
	}
	for _, q := range s.questions() {
		if q.forHidden && s.as.For == memory.AudienceModel || q.forPerson && r.User != nil {
			continue // no answer for a model contains hidden memories
		}
		place := memory.CheckedPlace{Route: q.route}
		err := q.ask(ctx, func(memories []memory.Memory, texts ...string) {
			found, note := s.inMemories(memories, q.forHidden)
			place.Found = place.Found || found || slices.ContainsFunc(texts, s.contains)
			place.Note = cmp.Or(place.Note, note)
		})
		if err != nil {
			return s.answer, err
		}
		if q.route == "recall" && s.private {
			place.Note = "private: never injected, and never sent to another machine"
		}
		s.answer.Add(place)
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

// question is one request to a route.
type question struct {
	route     string
	forHidden bool // it asks for forgotten or missing memories
	forPerson bool // it answers about everybody's memories
	ask       asking
}

// asking asks a route, and passes on what it returns: memories, and other texts.
type asking func(ctx context.Context, see seen) error

type seen func(memories []memory.Memory, texts ...string)

// questions lists what is asked. The lists and searches come before the recall: they tell
// whether the text is private.
func (s *routeScan) questions() []question {
	all := []question{
		{route: "list", ask: s.list(memory.ListRequest{Properties: true})},
		{route: "list --tier archive", ask: s.list(memory.ListRequest{Properties: true, Filter: memory.Filter{Tier: memory.TierArchive}})},
		{route: "list --forgotten", forHidden: true, ask: s.list(memory.ListRequest{Filter: memory.Filter{Forgotten: true}})},
		{route: "list --missing", forHidden: true, ask: s.list(memory.ListRequest{Missing: true})},
		{route: "search --forgotten", forHidden: true, ask: s.search("", true)},
	}
	for _, lane := range memory.Lanes {
		all = append(all, question{route: "search --lane " + string(lane), ask: s.search(lane, false)})
	}
	noLimit := 0
	list := memory.ListRequest{Workspace: s.Workspace, Limit: &noLimit, Sender: s.as.Sender, For: s.as.For}
	return append(all, question{route: "recall", ask: s.recall}, question{route: "last", ask: s.last}, question{route: "files", ask: s.files}, question{route: "context", ask: s.context},
		question{route: "receipts", ask: textsOf(s.Receipts, memory.ReceiptsRequest{Workspace: s.Workspace, Sender: s.as.Sender, For: s.as.For})},
		question{route: "audit", forPerson: true, ask: textsOf(s.Audit, memory.AuditRequest{Workspace: s.Workspace})},
		question{route: "review", forPerson: true, ask: textsOf(s.Review, memory.ReviewRequest{Workspace: s.Workspace})},
		question{route: "entities", ask: textsOf(s.Entities, list)}, question{route: "scenes", ask: textsOf(s.Scenes, list)},
		question{route: "profile", ask: textsOf(s.Profile, knowledge.ProfileRequest{Workspace: s.Workspace, MaxTokens: &noLimit, Sender: s.as.Sender, For: s.as.For})})
}

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

// list reads a whole list, page by page.
func (s *routeScan) list(r memory.ListRequest) asking {
	r.Workspace, r.Sender, r.For = s.Workspace, s.as.Sender, s.as.For
	return func(ctx context.Context, see seen) error {
		for r := r; ; {
			answer, err := s.List(ctx, r)
			if err != nil {
				return err
			}
			see(answer.Memories)
			if r.Offset += len(answer.Memories); len(answer.Memories) == 0 || r.Offset >= answer.Total {
				return nil
			}
		}
	}
}

func (s *routeScan) search(lane memory.Lane, forgotten bool) asking {
	return func(ctx context.Context, see seen) error {
		answer, err := s.Search(ctx, memory.SearchRequest{Query: s.question(), Workspace: s.Workspace, Lane: lane, Sender: s.as.Sender, For: s.as.For,
			Filter: memory.Filter{Deep: true, Forgotten: forgotten}})
		see(memoriesOf(answer.Hits))
		return err
	}
}

// question returns the beginning of the text as a query: a longer one takes more
// time and finds nothing more.
func (s *routeScan) question() string {
	const maxRunes = 2000
	runes := []rune(s.text)
	return string(runes[:min(len(runes), maxRunes)])
}

func memoriesOf(hits []memory.Hit) (memories []memory.Memory) {
	for _, h := range hits {
		memories = append(memories, h.Memory)
	}
	return memories
}

func (s *routeScan) recall(ctx context.Context, see seen) error {
	record := false
	answer, err := s.Recall(ctx, memory.RecallRequest{Prompt: s.question(), Workspace: s.Workspace, Sender: s.as.Sender, Record: &record})
	see(memoriesOf(answer.Hits), answer.Context)
	return err
}

// textsOf asks a route whose answer may have texts anywhere, and passes on all of them.
func textsOf[Q, A any](route func(context.Context, Q) (A, error), q Q) asking {
	return func(ctx context.Context, see seen) error {
		answer, err := route(ctx, q)
		if err != nil {
			return err
		}
		encoded, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		var decoded any
		if err := json.Unmarshal(encoded, &decoded); err != nil {
			return err
		}
		seeTexts(decoded, see)
		return nil
	}
}

// seeTexts passes on the texts in a decoded JSON value. The names of its fields are none.
func seeTexts(value any, see seen) {
	switch value := value.(type) {
	case string:
		see(nil, value)
	case []any:
		for _, each := range value {
			seeTexts(each, see)
		}
	case map[string]any:
		for _, each := range value {
			seeTexts(each, see)
		}
	}
}

func (s *routeScan) last(ctx context.Context, see seen) error {
	last, err := s.Last(ctx, memory.LastRequest{Workspace: s.Workspace, Sender: s.as.Sender, For: s.as.For})
	if errors.Is(err, memory.ErrNotFound) {
		err = nil // nothing was recalled yet
	}
	for _, m := range slices.Concat([]memory.ReceiptMemory(last.Injected), last.NearMisses) {
		if m.Memory != nil {
			see(nil, m.Memory.Text)
		}
	}
	return err
}

// files asks for every file that holds memories, as hosts may serve it.
func (s *routeScan) files(ctx context.Context, see seen) error {
	var paths []string
	add := func(page []memory.Memory, _ ...string) {
		for _, m := range page {
			paths = append(paths, m.Path)
		}
	}
	err := s.list(memory.ListRequest{})(ctx, add)
	if err == nil && s.as.For != memory.AudienceModel {
		err = s.list(memory.ListRequest{Filter: memory.Filter{Forgotten: true}})(ctx, add)
	}
	if err != nil {
		return err
	}
	slices.Sort(paths)
	answer, err := s.Files(ctx, memory.FilesRequest{Workspace: s.Workspace, Paths: slices.Compact(paths), Sender: s.as.Sender})
	for _, f := range answer.Files {
		see(nil, f.Content)
	}
	return err
}

func (s *routeScan) context(ctx context.Context, see seen) error {
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
		if current.Context != nil {
			see(nil, current.Context.Text)
		}
	}
	return nil
}
