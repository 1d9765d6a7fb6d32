package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// atHome are identities whose owner also has the requests without a sender.
var atHome = memory.Identities{"owner": {"telegram:1", "none"}, "lena": {"telegram:2"}, "ben": {"telegram:3"}}

func newHome(t *testing.T, files map[string]string) *captureWorld {
	return newCaptureWorld(t, files, func(o *engine.Options) { o.Identities = atHome })
}

func TestVerifyOfAUserLooksOnlyAtWhatTheUserCouldGet(t *testing.T) {
	const secret, own = "locker is 7725", "key hangs on the left"
	c := newHome(t, map[string]string{"MEMORY.md": "- The boat is blue\n- The key hangs on the left, says Lena <!-- user: lena -->\n",
		"memory/owner.md": "---\nuser: owner\n---\n- The code of the locker is 7725\n"})
	for _, s := range []memory.Sender{{User: "telegram:2"}, {User: "lena"}, {User: "telegram:9"}} {
		for _, text := range []string{secret, "locker is 7726"} {
			a, err := c.Verify(t.Context(), memory.VerifyRequest{Text: text, Sender: s}, nil)
			if err != nil || a.Found != 0 {
				t.Errorf("%+v looks for %q: %+v, %v", s, text, a, err)
			}
			if slices.ContainsFunc(a.Checked, func(p memory.CheckedPlace) bool { return p.File != "" || p.Route == "audit" }) {
				t.Errorf("%+v is told of files: %+v", s, a.Checked)
			}
		}
	}
	lena, err := c.Verify(t.Context(), memory.VerifyRequest{Text: own, Sender: memory.Sender{User: "lena"}}, nil)
	if err != nil || lena.Found == 0 {
		t.Errorf("lena does not find her own: %+v, %v", lena, err)
	}
	person, err := c.Verify(t.Context(), memory.VerifyRequest{Text: secret}, nil)
	if err != nil || !slices.ContainsFunc(person.Checked, func(p memory.CheckedPlace) bool { return p.Found && p.File != "" }) {
		t.Errorf("a person does not find it: %+v, %v", person, err)
	}
}

func TestVerifyTellsNoUserThatAMemoryWasDestroyed(t *testing.T) {
	c := newHome(t, map[string]string{"memory/owner.md": "---\nuser: owner\n---\n- The code of the locker is 7725\n"})
	id := string(c.allIDs()[0])
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{id}, Confirm: true}))(t)
	hint := func(s memory.Sender, id string) string {
		_, err := c.Verify(t.Context(), memory.VerifyRequest{ID: id, Sender: s}, nil)
		var known *memory.Error
		if !errors.As(err, &known) || !errors.Is(err, memory.ErrNotFound) {
			t.Fatalf("%+v: %v", s, err)
		}
		return known.Hint
	}
	lena := memory.Sender{User: "lena"}
	if destroyed, never := hint(lena, id), hint(lena, "0123456789ab"); destroyed != never {
		t.Errorf("a destroyed memory: %q, one that never was: %q", destroyed, never)
	}
	if destroyed, never := hint(memory.Sender{}, id), hint(memory.Sender{}, "0123456789ab"); destroyed == never {
		t.Errorf("a person is not told: %q", destroyed)
	}
}

