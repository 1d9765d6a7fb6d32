package engine_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// family are the identities of the tests.
var family = memory.Identities{"owner": {"telegram:1"}, "lena": {"telegram:2", "slack:U2"}, "ben": {"telegram:3"}}

// secretOf is a word that only the memories of one user contain.
var secretOf = map[string]string{"owner": "zqowner", "lena": "zqlena", "ben": "zqben", "telegram:9": "zqstranger"}

var familyFiles = map[string]string{
	"MEMORY.md": "# Home\n- The locker of the pier is number 12\n- The locker code of the pier is zqlena <!-- user: lena -->\n" +
		"- The locker code of the pier is zqben <!-- user: Ben -->\n",
	"memory/owner.md":    "---\nuser: owner\n---\n# Notes about zqowner\n- The locker code of the pier is zqowner, and the key hangs below\n",
	"memory/lena.md":     "---\nuser: slack:U2\n---\n- The bicycle lock of Lena opens with zqlena\n",
	"memory/stranger.md": "---\nmemories:\n  - {id: \"000000000000\", quote: \"The locker of the guest\", user: \"telegram:9\"}\n---\n- The locker of the guest opens with zqstranger\n",
}

func newFamily(t *testing.T, files map[string]string) *captureWorld {
	return newCaptureWorld(t, files, func(o *engine.Options) { o.Identities = family })
}

// anyRoute returns, by name, what each route answers to a sender.
func (c *captureWorld) anyRoute(s memory.Sender, who memory.Audience, ids []memory.ID) map[string]string {
	c.t.Helper()
	const query = "What is the locker code of the pier?"
	answers := map[string]string{}
	add := func(name string, answer any, err error) {
		text, _ := json.Marshal(answer) // of plain structs
		if err != nil {
			var known *memory.Error
			if errors.As(err, &known) {
				text = []byte(known.Message + " " + known.Hint)
			}
		}
		answers[name] += string(text)
	}
	for _, query := range []string{query, "Which bicycle lock opens with what?", "Which locker of the guest opens with what?"} {
		recalled, err := c.Recall(c.t.Context(), memory.RecallRequest{Prompt: query, Sender: s, Session: "s"})
		add("recall", recalled, err)
		add("recall", nil, c.Delivered(c.t.Context(), "main", recalled.Receipt))
		for _, lane := range memory.Lanes {
			found, err := c.Search(c.t.Context(), memory.SearchRequest{Query: query, Lane: lane, Explain: true, Sender: s, For: who, Record: who == memory.AudienceModel})
			add("search "+string(lane), found, err)
		}
	}
	listed, err := c.List(c.t.Context(), memory.ListRequest{Sender: s, For: who})
	add("list", listed, err)
	files, err := c.Files(c.t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md", "memory/owner.md", "memory/lena.md", "memory/stranger.md"}, Sender: s})
	add("files", files, err)
	last, err := c.Last(c.t.Context(), memory.LastRequest{Sender: s, For: who})
	add("last", last, err)
	preview, err := c.Decide(c.t.Context(), memory.DecideRequest{Action: memory.ActionForget, Query: "locker code", All: true, Preview: true, Sender: s, For: who})
	add("decide by query", preview, err)
	preview, err = c.Decide(c.t.Context(), memory.DecideRequest{Action: memory.ActionPin, Filter: &memory.Filter{Path: "**"}, All: true, Preview: true, Sender: s, For: who})
	add("decide by filter", preview, err)
	for _, id := range ids {
		shown, err := c.Show(c.t.Context(), memory.ShowRequest{ID: string(id), Sender: s, For: who})
		add("show", shown, err)
		explained, err := c.Explain(c.t.Context(), memory.ExplainRequest{ID: string(id), Query: query, Sender: s, For: who})
		add("explain", explained, err)
		whyNot, err := c.WhyNot(c.t.Context(), memory.WhyNotRequest{ID: string(id), Query: query, Sender: s, For: who})
		add("why-not", whyNot, err)
		whyNot, err = c.WhyNot(c.t.Context(), memory.WhyNotRequest{ID: string(id), Receipt: "last", Sender: s, For: who})
		add("why-not a receipt", whyNot, err)
		verified, err := c.Verify(c.t.Context(), memory.VerifyRequest{ID: string(id), Sender: s, For: who}, nil)
		add("verify", verified, err)
		for _, action := range []memory.Action{memory.ActionForget, memory.ActionRestore, memory.ActionDestroy} {
			decided, err := c.Decide(c.t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(id)}, Preview: true, Sender: s, For: who})
			add(string(action), decided, err)
		}
	}
	return answers
}

