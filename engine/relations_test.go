package engine_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/workspace"
)

// TestStatedRelations reads notes in six languages and the relations that they state. Nothing is
// tuned to the held-back half.
func TestStatedRelations(t *testing.T) {
	for half, least := range map[string]float64{"tune": 0.95, "held": 0.8} {
		found, right, wanted := 0, 0, 0
		for _, c := range relationCases(t, half) {
			c.world.t = t
			var got []string
			for _, e := range c.world.statedEdges(memory.ListRequest{}) {
				got = append(got, e.Subject+" | "+e.Relation+" | "+e.Object)
			}
			got = slices.Compact(slices.Sorted(slices.Values(got)))
			found, wanted = found+len(got), wanted+len(c.want)
			for _, g := range got {
				if slices.Contains(c.want, g) {
					right++
				} else {
					t.Logf("%s, %s: wrong: %s", half, c.name, g)
				}
			}
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Logf("%s, %s: missed: %s", half, c.name, w)
				}
			}
		}
		precision, recall := float64(right)/float64(max(found, 1)), float64(right)/float64(wanted)
		t.Logf("%s: %d stated, %d found, %d right: precision %.1f %%, recall %.1f %%", half, wanted, found, right, 100*precision, 100*recall)
		if precision < least || recall < least {
			t.Errorf("%s: precision %.2f, recall %.2f, less than %.2f", half, precision, recall, least)
		}
	}
}

type relationCase struct {
	name  string
	want  []string
	world *captureWorld
}

func relationCases(t *testing.T, half string) (all []relationCase) {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("testdata", "relations_"+half+".txt")))(t)
	for _, section := range strings.Split("\n"+string(data), "\n== ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		c, files, path := relationCase{name: name}, map[string]string{}, ""
		for line := range strings.Lines(body) {
			switch rest, isWanted := strings.CutPrefix(line, "=> "); {
			case isWanted:
				c.want = append(c.want, strings.TrimSpace(rest))
			case strings.HasPrefix(line, "-- "):
				path = strings.TrimSpace(line[3:])
			default:
				files[path] += line
			}
		}
		c.world = newCaptureWorld(t, files, func(o *engine.Options) { o.Workspaces[0].Options.Globs = []workspace.Glob{{Pattern: "**/*.md"}} })
		all = append(all, c)
	}
	return all
}

// edges returns the edges of all names, each once.
func (c *captureWorld) edges(r memory.ListRequest) (all []knowledge.Edge) {
	c.t.Helper()
	names := must.Get(c.Entities(c.t.Context(), r))(c.t)
	limit, seen := 0, map[string]bool{}
	for _, e := range names.Entities {
		r.Entity, r.Limit = e.Name, &limit
		g, err := c.Graph(c.t.Context(), r)
		if err != nil {
			c.t.Fatalf("%s: %v", e.Name, err)
		}
		for _, edge := range g.Edges {
			key := edge.Subject + "|" + edge.Relation + "|" + edge.Object + edge.Since.String()
			if !seen[key] && !seen[edge.Object+"|"+edge.Relation+"|"+edge.Subject+edge.Since.String()] {
				seen[key] = true
				all = append(all, edge)
			}
		}
	}
	return all
}

func (c *captureWorld) statedEdges(r memory.ListRequest) []knowledge.Edge {
	return slices.DeleteFunc(c.edges(r), func(e knowledge.Edge) bool { return e.Kind != knowledge.Stated })
}

