package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/wording"
)

// hiddenRun is how many words in a row of a hidden text no answer has.
const hiddenRun = 6

// repeatsRun returns words in a row of a hidden text that an answer has; empty: none.
func repeatsRun(answer string, hidden []string) string {
	words := " " + strings.Join(wording.Words(answer), " ") + " "
	for _, text := range hidden {
		list := wording.Words(text)
		for i := 0; i+hiddenRun <= len(list); i++ {
			if run := strings.Join(list[i:i+hiddenRun], " "); strings.Contains(words, " "+run+" ") {
				return run
			}
		}
	}
	return ""
}

// fieldsWith returns a file that repeats a text, whole or in part, in every field that is no
// memory. Its memories are bullets of other words.
func fieldsWith(r *rand.Rand, user, text string) string {
	part := strings.Join(strings.Fields(text)[1:1+hiddenRun], " ")
	head := fmt.Sprintf("---\n%stitle: %s\nscope: %s\ntags: [%s, plain]\nstatus: %s # %s\n---\n", user, text, text, part, part, text)
	return head + "# " + text + "\n\n" + randomLines(r, 2, " <!-- source: "+text+"; tags: "+part+" -->") +
		"\n## About " + part + " today\n\n" + randomLines(r, 2, " <!-- "+text+" -->") +
		"\n<!-- " + part + " -->\n\nNow " + text + ":\n\n" + randomLines(r, 2, "") +
		"\n[label]: http://localhost/x \"" + text + "\"\n[" + part + "]: http://localhost/y\n"
}

// TestNoFieldOfAnAnswerRepeatsAHiddenText repeats forgotten, private and quarantined texts in
// every field, and asks every route as a model, a person and two users.
func TestNoFieldOfAnAnswerRepeatsAHiddenText(t *testing.T) {
	for seed := range inLongRun(1, 3) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var texts []string
		for n := range 3 {
			var words []string
			for i := range 8 + r.IntN(4) {
				words = append(words, fmt.Sprintf("%s%c%d", own[r.IntN(len(own))], 'a'+n, i)) // no two texts share a word
			}
			texts = append(texts, strings.Join(words, " "))
		}
		files := map[string]string{
			"memory/secret.md": "- " + texts[0] + "\n- " + texts[1] + " <!-- private -->\n- " + texts[2] + " <!-- trust: quarantined -->\n",
			"MEMORY.md":        fieldsWith(r, "", texts[0]), "memory/owner.md": fieldsWith(r, "", texts[1]), "memory/lena.md": fieldsWith(r, "user: lena\n", texts[2]),
		}
		c := newFamily(t, files)
		for _, who := range []string{"", "telegram:2"} {
			must.Get(c.SetContext(t.Context(), memory.ContextRequest{Text: "Now: " + texts[0] + " again", Sender: memory.Sender{User: who}}))(t)
		}
		ids := c.allIDs()
		if shown := c.anyRoute(memory.Sender{}, memory.AudiencePerson, ids[:1]); repeatsRun(shown["list"], texts[:1]) == "" || repeatsRun(shown["files"], texts[:1]) == "" {
			t.Fatal("no route shows the text before")
		}
		secret := c.list(memory.ListRequest{Filter: memory.Filter{Path: "memory/secret.md"}})
		ids = slices.DeleteFunc(ids, func(id memory.ID) bool { return slices.Contains(memory.IDsOf(secret), id) })
		for _, m := range secret {
			if strings.HasPrefix(m.Text, texts[0]) {
				must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(m.ID)}}))(t)
			}
		}
		for round, way := range []string{"from the tables", "from the index in memory", "of a file that is not indexed"} {
			for _, sender := range []memory.Sender{{}, {User: "telegram:2"}, {User: "telegram:3"}} {
				for _, who := range []memory.Audience{memory.AudienceModel, memory.AudiencePerson} {
					hidden := texts
					if who == memory.AudiencePerson {
						hidden = texts[:1] // a person sees the others
					}
					for route, answer := range c.anyRoute(sender, who, ids) {
						mayNot := hidden
						if route == "files" {
							mayNot = texts // they are for a model
						}
						if run := repeatsRun(answer, mayNot); run != "" {
							t.Errorf("seed %d, %s: %s for %s %q repeats %q: %s", seed, way, route, who, sender.User, run, around(answer, strings.Fields(run)[0]))
						}
					}
				}
			}
			status, err := c.Status(t.Context())
			if run := repeatsRun(fmt.Sprint(status.Workspaces, err), texts[:1]); run != "" {
				t.Errorf("seed %d, %s: status repeats %q", seed, way, run)
			}
			if round == 0 {
				must.Do(t, c.Load(t.Context(), "main"))
			} else if round == 1 {
				c.write("MEMORY.md", strings.Replace(c.read("MEMORY.md"), "# ", "# New ", 1))
			}
		}
	}
}

// around returns a text around the first place of a word.
func around(text, word string) string {
	at := max(0, strings.Index(strings.ToLower(text), word))
	return text[max(0, at-120):min(len(text), at+120)]
}