func (c *captureWorld) allIDs() (ids []memory.ID) {
	all := must.Get(c.List(c.t.Context(), memory.ListRequest{}))(c.t)
	for _, m := range all.Memories {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestNoRouteShowsTheMemoriesOfAnotherUser(t *testing.T) {
	c := newFamily(t, familyFiles)
	senders := []memory.Sender{{User: "telegram:1"}, {User: "owner"}, {User: "2", Channel: "telegram"}, {User: "slack:U2"}, {User: "Lena"}, {User: "telegram:3"},
		{User: "9", Channel: "telegram"}, {User: "owner", Channel: "irc"}, {User: "telegram:8"}, {}}
	ids := c.allIDs()
	if len(ids) != 6 {
		t.Fatalf("%d memories", len(ids))
	}
	for round := range 2 { // from the tables, then from the index in memory
		for _, s := range senders {
			user := family.UserOf(s, memory.AudienceModel)
			for _, who := range []memory.Audience{memory.AudienceModel, memory.AudiencePerson} {
				if user == "" && who == memory.AudiencePerson {
					continue // a person who names no user sees all
				}
				answers := c.anyRoute(s, who, ids)
				for route, answer := range answers {
					for owner, word := range secretOf {
						if owner != user && strings.Contains(answer, word) {
							t.Errorf("round %d: %s for %+v (%s) shows a memory of %s:\n%s", round, route, s, who, owner, answer)
						}
					}
				}
				for _, route := range []string{"recall", "search hybrid", "list", "show", "files"} {
					if word := secretOf[user]; word != "" && !strings.Contains(answers[route], word) {
						t.Errorf("%s for %+v (%s) lacks the own memory of %s:\n%s", route, s, who, user, answers[route])
					}
					if !strings.Contains(answers[route], "number 12") {
						t.Errorf("%s for %+v (%s) lacks everybody's memory", route, s, who)
					}
				}
			}
		}
		must.Do(t, c.Load(t.Context(), "main"))
	}
}

func TestPersonWithoutUserSeesAllMemories(t *testing.T) {
	c := newFamily(t, familyFiles)
	all := c.anyRoute(memory.Sender{}, memory.AudiencePerson, c.allIDs())
	for user, word := range secretOf {
		if !strings.Contains(all["list"], word) || !strings.Contains(all["search hybrid"], word) {
			t.Errorf("the memory of %s is not shown", user)
		}
	}
	if strings.Contains(all["recall"], "zq") {
		t.Errorf("a recall without a sender has the memory of a user: %s", all["recall"])
	}
}

func TestWithoutIdentitiesEverySenderIsTheOwner(t *testing.T) {
	c := newCaptureWorld(t, familyFiles)
	for _, s := range []memory.Sender{{}, {User: "owner"}, {User: "telegram:5"}} {
		answer, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "Which bicycle lock opens with what?", Sender: s})
		if err != nil || !strings.Contains(answer.Context, "zqlena") {
			t.Errorf("%+v: %q, %v", s, answer.Context, err)
		}
	}
	answer, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "Which bicycle lock opens with what?", Sender: memory.Sender{User: "ben"}})
	if err != nil || strings.Contains(answer.Context, "zqlena") {
		t.Errorf("a request that names another user: %q, %v", answer.Context, err)
	}
	a := c.capture(memory.CaptureRequest{Sender: memory.Sender{User: "telegram:5"}, Messages: said("Remember that the ferry leaves at nine.")})
	if len(a.Stored) != 1 || a.Stored[0].User != "" || a.Stored[0].Trust != memory.TrustTrusted {
		t.Errorf("%+v", a.Stored)
	}
}

func TestCapturedMemoryBelongsToItsSender(t *testing.T) {
	c := newFamily(t, nil)
	const odd = "irc:a--b; tier: hot --> x"
	for i, s := range []memory.Sender{{User: "telegram:1"}, {User: "U2", Channel: "slack"}, {User: odd}, {User: "owner", Channel: "irc"}, {}} {
		want := []string{"owner", "lena", odd, "irc:owner", ""}[i]
		text := []string{"tea", "coffee", "milk", "water", "juice"}[i] + " for breakfast, and nothing else in the morning"
		a := c.capture(memory.CaptureRequest{Sender: s, Session: text, Messages: said("I always drink " + text + ".")})
		if len(a.Stored) != 1 || a.Stored[0].User != want || (a.Stored[0].Trust == memory.TrustTrusted) != (want == "owner") {
			t.Fatalf("%+v: %+v %q", s, a.Stored, reasons(a))
		}
	}
	c.options.Workspaces[0].DBPath = t.TempDir() + "/new.db" // the files alone know the users
	c.restart()
	all, err := c.List(t.Context(), memory.ListRequest{})
	var users []string
	for _, m := range all.Memories {
		users = append(users, m.User)
	}
	if err != nil || !slices.Equal(users, []string{"owner", "lena", odd, "irc:owner", ""}) {
		t.Errorf("%q, %v\n%s", users, err, c.read(capturedFile))
	}
}