// validity returns the stated edges with the days from and until which they hold.
func (c *captureWorld) validity() string {
	var all []string
	for _, e := range c.statedEdges(memory.ListRequest{}) {
		until := ""
		if e.Until != nil {
			until = e.Until.Format("0102")
		}
		all = append(all, e.Subject+" "+e.Relation+" "+e.Object+" "+e.Since.Format("0102")+"-"+until)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

func TestThePastHoldsNoLonger(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"memory/2026-01-05.md": "- Anna worked at Fiat until 2024.\n- Bo lived in Bremen.\n- Lucía trabajó en Seat.\n- Karl wohnte in Kiel.\n- Ada works at Volvo.\n",
	}, func(o *engine.Options) { o.Workspaces[0].Zone = time.UTC })
	const want = "Ada works at Volvo 0105-; Anna works at Fiat 0105-0105; Bo lives in Bremen 0105-0105; Karl lives in Kiel 0105-0105; Lucía works at Seat 0105-0105"
	if got := c.validity(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNewValueEndsTheOldOne(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"memory/2026-01-05.md": "- Lena works at Acme.\n- Jonas works at Acme.\n- Lena is a member of Greenpeace.\n",
		"memory/2026-03-05.md": "- Lena works at Globex.\n- Lena is a member of Amnesty.\n- Jonas lives in Bremen.\n",
		"memory/2026-04-05.md": "- Jonas no longer lives in Bremen.\n- Jonas quit Acme.\n",
		"memory/2026-05-05.md": "- Lena now works at Acme.\n",
	}, func(o *engine.Options) { o.Workspaces[0].Zone = time.UTC })
	const others = "; Lena member of Amnesty 0305-; Lena member of Greenpeace 0105-; Lena works at Acme 0105-"
	const jonas = "Jonas lives in Bremen 0305-0405; Jonas works at Acme 0105-0405"
	if got, want := c.validity(), jonas+others+"0305; Lena works at Acme 0505-; Lena works at Globex 0305-0505"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	ids := map[string]memory.ID{}
	for _, m := range c.list(memory.ListRequest{}) {
		ids[m.Text] = m.ID
	}
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionDestroy} {
		for _, text := range []string{"Lena now works at Acme.", "Lena works at Globex."} {
			c.decide(memory.DecideRequest{Action: action, IDs: []string{string(ids[text])}, Confirm: action == memory.ActionDestroy})
		}
		if got, want := c.validity(), jonas+others; got != want {
			t.Errorf("after %s:\ngot  %s\nwant %s", action, got, want)
		}
	}
}

// TestNobodyLearnsARelationFromAHiddenMemory makes notes with random states. Whoever asks gets
// only edges and lines of a profile whose sources the list shows, and no name of another one.
func TestNobodyLearnsARelationFromAHiddenMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 28))
	states := []string{"", "", "", " <!-- private -->", " <!-- forgotten -->", " <!-- user: ben -->", " <!-- user: lena -->", " <!-- trust: quarantined -->", " <!-- trust: untrusted -->",
		" <!-- tier: archive -->", " <!-- expires: 2020-01-01 -->", " <!-- scope: work -->"}
	for range 12 {
		text, number := "", 0
		for _, person := range []string{"Ada", "Berta", "Carla", "Dora", "Emma", "Frida"} {
			for _, sentence := range []string{"%s works at Firm%d.", "%s lives in [[Town%d]].", "%s met Guest%d and [[Guest%d]].", "%s prefers Drink%d."} {
				number++
				text += "- " + strings.ReplaceAll(strings.ReplaceAll(sentence, "%s", person), "%d", strconv.Itoa(number)) + states[random.IntN(len(states))] + "\n"
			}
		}
		c := newCaptureWorld(t, map[string]string{"memory/a.md": text}, func(o *engine.Options) { o.Identities = family })
		for _, r := range []memory.ListRequest{{}, {For: memory.AudienceModel}, {For: memory.AudienceModel, Sender: memory.Sender{User: "lena"}},
			{For: memory.AudienceModel, Sender: memory.Sender{User: "ben"}}, {Sender: memory.Sender{User: "ben"}}, {For: memory.AudienceModel, Filter: memory.Filter{Scope: "home"}}} {
			c.checkSources(r, text)
		}
	}
}

func (c *captureWorld) checkSources(r memory.ListRequest, text string) {
	c.t.Helper()
	shown, visible := map[memory.ID]memory.Memory{}, ""
	for _, m := range c.list(r) {
		shown[m.ID] = m
		visible += m.Text + "\n"
	}
	page := must.Get(c.Profile(c.t.Context(), knowledge.ProfileRequest{Sender: r.Sender, For: r.For, MaxTokens: new(int)}))(c.t)
	used := 0
	if r.Scope == "" {
		for _, s := range page.Sections {
			for _, line := range s.Lines {
				used++
				if m, isShown := shown[line.ID]; !isShown || m.Trust != memory.TrustTrusted {
					c.t.Errorf("%+v: the profile has %q of\n%s", r, line.Text, text)
				}
			}
		}
	}
	for _, e := range c.edges(r) {
		used++
		for _, name := range []string{e.Subject, e.Object} {
			if e.Kind != knowledge.Link && !strings.Contains(visible, name) {
				c.t.Errorf("%+v: the edge %+v names %q, of\n%s", r, e, name, text)
			}
		}
		for _, s := range e.Sources {
			if m, isShown := shown[s.ID]; !isShown || e.Kind == knowledge.Stated && m.Trust != memory.TrustTrusted {
				c.t.Errorf("%+v: the edge %+v has a source that is not shown, of\n%s", r, e, text)
			}
		}
	}
	if used == 0 {
		c.t.Errorf("%+v: nothing was checked", r)
	}
}

