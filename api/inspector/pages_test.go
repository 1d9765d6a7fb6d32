package inspector_test

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func TestGivenShowsWhatAnAgentGot(t *testing.T) {
	b := newBrowser(t)
	has(t, b.get("/"), "No agent has got anything yet")
	answer := b.recall("How do we release Tidewatch?")
	m := answer.Hits[0].Memory
	page := b.get("/")
	has(t, page, "How do we release Tidewatch?", "claude-code", strings.SplitN(m.Text, "\n", 2)[0], m.Path, "left out", `value="wrong"`, `value="never"`, `value="forget"`, "edit=1")
	has(t, b.get("/block/"+answer.Receipt), "Left out")
	why := "/why?id=" + string(m.ID) + "&q=" + url.QueryEscape("How do we release Tidewatch?")
	has(t, b.get(why), "What the ranking adds up", "context", "similarity")
	if _, part := b.fetch(b.client, why, http.Header{"Hx-Request": {"true"}}); strings.Contains(part, "<html") || !strings.Contains(part, "context") {
		t.Errorf("a part for htmx: %s", part)
	}
}

func TestTheOwnerSeesForgottenOnes(t *testing.T) {
	b := newBrowser(t)
	answer := b.recall("How do we release Tidewatch?")
	m := answer.Hits[0].Memory
	b.act(m.ID, "forget")
	has(t, b.get("/"), strings.SplitN(m.Text, "\n", 2)[0], "forgotten", `value="restore"`)
	has(t, b.get("/memories?state=forgotten"), strings.SplitN(m.Text, "\n", 2)[0])
	has(t, b.get("/search?q=release+Tidewatch"), "forgotten")
}

func TestEveryActionHasItsEffect(t *testing.T) {
	b := newBrowser(t)
	const asked = "Are time stamps UTC in the database?"
	id := b.find("Time stamps are UTC").ID
	is := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s had no effect: %+v", what, b.show(id).Memory)
		}
	}
	gets := func() bool {
		for _, h := range b.recall(asked).Hits {
			if h.ID == id {
				return true
			}
		}
		return false
	}
	has(t, b.act(id, "forget"), "Forgotten", "Undo")
	is("forget", b.show(id).Forgotten)
	has(t, b.act(id, "forget"), memory.AlreadyForgotten)
	b.act(id, "restore")
	is("restore", !b.show(id).Forgotten)
	b.act(id, "pin")
	is("pin", b.show(id).Pinned)
	b.act(id, "unpin")
	is("unpin", !b.show(id).Pinned)
	tier := b.show(id).Tier
	b.act(id, "promote")
	is("promote", b.show(id).Tier != tier)
	b.act(id, "demote")
	is("demote", b.show(id).Tier == tier)
	is("recall", gets())
	page := b.act(id, "wrong", "q", asked)
	has(t, page, "Noted as wrong", asked)
	is("wrong", !gets())
	b.undo(page)
	is("undo of wrong", gets())
	page = b.act(id, "never")
	has(t, page, "Never given again", "never given")
	is("never", !gets() && b.show(id).ImportanceLabel == memory.ImportanceIgnore)
	b.undo(page)
	is("undo of never", gets())
	has(t, b.act(id, "useful", "q", asked), "Noted as useful")
	has(t, b.act(id, "archive"), "Archived")
	is("archive", b.show(id).Tier == memory.TierArchive)
	has(t, b.act(id, "destroy"), "not offered here")
	has(t, b.act(id, "explode"), "explode")
}

var batchField = regexp.MustCompile(`name="batch" value="([^"]+)"`)

// undo presses the button that a page shows after an action.
func (b *browser) undo(page string) {
	b.t.Helper()
	found := batchField.FindStringSubmatch(page)
	if found == nil {
		b.t.Fatalf("the page offers no undo:\n%s", page)
	}
	has(b.t, b.post(url.Values{"do": {"undo"}, "batch": {found[1]}, "page": {string(b.find("").ID)}, "back": {"/"}}), "Undone")
}

func TestEditChangesTheFileAndChecksForConflicts(t *testing.T) {
	b := newBrowser(t)
	m := b.find("Time stamps are UTC")
	file := filepath.Join(b.dir, filepath.FromSlash(m.Path))
	before, _ := os.ReadFile(file)
	has(t, b.get("/m/"+string(m.ID)+"?edit=1"), "<textarea", m.Text)
	const text = "Time stamps are UTC in the database and local only on the small screen."
	page := b.act(m.ID, "edit", "text", text, "was", m.Text)
	has(t, page, "Edited", text)
	after, _ := os.ReadFile(file)
	if want := strings.Replace(string(before), m.Text, text, 1); string(after) != want || b.show(m.ID).Text != text {
		t.Errorf("the file is\n%s", after)
	}
	b.undo(page)
	if again, _ := os.ReadFile(file); string(again) != string(before) {
		t.Errorf("after undo the file is\n%s", again)
	}
	changed := strings.Replace(string(before), m.Text, "Time stamps are UTC in the database and local on every screen.", 1)
	must.Do(t, os.WriteFile(file, []byte(changed), 0o600))
	has(t, b.act(m.ID, "edit", "text", text, "was", m.Text), "was changed meanwhile", text, "local on every screen")
	if now, _ := os.ReadFile(file); string(now) != changed {
		t.Errorf("a conflict changed the file:\n%s", now)
	}
	has(t, b.act(m.ID, "edit", "text", "", "was", m.Text), "1 to 10000 characters")
}