func TestSameTextOfTwoUsersIsTwoMemories(t *testing.T) {
	c := newFamily(t, nil)
	const text = "The gift for the birthday is a red bicycle"
	lena, ben := memory.Sender{User: "lena"}, memory.Sender{User: "ben"}
	store := func(s memory.Sender, text string) memory.StoreAnswer {
		t.Helper()
		a := must.Get(c.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool, Sender: s, For: memory.AudienceModel}))(t)
		return a
	}
	first, second := store(lena, text), store(ben, text)
	if second.Duplicate || second.Memory.ID == first.Memory.ID || second.Memory.User != "ben" || first.Memory.User != "lena" {
		t.Errorf("%+v\n%+v", first, second)
	}
	if a := store(ben, "The gift for the birthday is the red bicycle."); !a.Duplicate || a.Memory.ID != second.Memory.ID {
		t.Errorf("nearly the same of ben: %+v", a)
	}
	if a := store(memory.Sender{User: "telegram:1"}, "The gift for the birthday is the red bicycle."); a.Duplicate {
		t.Errorf("nearly the same of the owner: %+v", a)
	}
	if a := c.capture(memory.CaptureRequest{Sender: lena, Preview: true, Messages: said("Remember that the gift for the birthday is a red bicycle.")}); len(a.Skipped) != 1 || a.Skipped[0].ID != first.Memory.ID {
		t.Errorf("captured from lena: %+v", a)
	}
	person, err := c.Store(t.Context(), memory.StoreRequest{Text: text})
	if err != nil || person.Duplicate || person.Memory.User != "" {
		t.Errorf("for everybody: %+v, %v", person, err)
	}
}

func TestNoUserSupersedesTheMemoryOfAnother(t *testing.T) {
	c := newFamily(t, nil)
	tell := func(user, key, text string) memory.CaptureAnswer {
		t.Helper()
		return c.capture(memory.CaptureRequest{Session: user, Sender: memory.Sender{User: user},
			Messages: []memory.CaptureMessage{{Key: key, Role: "user", Content: memory.MessageContent(text)}}})
	}
	lena := tell("lena", "1", "Remember that the staging port is 8080.").Stored[0]
	for _, user := range []string{"ben", "owner", "telegram:9"} {
		if a := tell(user, "1", "Remember that the staging port is 8081."); len(a.Stored) != 1 || len(a.Superseded) != 0 {
			t.Errorf("%s supersedes %v, %q", user, a.Superseded, reasons(a))
		}
	}
	if a := tell("slack:U2", "2", "Remember that the staging port is 8082."); len(a.Superseded) != 1 || a.Superseded[0] != lena.ID {
		t.Errorf("lena in another channel: %+v", a)
	}
	shared := memory.StoreRequest{Text: "The printer is on floor 3", Source: memory.SourceTool}
	old := must.Get(c.Store(t.Context(), shared))(t)
	extend := memory.StoreRequest{Text: "The printer is on floor 3, beside the lift", Extend: string(old.Memory.ID), Source: memory.SourceTool,
		Sender: memory.Sender{User: "lena"}, For: memory.AudienceModel}
	if _, err := c.Store(t.Context(), extend); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("lena extends everybody's memory: %v", err)
	}
	extend = memory.StoreRequest{Text: "Remember that the staging port is 8082, also at night", Extend: string(lena.ID)}
	if _, err := c.Store(t.Context(), extend); !errors.Is(err, memory.ErrConflict) { // superseded
		t.Errorf("%v", err)
	}
	now, err := c.Search(t.Context(), memory.SearchRequest{Query: "staging port 8082", Sender: memory.Sender{User: "lena"}})
	if err != nil || len(now.Hits) == 0 {
		t.Fatal(err)
	}
	extend.Text, extend.Extend = now.Hits[0].Text+" and also at night", string(now.Hits[0].ID)
	if a, err := c.Store(t.Context(), extend); err != nil || a.Memory.User != "lena" {
		t.Errorf("a person extends the memory of lena: %+v, %v", a.Memory, err)
	}
}

func TestOnlyTheOwnersMessageMakesAStoredTextTrusted(t *testing.T) {
	c := newFamily(t, nil)
	for user, want := range map[string]memory.TrustTier{"owner": memory.TrustTrusted, "ben": memory.TrustUntrusted, "": memory.TrustUntrusted} {
		text := map[string]string{"owner": "The harbour master is called Ines", "ben": "The bakery opens at six", "": "The cinema shows old films"}[user]
		a, err := c.Store(t.Context(), memory.StoreRequest{Text: text, UserMessage: text, Source: memory.SourceTool, Sender: memory.Sender{User: user}})
		if err != nil || a.Memory.Trust != want || a.Memory.User != user {
			t.Errorf("%q: %+v, %v", user, a.Memory, err)
		}
	}
}

