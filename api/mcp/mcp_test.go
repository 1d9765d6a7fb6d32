package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api/mcp"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/knowledge"
)

// backend records the requests, and answers with two memories.
type backend struct {
	mu       sync.Mutex // requests of one server run at once
	recalls  []memory.RecallRequest
	hooks    []memory.HookRequest
	searches []memory.SearchRequest
	lists    []memory.ListRequest
	profiles []knowledge.ProfileRequest
	shows    []memory.ShowRequest
	stores   []memory.StoreRequest
	decides  []memory.DecideRequest
	lasts    []memory.LastRequest
	stats    []memory.StatsRequest
	err      error
}

var (
	port = memory.Memory{ID: "3f8a00000000000000000000000000aa", Text: "Staging listens on port 8081", Category: memory.CategoryFact, Path: "MEMORY.md", LineStart: 4, LineEnd: 5,
		Heading: memory.List[string]{"Deploy"}, CreatedAt: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	tea = memory.Memory{ID: "77bb00000000000000000000000000aa", Text: "Prefers tea", Category: memory.CategoryPreference, Path: "memory/tea.md", LineStart: 30, LineEnd: 30}
)

func note[T any](b *backend, requests *[]T, r T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*requests = append(*requests, r)
}

func (b *backend) Recall(_ context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	note(b, &b.recalls, r)
	if strings.Contains(r.Prompt, "nothing") {
		return memory.RecallAnswer{}, b.err
	}
	return memory.RecallAnswer{Context: "<block>\n", Receipt: "r1"}, b.err
}

func (b *backend) Search(_ context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	note(b, &b.searches, r)
	return memory.SearchAnswer{Hits: []memory.Hit{{Memory: port, Similarity: 0.83}, {Memory: tea, Similarity: 0.02}}}, b.err
}

func (b *backend) Hook(_ context.Context, r memory.HookRequest) (memory.HookAnswer, error) {
	note(b, &b.hooks, r)
	return memory.HookAnswer{Output: `{"hookSpecificOutput":{}}`}, b.err
}

func (b *backend) Delivered(context.Context, string, string) error { return nil }

func (b *backend) Entities(_ context.Context, r memory.ListRequest) (knowledge.EntitiesAnswer, error) {
	note(b, &b.lists, r)
	return knowledge.EntitiesAnswer{Entities: memory.List[knowledge.Entity]{{Name: "Ada", Aliases: memory.List[string]{"A. L."}, Memories: 3}}}, b.err
}

func (b *backend) Profile(_ context.Context, r knowledge.ProfileRequest) (knowledge.Profile, error) {
	note(b, &b.profiles, r)
	line := knowledge.Line{Text: "Drinks water.", ID: port.ID, Place: "memory/a.md:2"}
	return knowledge.Profile{Sections: memory.List[knowledge.Section]{{Title: "Preferences", Lines: memory.List[knowledge.Line]{line}}}}, b.err
}

func (b *backend) Scenes(_ context.Context, r memory.ListRequest) (knowledge.ScenesAnswer, error) {
	note(b, &b.lists, r)
	return knowledge.ScenesAnswer{Scenes: memory.List[knowledge.Scene]{{Title: "The house", Kind: "section", Memories: 3, Trust: memory.TrustTrusted, Extract: "The roof leaks\nAda pays"}}}, b.err
}

func (b *backend) List(_ context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	note(b, &b.lists, r)
	return memory.ListAnswer{Memories: memory.List[memory.Memory]{port, tea}}, b.err
}

func (b *backend) Show(_ context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	note(b, &b.shows, r)
	return memory.ShowAnswer{Memory: port}, b.err
}

func (b *backend) Store(_ context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	note(b, &b.stores, r)
	answer := memory.StoreAnswer{Memory: tea, Duplicate: r.Text == "Prefers tea"}
	if r.Replaces != "" {
		answer.Superseded = memory.List[memory.ID]{port.ID}
	} else {
		answer.Similar = memory.List[memory.SimilarMemory]{{ID: port.ID, Text: port.Text}}
	}
	return answer, b.err
}

func (b *backend) Decide(_ context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	note(b, &b.decides, r)
	return memory.DecideAnswer{Changed: memory.List[memory.Memory]{port}, Unchanged: memory.List[memory.UnchangedMemory]{{ID: tea.ID, Reason: memory.AlreadyForgotten}}}, b.err
}

func (b *backend) Last(_ context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	note(b, &b.lasts, r)
	return memory.LastAnswer{Injected: memory.List[memory.ReceiptMemory]{{ID: port.ID, Memory: &port}, {ID: tea.ID, Withheld: "forgotten"}}}, b.err
}

func (b *backend) Stats(_ context.Context, r memory.StatsRequest) (memory.Stats, error) {
	note(b, &b.stats, r)
	return memory.Stats{Workspace: "main", Total: 246, Files: 30, Tiers: map[memory.Tier]int{memory.TierHot: 206, memory.TierWarm: 40}}, b.err
}

// A start that takes longer than its client waits is no failure: the tools work later.
func TestInstructionsOfASlowStart(t *testing.T) {
	for _, isLate := range []bool{true, false} {
		b := &backend{err: context.DeadlineExceeded}
		s := mcp.NewServer(t.Context(), mcp.Options{
			Connect: func(context.Context, bool, func(mcp.Backend, string) error) error { return b.err },
			Patiently: func(ctx context.Context, run func(context.Context)) {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				if isLate {
					cancel()
				}
				run(ctx)
			},
			Hint: func(error) string { return "do this" },
		})
		client, server := sdk.NewInMemoryTransports()
		must.Get(s.Connect(t.Context(), server, nil))(t)
		c := must.Get(sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), client, nil))(t)
		if got := c.InitializeResult().Instructions; strings.Contains(got, "cannot be read") == isLate {
			t.Errorf("late: %v, instructions: %s", isLate, got)
		}
	}
}

