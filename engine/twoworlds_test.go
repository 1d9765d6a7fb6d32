package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// own are words of the question of anyRoute and others, of which the memories consist.
var own = strings.Fields("locker code pier bicycle lock opens guest ferry harbour zebra Hera stamp window garden")

// randomLines returns bullets of random words with an annotation.
func randomLines(r *rand.Rand, n int, annotation string) (lines string) {
	for i := range n {
		var words []string
		for range 4 + r.IntN(8) {
			words = append(words, own[r.IntN(len(own))])
		}
		lines += fmt.Sprintf("- Number %d says %s%s\n", i, strings.Join(words, " "), annotation)
	}
	return lines
}

// random are the parts of answers that differ each time: receipts, times taken, folders.
var random = regexp.MustCompile(`"(receipt|receipt_id|at|took_ms|folder)":("[^"]*"|[0-9.e-]+)|"id":"[0-9a-f]{8}-[0-9a-f-]*"`)

// fraction is a figure. Its last digits depend on the order of a sum.
var fraction = regexp.MustCompile(`[0-9]+\.[0-9]+(e-[0-9]+)?`)

// sameAnswer reports whether two answers have the same texts and figures.
func sameAnswer(a, b string) bool {
	if fraction.ReplaceAllString(a, "#") != fraction.ReplaceAllString(b, "#") {
		return false
	}
	others := fraction.FindAllString(b, -1)
	for i, s := range fraction.FindAllString(a, -1) {
		x, _ := strconv.ParseFloat(s, 64) // of digits
		y, _ := strconv.ParseFloat(others[i], 64)
		if math.Abs(x-y) > 1e-6 {
			return false
		}
	}
	return true
}

// TestWhatAViewMayNotSeeChangesNoAnswer compares two worlds for a user and for a model. One
// of them has memories that these may not see: more of them, or others, of the same words.
func TestWhatAViewMayNotSeeChangesNoAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	shown := map[string]string{"MEMORY.md": "# Home\n" + randomLines(r, 12, ""), "memory/ben.md": "---\nuser: ben\n---\n" + randomLines(r, 5, "")}
	hidden := map[string]string{
		"another user's": "---\nuser: lena\n---\n", "private": "---\nprivate: true\n---\n", "quarantined": "---\ntrust: quarantined\n---\n", "expired": "---\nexpires: 2020-01-01\n---\n",
	}
	ben := memory.Sender{User: "telegram:3"}
	for name, head := range hidden {
		for _, who := range []memory.Audience{memory.AudienceModel, memory.AudiencePerson} {
			if who == memory.AudiencePerson && name != "another user's" {
				continue // a person sees those
			}
			t.Run(name+" for "+string(who), func(t *testing.T) {
				var ids []memory.ID
				var want [2]map[string]string
				for world, secrets := range []int{0, 40, 9} {
					files := map[string]string{}
					for path, text := range shown {
						files[path] = text
					}
					if secrets > 0 {
						files["memory/secret.md"] = head + randomLines(r, secrets, "")
					}
					c := newFamily(t, files)
					if world == 0 {
						for _, m := range c.list(memory.ListRequest{Sender: ben, For: who}) {
							ids = append(ids, m.ID)
						}
					}
					for loaded := range 2 { // from the tables, then from the index in memory
						got := c.anyRoute(ben, who, ids[:4])
						for route, answer := range got {
							got[route] = random.ReplaceAllString(answer, "")
							if world > 0 && !sameAnswer(got[route], want[loaded][route]) {
								t.Errorf("loaded %d, %d secrets: %s\n%s", loaded, secrets, route, firstDifference(want[loaded][route], got[route]))
							}
						}
						if world == 0 {
							want[loaded] = got
						}
						must.Do(t, c.Load(t.Context(), "main"))
					}
				}
			})
		}
	}
}

// firstDifference returns where two texts begin to differ.
func firstDifference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(s string) string { return s[max(0, at-80):min(len(s), at+80)] }
	return around(a) + "\n" + around(b)
}

// TestAUserSeesTheOwnUsesAlone gives memories of everybody to one user, and compares what
// another one gets. The owner as a person sees the total.
func TestAUserSeesTheOwnUsesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	shown := map[string]string{"MEMORY.md": "# Home\n" + randomLines(r, 12, ""), "memory/ben.md": "---\nuser: ben\n---\n" + randomLines(r, 5, "")}
	ben := memory.Sender{User: "telegram:3"}
	for _, who := range []memory.Audience{memory.AudienceModel, memory.AudiencePerson} {
		for _, flushed := range []bool{false, true} {
			var want map[string]string
			for _, given := range []bool{false, true} {
				c := newFamily(t, shown)
				must.Do(t, c.Load(t.Context(), "main"))
				ids, again := c.allIDs()[:4], c.list(memory.ListRequest{})[3].Text
				c.at = c.at.AddDate(0, 0, 2)
				for i := range 3 {
					for _, lena := range []memory.Sender{{User: "telegram:2"}, {}} {
						if !given {
							continue
						}
						answer, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "Which locker code of the pier opens the garden window?", Sender: lena, Session: fmt.Sprint("s", i)})
						if err != nil || len(answer.Hits) == 0 {
							t.Fatal(answer, err)
						}
						must.Do(t, c.Delivered(t.Context(), "main", answer.Receipt))
					}
				}
				if flushed {
					must.Do(t, c.FlushUses(t.Context()))
				}
				total := 0
				for _, m := range c.list(memory.ListRequest{}) {
					total += m.UseCount
				}
				if given != (total > 0) {
					t.Errorf("a person sees %d uses", total)
				}
				got := c.anyRoute(ben, who, ids)
				for _, sort := range []string{"use_count", "last_accessed_at"} {
					page, err := c.List(t.Context(), memory.ListRequest{Sender: ben, For: who, Sort: sort})
					got["list by "+sort] = fmt.Sprint(page, err)
				}
				unused, err := c.List(t.Context(), memory.ListRequest{Sender: ben, For: who, Filter: memory.Filter{Unused: 1}})
				got["unused"] = fmt.Sprint(unused, err)
				stored, err := c.Store(t.Context(), memory.StoreRequest{Text: "Number 0 says something, and this is new: a lighthouse", Sender: ben, For: who})
				got["store"] = fmt.Sprintf("%+v %v", stored, err)
				stored, err = c.Store(t.Context(), memory.StoreRequest{Text: again, Sender: ben, For: who})
				got["store again"] = fmt.Sprintf("%+v %v", stored.Memory, err)
				decided, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(ids[0])}, Sender: ben, For: who})
				got["decide"] = fmt.Sprintf("%+v %v", decided.Changed, err)
				for route, answer := range got {
					got[route] = random.ReplaceAllString(answer, "")
					if given && !sameAnswer(got[route], want[route]) {
						t.Errorf("%s, flushed %v: %s tells what others were given\n%s", who, flushed, route, firstDifference(want[route], got[route]))
					}
				}
				want = got
			}
		}
	}
}