func TestFilesOfAUserTellNothingOfOtherUsers(t *testing.T) {
	shared := "- The boat is blue\n- Her own pin <!-- user: lena; private -->\n"
	party := "memory/surprise.md"
	c := newHome(t, map[string]string{"MEMORY.md": "- The boat is blue\n- The code of the locker is 7725 <!-- user: owner -->\n" +
		"- The PIN of the bike is 9911 <!-- user: owner -->\n- Her own pin <!-- user: lena; private -->\n",
		"memory/shared.md": shared, party: "---\nuser: owner\n---\n# Party\n- The owner plans a surprise\n", "memory/each.md": "# Gifts\n- A red bicycle <!-- user: owner -->\n",
		"memory/line.md": "---\nmemories:\n  - {id: \"000000000000\", quote: \"The gift is below\", user: owner}\n---\n- The gift is below the stairs\n",
		"memory/head.md": "---\nuser: owner\n---\n"})
	files := func(s memory.Sender, paths ...string) []memory.ServedFile {
		t.Helper()
		a := must.Get(c.Files(t.Context(), memory.FilesRequest{Paths: paths, Sender: s}))(t)
		return a.Files
	}
	lena := memory.Sender{User: "telegram:2"}
	hidden := []string{party, "memory/each.md", "memory/line.md", "memory/head.md"}
	check := func() {
		t.Helper()
		two := files(lena, "MEMORY.md", "memory/shared.md")
		if two[0].Path = two[1].Path; two[0] != two[1] || two[0].Redacted != 1 || two[0].Hash != "" {
			t.Errorf("a file with others' memories and one without differ:\n%+v\n%+v", two[0], two[1])
		}
		for _, f := range files(lena, hidden...) {
			if f != (memory.ServedFile{Path: f.Path, Missing: true}) {
				t.Errorf("lena is told of a file: %+v", f)
			}
		}
	}
	check()
	c.write("MEMORY.md", strings.ReplaceAll(c.read("MEMORY.md"), "7725", "7726")) // indexed with the request
	check()
	if f := files(memory.Sender{User: "owner"}, hidden[:3]...); f[0].Missing || f[1].Missing || f[2].Missing {
		t.Errorf("for the owner: %+v", f)
	}
}

func TestPersonIsNoRequestWithoutASender(t *testing.T) {
	const text = "The code of the locker at the pier is 4410"
	c := newHome(t, map[string]string{"MEMORY.md": "- The boat is blue\n- " + text + " <!-- user: lena -->\n- " + text + " <!-- user: owner -->\n"})
	users := func(r memory.ListRequest) (users []string) {
		a := must.Get(c.List(t.Context(), r))(t)
		for _, m := range a.Memories {
			users = append(users, m.User)
		}
		return users
	}
	if got := users(memory.ListRequest{}); !slices.Equal(got, []string{"", "lena", "owner"}) {
		t.Errorf("a person sees the memories of %q", got)
	}
	for _, r := range []memory.ListRequest{{For: memory.AudienceModel}, {Sender: memory.Sender{Channel: "webchat"}}, {Sender: memory.Sender{Channel: "lena"}, For: memory.AudienceModel}} {
		if got := users(r); !slices.Equal(got, []string{"", "owner"}) {
			t.Errorf("%+v sees the memories of %q", r, got)
		}
	}
	if a, err := c.Store(t.Context(), memory.StoreRequest{Text: "The bins are emptied on Monday"}); err != nil || a.Memory.User != "" {
		t.Errorf("a person stores: %+v, %v", a.Memory, err)
	}
	tool := memory.StoreRequest{Text: "The gate closes at ten o'clock", UserMessage: "The gate closes at ten o'clock", For: memory.AudienceModel}
	if a, err := c.Store(t.Context(), tool); err != nil || a.Memory.User != "owner" || a.Memory.Trust != memory.TrustTrusted {
		t.Errorf("a tool stores: %+v, %v", a.Memory, err)
	}
	forget := memory.DecideRequest{Action: memory.ActionForget, Query: "code of the locker at the pier"}
	if _, err := c.Decide(t.Context(), forget); err != nil || slices.Contains(users(memory.ListRequest{}), "lena") {
		t.Errorf("a person forgets: %v; left: %q", err, users(memory.ListRequest{}))
	}
	forgotten, err := c.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Forgotten: true}})
	if err != nil || len(forgotten.Memories) != 2 {
		t.Fatalf("%+v, %v", forgotten.Memories, err)
	}
	destroy := memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(forgotten.Memories[0].ID)}, Confirm: true}
	if a, err := c.Decide(t.Context(), destroy); err != nil || len(a.Changed) != 2 {
		t.Errorf("a person destroys: %+v, %v", a.Changed, err)
	}
}