func newServer(t *testing.T, b *backend, searchFetch bool) *sdk.Server {
	return mcp.NewServer(t.Context(), mcp.Options{
		Version: "1", SearchFetch: searchFetch,
		Connect:   func(_ context.Context, _ bool, use func(mcp.Backend, string) error) error { return use(b, "main") },
		Patiently: func(ctx context.Context, run func(context.Context)) { run(ctx) },
		Hint:      func(error) string { return "do this" },
	})
}

func connect(t *testing.T, b *backend, searchFetch bool) *sdk.ClientSession {
	client, server := sdk.NewInMemoryTransports()
	s := must.Get(newServer(t, b, searchFetch).Connect(t.Context(), server, nil))(t)
	c := must.Get(sdk.NewClient(&sdk.Implementation{Name: "test-agent", Version: "1"}, nil).Connect(t.Context(), client, nil))(t)
	t.Cleanup(func() { _ = c.Close(); _ = s.Wait() })
	return c
}

// ask calls a tool with arguments as JSON. It returns the texts of the answer.
func ask(t *testing.T, c *sdk.ClientSession, tool, arguments string) (texts []string, isError bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	for _, each := range r.Content {
		texts = append(texts, each.(*sdk.TextContent).Text)
	}
	return texts, r.IsError
}

func TestClientsSeeFiveToolsAndShortTexts(t *testing.T) {
	c := connect(t, &backend{}, false)
	listed := must.Get(c.ListTools(t.Context(), nil))(t)
	instructions := c.InitializeResult().Instructions
	if len(instructions) > 2048 || !strings.Contains(instructions, "246 memories in 30 files") {
		t.Errorf("the instructions are too long or name no count: %s", instructions)
	}
	readOnly := map[string]bool{"memory_recall": true, "memory_search": true, "memory_get": true, "memory_store": false, "memory_forget": false}
	for _, tool := range listed.Tools {
		reads, known := readOnly[tool.Name]
		delete(readOnly, tool.Name)
		switch a := tool.Annotations; {
		case !known:
			t.Errorf("unknown tool %s", tool.Name)
		case a.ReadOnlyHint != reads || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint:
			t.Errorf("%s has the annotations %+v", tool.Name, a)
		case len(tool.Description) > 1024:
			t.Errorf("the description of %s has more than 1 KB", tool.Name)
		case !strings.Contains(instructions[:min(512, len(instructions))], tool.Name):
			t.Errorf("the first 512 bytes of the instructions do not name %s", tool.Name)
		}
	}
	if len(readOnly) > 0 {
		t.Errorf("missing tools: %v", readOnly)
	}
}

