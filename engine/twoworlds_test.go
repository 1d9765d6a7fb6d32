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
						if err := c.Load(t.Context(), "main"); err != nil {
							t.Fatal(err)
						}
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