func TestDecisionOfAUserChangesNoOtherUsersMemory(t *testing.T) {
	const text = "The gift for the birthday is a red bicycle"
	c := newFamily(t, map[string]string{"memory/lena.md": "---\nuser: lena\n---\n- " + text + "\n", "memory/ben.md": "---\nuser: ben\n---\n- " + text + "\n"})
	of := func(user string) memory.Memory {
		t.Helper()
		all := must.Get(c.List(t.Context(), memory.ListRequest{}))(t)
		forgotten := must.Get(c.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Forgotten: true}}))(t)
		for _, m := range append(all.Memories, forgotten.Memories...) {
			if m.User == user {
				return m
			}
		}
		t.Fatalf("no memory of %s", user)
		return memory.Memory{}
	}
	decide := func(user string, action memory.Action, ids ...string) (memory.DecideAnswer, error) {
		return c.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: ids, Confirm: action == memory.ActionDestroy, Source: "tool",
			Sender: memory.Sender{User: user}, For: memory.AudienceModel})
	}
	ben, lena := string(of("ben").ID), string(of("lena").ID)
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionPin, memory.ActionArchive, memory.ActionRestore} {
		if _, err := decide("ben", action, lena); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("ben may %s the memory of lena: %v", action, err)
		}
	}
	if a, err := decide("ben", memory.ActionForget, ben); err != nil || len(a.Changed) != 1 || a.Changed[0].User != "ben" || of("lena").Forgotten {
		t.Fatalf("ben forgets: %+v, %v; lena's is forgotten: %v", a.Changed, err, of("lena").Forgotten)
	}
	if _, err := decide("lena", memory.ActionUndo); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "nothing to undo") || !of("ben").Forgotten {
		t.Errorf("lena undoes what ben did: %v", err)
	}
	if _, err := decide("lena", memory.ActionPin, lena); err != nil || !of("lena").Pinned {
		t.Fatalf("lena pins: %v", err)
	}
	must.Get(decide("ben", memory.ActionRestore, ben))(t)
	if _, err := decide("lena", memory.ActionUndo); err != nil || of("lena").Pinned || of("ben").Forgotten {
		t.Errorf("lena undoes her command, after a later one of ben: %v", err)
	}
	if _, err := decide("ben", memory.ActionUndo); err != nil || !of("ben").Forgotten {
		t.Errorf("ben undoes: %v", err)
	}
	if _, err := decide("ben", memory.ActionUndo); err != nil || of("ben").Forgotten {
		t.Errorf("ben undoes: %v", err)
	}
	for _, user := range []string{"ben", "owner"} {
		if _, err := decide(user, memory.ActionDestroy, ben); err == nil || !strings.Contains(c.read("memory/lena.md"), text) || !strings.Contains(c.read("memory/ben.md"), text) {
			t.Errorf("%s destroys: %v", user, err)
		}
	}
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{ben}}); err != nil || !of("lena").Forgotten {
		t.Errorf("a person forgets every copy: %v", err)
	}
	if a, err := decide("ben", memory.ActionRestore, ben); err != nil || len(a.Changed) != 1 || !of("lena").Forgotten {
		t.Errorf("ben restores: %+v, %v; lena's is forgotten: %v", a.Changed, err, of("lena").Forgotten)
	}
}

func TestReceiptsOfAUserAreTheUsersOwn(t *testing.T) {
	c := newFamily(t, familyFiles)
	for _, user := range []string{"telegram:2", "ben"} {
		a, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "What is the locker code of the pier?", Session: user, Sender: memory.Sender{User: user}})
		if err == nil {
			err = c.Delivered(t.Context(), "main", a.Receipt)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sessions := func(user string) (found []string) {
		a := must.Get(c.Receipts(t.Context(), memory.ReceiptsRequest{Sender: memory.Sender{User: user}}))(t)
		for _, r := range a.Receipts {
			found = append(found, r.Session)
		}
		return found
	}
	for user, want := range map[string][]string{"lena": {"telegram:2"}, "ben": {"ben"}, "owner": nil, "": {"ben", "telegram:2"}} {
		if got := sessions(user); !slices.Equal(got, want) {
			t.Errorf("%q sees the receipts of %q, want %q", user, got, want)
		}
	}
	c.restart() // from the index instead of what waits to be written
	if got := sessions("lena"); !slices.Equal(got, []string{"telegram:2"}) {
		t.Errorf("stored: %q", got)
	}
	if _, err := c.Last(t.Context(), memory.LastRequest{Session: "ben", Sender: memory.Sender{User: "lena"}}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("lena sees the last answer to ben: %v", err)
	}
}

func joinTexts(memories []memory.Memory) string {
	var texts []string
	for _, m := range memories {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}