func TestToolsAcceptWhatModelsSend(t *testing.T) {
	for _, each := range []struct{ tool, arguments, want string }{
		{"memory_recall", `{"prompt": "port?", "max_tokens": 300}`, "port? 300"},
		{"memory_recall", `{"query": "port?", "maxTokens": "300.0"}`, "port? 300"},
		{"memory_recall", `{"prompt": "port?", "query": "other", "max_tokens": null}`, "port?"},
		{"memory_recall", `"{\"prompt\": \"port?\"}"`, "port?"},
		{"memory_search", `{"prompt": "port?", "limit": 5.0, "scope": "", "tier": "cold"}`, "port? 5 COLD"},
		{"memory_search", `{"query": "port?", "limit": "many", "since": "2026-11-20"}`, "port? 6 2026-11-20"},
		{"memory_search", `{"query": ["port", "of staging"], "limit": 900}`, "port\nof staging 50"},
		{"memory_get", `{"memoryId": "3f8a"}`, "3f8a"},
		{"memory_get", `{"file": "MEMORY.md"}`, "MEMORY.md"},
		{"memory_get", `{"from": "2026-11-20", "to": "2026-11-22"}`, "2026-11-20 2026-11-22"},
		{"memory_store", `{"content": "Likes tea", "kind": "Preference", "replaces": "3f8a"}`, "Likes tea preference 3f8a"},
		{"memory_forget", `{"ids": ["3f8a", "77bb"]}`, "3f8a 77bb"},
	} {
		b := &backend{}
		if texts, isError := ask(t, connect(t, b, false), each.tool, each.arguments); isError {
			t.Errorf("%s %s: %v", each.tool, each.arguments, texts)
		}
		if got := strings.Join(strings.Fields(b.given()), " "); got != strings.Join(strings.Fields(each.want), " ") {
			t.Errorf("%s %s asks for %q, not %q", each.tool, each.arguments, got, each.want)
		}
	}
}

// given returns what the last request but those of Stats contains.
func (b *backend) given() string {
	number := func(n *int) (text string) {
		if n != nil {
			text = fmt.Sprint(*n)
		}
		return text
	}
	switch {
	case b.recalls != nil:
		return b.recalls[0].Prompt + " " + number(b.recalls[0].MaxTokens)
	case b.searches != nil:
		r := b.searches[0]
		return fmt.Sprint(r.Query, " ", number(r.Limit), " ", r.Tier, " ", r.Since)
	case b.shows != nil:
		return b.shows[0].ID
	case b.lists != nil:
		return b.lists[0].Path + b.lists[0].Since + " " + b.lists[0].Until
	case b.stores != nil:
		return fmt.Sprint(b.stores[0].Text, " ", b.stores[0].Category, " ", b.stores[0].Replaces)
	}
	return strings.Join(b.decides[0].IDs, " ")
}

func TestEachFailureIsATextWithAWayOut(t *testing.T) {
	for _, each := range []struct{ tool, arguments, want string }{
		{"memory_recall", `{}`, "prompt is missing"},
		{"memory_recall", `[1]`, "not a JSON object"},
		{"memory_get", `{}`, "a date or a page is needed"},
		{"memory_forget", `{"id": null}`, "id is missing"},
		{"memory_search", `{"query": "port"}`, "the disk is gone"},
	} {
		texts, isError := ask(t, connect(t, &backend{err: memory.Unavailable(nil, "the disk is gone")}, false), each.tool, each.arguments)
		if !isError || !strings.Contains(texts[0], each.want) || !strings.HasSuffix(texts[0], "(do this)") {
			t.Errorf("%s %s answers %q", each.tool, each.arguments, texts)
		}
	}
}

func TestAnswersAreMadeForAModel(t *testing.T) {
	for _, each := range []struct{ tool, arguments, want string }{
		{"memory_recall", `{"prompt": "port?"}`, "<block>\n"},
		{"memory_recall", `{"prompt": "nothing"}`, "No relevant memories found."},
		{"memory_recall", `{"prompt": "port?", "colour": "red"}`, "<block>\n|Note: unknown argument colour is ignored."},
		{"memory_search", `{"query": "port?", "tier": "zzz"}`, `[fact 3f8a0000] Deploy: Staging listens on port 8081 (MEMORY.md:4-5, 2026-11-20, 83 %)|Note: unknown tier "zzz" is ignored.`},
		{"memory_get", `{"path": "*.md", "lines": "5-20"}`, "[fact 3f8a0000] Deploy: Staging listens on port 8081 (MEMORY.md:4-5, 2026-11-20)"},
		{"memory_get", `{"path": "*.md", "lines": "10-20"}`, "No memories there."},
		{"memory_store", `{"text": "Likes tea"}`, "Stored: [preference 77bb0000] Prefers tea\nBoth stay: [3f8a0000] Staging listens on port 8081. If the new text is its new value, store it again with replaces \"3f8a0000\"."},
		{"memory_store", `{"text": "Prefers tea"}`, "Not stored, because this memory says it already: [preference 77bb0000] Prefers tea"},
		{"memory_store", `{"text": "Likes tea", "replaces": "3f8a"}`, "Stored: [preference 77bb0000] Prefers tea\nIt replaces [3f8a0000]."},
		{"memory_forget", `{"id": "3f8a"}`, "Forgotten: [3f8a0000]. The user can take it back with: memory restore 3f8a0000\n[77bb0000] Already forgotten"},
	} {
		texts, isError := ask(t, connect(t, &backend{}, false), each.tool, each.arguments)
		if got := strings.Join(texts, "|"); isError || got != each.want {
			t.Errorf("%s %s answers\n%s\nnot\n%s", each.tool, each.arguments, got, each.want)
		}
	}
}