func TestSessionBeginsWithTheProfileIfItIsSet(t *testing.T) {
	for _, isSet := range []bool{false, true} {
		c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers tea.\n- Lena prefers gin. <!-- private -->\n- Lena prefers rum. <!-- trust: untrusted -->\n"},
			func(o *engine.Options) { o.Recall.Profile = isSet })
		a, err := c.Hook(t.Context(), memory.HookRequest{Client: "claude-code", Event: "SessionStart", Input: map[string]any{"session_id": "s", "source": "startup"}})
		if err != nil || strings.Contains(a.Output, "tea") != isSet || strings.Contains(a.Output, "gin") || strings.Contains(a.Output, "rum") {
			t.Errorf("profile %v: %q, %v", isSet, a.Output, err)
		}
	}
}

// The client of an agent does not wait for the profile of many memories.
func TestSessionWithManyMemoriesBeginsWithThePinnedOnes(t *testing.T) {
	var many strings.Builder
	for i := range 4001 {
		many.WriteString("- Lena prefers tea number " + strconv.Itoa(i) + ".\n")
	}
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Hazelnuts are dangerous for Lena. <!-- pinned -->\n", "memory/tea.md": many.String()},
		func(o *engine.Options) { o.Recall.Profile = true })
	a, err := c.Hook(t.Context(), memory.HookRequest{Client: "claude-code", Event: "SessionStart", Input: map[string]any{"session_id": "s", "source": "startup"}})
	if err != nil || !strings.Contains(a.Output, "Hazelnuts") || strings.Contains(a.Output, "tea") {
		t.Errorf("%q, %v", a.Output, err)
	}
}

func TestPinnedMemoriesAreFirstInASmallProfile(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers tea.\n- Lena prefers rain.\n- Hazelnuts are dangerous for Lena. <!-- pinned -->\n"})
	budget := 20
	page, err := c.Profile(t.Context(), knowledge.ProfileRequest{MaxTokens: &budget})
	if err != nil || len(page.Sections) != 1 || len(page.Sections[0].Lines) != 1 || !strings.HasPrefix(page.Sections[0].Lines[0].Text, "Hazelnuts") || page.LeftOut != 2 || page.Tokens > budget {
		t.Errorf("%+v, %v", page, err)
	}
}

// A line of the profile still holds, and the page as it is printed keeps to the budget.
func TestProfileHasWhatHoldsWithinItsBudget(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"memory/2025-01-10.md": "- Ada works at Acme.\n- Ada lives in Lisbon.\n- Always sign with A. <!-- pinned -->\n",
		"memory/2025-06-10.md": "- Ada works at Globex.\n- Ada used to work at Initech.\n- Ada prefers tea.\n- ~~Ada prefers wine.~~\n\n## Outdated\n\n- Ada lives in Rome.\n",
	})
	for budget := range 150 {
		page := must.Get(c.Profile(t.Context(), knowledge.ProfileRequest{MaxTokens: &budget}))(t)
		text := page.Markdown(true)
		if budget > 0 && (len(text) > 4*budget || page.Tokens > budget) {
			t.Errorf("%d tokens have %d bytes:\n%s", budget, len(text), text)
		}
		for _, over := range []string{"Acme", "wine", "Rome"} {
			if strings.Contains(text, over) {
				t.Errorf("the page has %s, which holds no longer:\n%s", over, text)
			}
		}
		for _, line := range []string{"Ada works at Globex.", "Ada lives in Lisbon.", "Ada used to work at Initech.", "Ada prefers tea.", "Always sign with A."} {
			if (budget == 0 || budget > 120) && !strings.Contains(text, line) {
				t.Errorf("%d tokens lack %q:\n%s", budget, line, text)
			}
		}
	}
}