func TestTimelineForgetsAConversation(t *testing.T) {
	b := newBrowser(t)
	kept, err := b.Capture(t.Context(), memory.CaptureRequest{Session: "talk", Agent: "codex", Messages: []memory.CaptureMessage{
		{Role: "user", Content: "Remember that the ferry to Amrum leaves from pier four."}, {Role: "user", Content: "Remember that the harbour master is called Inken."}}})
	if err != nil || len(kept.Stored) != 2 {
		t.Fatalf("kept %v: %v", kept, err)
	}
	b.act(kept.Stored[0].ID, "pin")
	has(t, b.get("/timeline"), "2 memories kept of a conversation", "conversation talk", "Pinned: 1 memory", "Undo")
	page := b.get("/timeline?session=talk")
	has(t, page, "Forget all 2 memories of this conversation")
	page = b.post(url.Values{"do": {"forget-session"}, "session": {"talk"}, "page": {string(kept.Stored[0].ID)}, "back": {"/timeline?session=talk"}})
	has(t, page, "Forgotten: 2 memories")
	for _, m := range kept.Stored {
		if !b.show(m.ID).Forgotten {
			t.Errorf("%s is not forgotten", m.Text)
		}
	}
	b.undo(page)
	if b.show(kept.Stored[0].ID).Forgotten || b.show(kept.Stored[1].ID).Forgotten {
		t.Error("undo did not bring the conversation back")
	}
}

func TestReviewDoesItsSteps(t *testing.T) {
	b := newBrowser(t)
	all, err := b.Review(t.Context(), memory.ReviewRequest{})
	if err != nil || all.Total == 0 {
		t.Fatalf("%v: %v", all, err)
	}
	point := all.Items[0]
	has(t, b.get("/review"), point.Memory.Text, `value="review-keep"`)
	page := b.act(point.Memory.ID, "review-trust", "kind", string(point.Kind))
	if b.show(point.Memory.ID).Trust != memory.TrustTrusted {
		t.Error("trust had no effect")
	}
	b.undo(page)
	if b.show(point.Memory.ID).Trust == memory.TrustTrusted {
		t.Error("undo had no effect")
	}
	b.act(point.Memory.ID, "review-keep", "kind", string(point.Kind))
	if left, _ := b.Review(t.Context(), memory.ReviewRequest{}); left.Total != all.Total-1 {
		t.Errorf("%d points are left of %d", left.Total, all.Total)
	}
}

func TestMemoriesFilterAndPage(t *testing.T) {
	b := newBrowser(t)
	has(t, b.get("/memories"), "Older", "1 – 50 of")
	has(t, b.get("/names"), "Tidewatch", "/memories?entity=Tidewatch")
	has(t, b.get("/memories?entity=Hanneke"), "Memories about Hanneke", "spreadsheet-shaped cake")
	has(t, b.get("/memories?entity=Tarek"), "child of", "/memories?entity=Salma", "memory/2026-08-03.md:3")
	scenes := b.get("/scenes")
	has(t, scenes, "The house / Renovation", "/memories?scene=")
	link, _, _ := strings.Cut(scenes, "\">The house / Renovation")
	has(t, b.get(link[strings.LastIndex(link, "/memories?scene="):]), "Memories of a scene <span class=\"soft\">6</span>")
	has(t, b.get("/memories?from=50"), "Newer")
	page := b.get("/memories?path=MEMORY.md&tier=warm")
	has(t, page, "MEMORY.md:")
	if strings.Contains(page, "memory/topics") {
		t.Error("the filter shows other files")
	}
	has(t, b.get("/health"), "Tiers over time", "<polygon", "up to date")
	if answer, body := b.fetch(b.client, "/memories?tier=lukewarm", nil); answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, "lukewarm") {
		t.Errorf("a wrong filter: %s", answer.Status)
	}
}

func TestHostileTextIsText(t *testing.T) {
	b := newBrowser(t)
	const hostile = `The <script>alert("tide")</script> & <img src=x onerror=alert(1)> in the "harbour" log`
	must.Do(t, os.WriteFile(filepath.Join(b.dir, "memory", "hostile.md"), []byte("# <b>Heading</b>\n\n- "+hostile+"\n"), 0o600))
	b.index()
	id := b.find("harbour\" log").ID
	b.recall(`What is <script>alert("tide")</script> in the "harbour" log?`)
	for _, path := range []string{"/", "/search?q=" + url.QueryEscape(hostile), "/m/" + string(id) + "?edit=1", "/memories?path=memory/hostile.md", "/timeline", "/memories?path=" + url.QueryEscape(`"><script>alert(2)</script>`)} {
		page := b.get(path)
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") || strings.Contains(page, "<b>Heading") {
			t.Errorf("%s has live markup:\n%s", path, page)
		}
	}
	if page := b.get("/m/" + string(id)); !strings.Contains(html.UnescapeString(page), "onerror=alert(1)") {
		t.Error("the text is not shown")
	}
}