// A model has no command line, and what it reads is nobody else's.
func TestUnknownIDsAreFoundByATool(t *testing.T) {
	texts, isError := ask(t, connect(t, &backend{err: memory.NotFound("77bb")}, false), "memory_get", `{"id": "77bb"}`)
	if want := "memory_get: Memory not found: 77bb (memory_search shows the id of each result in brackets)"; !isError || texts[0] != want {
		t.Errorf("answers %q", texts)
	}
}

func TestNoAnswerMayBeCachedForOthers(t *testing.T) {
	c := connect(t, &backend{}, false)
	tools, err := c.ListTools(t.Context(), nil)
	read, err2 := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "memory://status"})
	if err != nil || err2 != nil || tools.CacheScope != "private" || read.CacheScope != "private" {
		t.Errorf("%v, %v: %q and %q", err, err2, tools.CacheScope, read.CacheScope)
	}
}

func TestNamesAreAResource(t *testing.T) {
	read, err := connect(t, &backend{}, false).ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "memory://names"})
	if err != nil || read.Contents[0].Text != "Ada, A. L.: 3 memories, 0001-01-01 to 0001-01-01" {
		t.Errorf("%v %+v", err, read)
	}
}

func TestProfileIsAResource(t *testing.T) {
	read, err := connect(t, &backend{}, false).ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "memory://profile"})
	if want := "## Preferences\n\n- Drinks water. (memory/a.md:2, " + port.ID.Short() + ")\n"; err != nil || read.Contents[0].Text != want {
		t.Errorf("%v %+v", err, read)
	}
}

func TestScenesAreAResource(t *testing.T) {
	read, err := connect(t, &backend{}, false).ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "memory://scenes"})
	if err != nil || read.Contents[0].Text != "The house (section, 3 memories, 0001-01-01 to 0001-01-01, trusted):\n  The roof leaks\n  Ada pays" {
		t.Errorf("%v %+v", err, read)
	}
}

func TestEveryRequestIsForAModelOfTheOwner(t *testing.T) {
	b := &backend{}
	c := connect(t, b, false)
	for tool, arguments := range map[string]string{"memory_recall": `{"prompt": "a"}`, "memory_search": `{"query": "a"}`, "memory_store": `{"text": "a"}`, "memory_forget": `{"id": "3f8a"}`} {
		ask(t, c, tool, arguments)
	}
	ask(t, c, "memory_get", `{"id": "3f8a"}`)
	ask(t, c, "memory_get", `{"path": "a.md"}`)
	ask(t, c, "memory_get", `{"since": "2026-11-20"}`)
	for _, page := range []string{"profile", "scenes", "names", "last", "status"} {
		if texts, isError := ask(t, c, "memory_get", `{"page": "`+page+`"}`); isError || strings.Contains(texts[0], tea.Text) {
			t.Errorf("%s: %q", page, texts)
		}
	}
	for _, uri := range []string{"memory://last", "memory://status", "memory://names", "memory://scenes", "memory://profile", "memory://m/3f8a"} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || strings.Contains(r.Contents[0].Text, tea.Text) {
			t.Errorf("%s: %v %+v", uri, err, r)
		}
	}
	audiences := []memory.Audience{b.searches[0].For, b.stores[0].For, b.decides[0].For}
	senders := []memory.Sender{b.recalls[0].Sender, b.searches[0].Sender, b.stores[0].Sender, b.decides[0].Sender}
	for _, r := range b.lists {
		audiences, senders = append(audiences, r.For), append(senders, r.Sender)
	}
	for _, r := range b.profiles {
		audiences, senders = append(audiences, r.For), append(senders, r.Sender)
	}
	for _, r := range b.lasts {
		audiences, senders = append(audiences, r.For), append(senders, r.Sender)
	}
	for _, r := range b.stats {
		audiences, senders = append(audiences, r.For), append(senders, r.Sender)
	}
	for _, r := range b.shows {
		audiences, senders = append(audiences, r.For), append(senders, r.Sender)
	}
	if len(audiences) != 18 {
		t.Errorf("%d requests", len(audiences))
	}
	for i, a := range audiences {
		if a != memory.AudienceModel {
			t.Errorf("request %d is for %q", i, a)
		}
	}
	for i, s := range senders {
		if s.User != memory.OwnerIdentity {
			t.Errorf("request %d is from %q", i, s.User)
		}
	}
	if b.recalls[0].Agent != "test-agent" || b.recalls[0].Session == "" || b.recalls[0].Session != b.searches[0].Session {
		t.Errorf("agent %q, sessions %q and %q", b.recalls[0].Agent, b.recalls[0].Session, b.searches[0].Session)
	}
}