func TestChannelWithoutASenderIsNoUser(t *testing.T) {
	c := newFamily(t, familyFiles) // no identity lists none
	for _, who := range []memory.Audience{memory.AudiencePerson, memory.AudienceModel} {
		a, err := c.List(t.Context(), memory.ListRequest{Sender: memory.Sender{Channel: "lena"}, For: who})
		if err != nil || slices.ContainsFunc(a.Memories, func(m memory.Memory) bool { return m.User != "" }) {
			t.Errorf("%s: %+v, %v", who, a.Memories, err)
		}
	}
	a := c.capture(memory.CaptureRequest{Sender: memory.Sender{Channel: "webchat"}, Session: "s", Messages: said("Remember that the cellar lamp is broken.")})
	if len(a.Stored) != 1 || a.Stored[0].User != "" || a.Stored[0].Trust == memory.TrustTrusted {
		t.Errorf("without a sender: %+v", a)
	}
	home := newHome(t, nil)
	a = home.capture(memory.CaptureRequest{Sender: memory.Sender{Channel: "webchat"}, Session: "s", Messages: said("Remember that the cellar lamp is broken.")})
	if len(a.Stored) != 1 || a.Stored[0].User != "owner" || a.Stored[0].Trust != memory.TrustTrusted {
		t.Errorf("without a sender, and none is listed: %+v", a)
	}
}

func TestIdentityOfRequestsWithoutASenderSeesTheirReceipts(t *testing.T) {
	c := newHome(t, map[string]string{"MEMORY.md": "- The boat is blue\n"})
	a, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "Which colour has the boat?", Sender: memory.Sender{Channel: "webchat"}})
	if err == nil {
		err = c.Delivered(t.Context(), "main", a.Receipt)
	}
	if err != nil {
		t.Fatal(err)
	}
	for user, want := range map[string]int{"": 1, "owner": 1, "lena": 0} {
		found, err := c.Receipts(t.Context(), memory.ReceiptsRequest{Sender: memory.Sender{User: user}, For: memory.AudienceModel})
		if err != nil || len(found.Receipts) != want {
			t.Errorf("%q sees %d receipts, want %d: %v", user, len(found.Receipts), want, err)
		}
	}
}

func withoutKeys(texts ...string) (messages []memory.CaptureMessage) {
	for _, text := range texts {
		messages = append(messages, memory.CaptureMessage{Role: "user", Content: memory.MessageContent(text)})
	}
	return messages
}

func TestSecondUserOfASessionMaySayTheSame(t *testing.T) {
	c := newHome(t, nil)
	const words = "Remember that I am allergic to peanuts."
	tell := func(user string, messages ...string) []memory.Memory {
		t.Helper()
		return c.capture(memory.CaptureRequest{Session: "group", Sender: memory.Sender{User: user}, Messages: withoutKeys(messages...)}).Stored
	}
	for _, user := range []string{"telegram:3", "telegram:2"} {
		if got := tell(user, words); len(got) != 1 || got[0].User != atHome.UserOf(memory.Sender{User: user}, memory.AudienceModel) {
			t.Errorf("%s: %+v", user, got)
		}
		if got := tell(user, words); len(got) != 0 {
			t.Errorf("%s, sent again: %+v", user, got)
		}
	}
	if got := tell("telegram:1", words, "Remember that the gate closes at ten."); len(got) != 1 || strings.Contains(got[0].Text, "peanuts") {
		t.Errorf("the owner gets the words of others that are sent again: %+v", got)
	}
	keyed := memory.CaptureRequest{Session: "group", Messages: []memory.CaptureMessage{{Key: "m-1", Role: "user", Content: "Remember that the bell is broken."}}}
	for i, user := range []string{"telegram:2", "telegram:3"} {
		keyed.Sender = memory.Sender{User: user}
		if a := c.capture(keyed); len(a.Stored) != 1-i { // the key names one message
			t.Errorf("%s, with a key: %+v", user, a)
		}
	}
}