func TestSearchAndFetchAnswerWithJSON(t *testing.T) {
	c := connect(t, &backend{}, true)
	found, _ := ask(t, c, "search", `{"query": "port"}`)
	if want := `{"results":[{"id":"3f8a00000000000000000000000000aa","title":"Staging listens on port 8081","url":"memory://m/3f8a00000000000000000000000000aa"}]}`; found[0] != want {
		t.Errorf("search answers %s", found[0])
	}
	fetched, _ := ask(t, c, "fetch", `{"id": "3f8a"}`)
	if !strings.Contains(fetched[0], `"text":"Staging listens on port 8081"`) || !strings.Contains(fetched[0], `"path":"MEMORY.md"`) {
		t.Errorf("fetch answers %s", fetched[0])
	}
}

func TestEachRequestBeforeTheEndOfTheInputIsAnswered(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	for id := range 20 {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory_recall","arguments":{"prompt":"port?"}}}`+"\n", id+2)
	}
	var out bytes.Buffer
	must.Do(t, mcp.ServeStreams(t.Context(), strings.NewReader(in), &out, newServer(t, &backend{}, false)))
	if lines := strings.Count(out.String(), "\n"); lines != 21 {
		t.Errorf("%d answers to 21 requests", lines)
	}
}

func TestHTTPNeedsTheTokenAndRefusesPages(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.org:80", "x"} {
		if _, err := mcp.Listen(t.Context(), address); err == nil {
			t.Errorf("%s is accepted", address)
		}
	}
	listener := must.Get(mcp.Listen(t.Context(), "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- mcp.ServeHTTP(ctx, listener, "secret", newServer(t, &backend{}, false)) }()
	const (
		initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
		recall     = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_recall","arguments":{"prompt":"port?"},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	)
	post := func(body string, header ...string) (status int, answer string) {
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+listener.Addr().String(), strings.NewReader(body))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		given := must.Get(http.DefaultClient.Do(r))(t)
		text, _ := io.ReadAll(given.Body)
		_ = given.Body.Close()
		return given.StatusCode, string(text)
	}
	for _, each := range []struct {
		want   int
		header []string
	}{
		{http.StatusUnauthorized, nil},
		{http.StatusUnauthorized, []string{"Authorization", "Bearer wrong"}},
		{http.StatusForbidden, []string{"Authorization", "Bearer secret", "Origin", "http://evil.example"}},
		{http.StatusForbidden, []string{"Authorization", "Bearer secret", "Host", "evil.example"}},
		{http.StatusOK, []string{"Authorization", "Bearer secret"}},
	} {
		if got, _ := post(initialize, each.header...); got != each.want {
			t.Errorf("%v answers %d, not %d", each.header, got, each.want)
		}
	}
	if got, answer := post(recall, "Authorization", "Bearer secret", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "memory_recall"); got != http.StatusOK || !strings.Contains(answer, "block") {
		t.Errorf("a request without a session answers %d %s", got, answer)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestToolOfHooksIsCalledAndNotListed(t *testing.T) {
	b := &backend{}
	c := connect(t, b, false)
	listed := must.Get(c.ListTools(t.Context(), nil))(t)
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "memory_recall memory_search memory_get memory_store memory_forget" {
		t.Errorf("listed: %s", got)
	}
	for _, err := range []error{nil, memory.Unavailable(nil, "gone")} {
		b.err = err
		result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "hook", Arguments: map[string]any{"client": "claude-code", "event": "UserPromptSubmit", "prompt": "port?", "session_id": "s"}})
		if err != nil || result.IsError {
			t.Fatalf("the tool fails: %v %+v", err, result)
		}
		if got := result.Content[0].(*sdk.TextContent).Text; b.err == nil && got != `{"hookSpecificOutput":{}}` {
			t.Errorf("got %q", got)
		}
	}
	if r := b.hooks[0]; r.Client != "claude-code" || r.Event != "UserPromptSubmit" || r.Input["prompt"] != "port?" || r.Workspace != "main" {
		t.Errorf("asked %+v", r)
	}
}
