package ingest_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/property"
)

// branch maps the path of each file to its lines.
type branch map[string][]string

// TestCheckoutsSeenInPartsKeepEveryID switches to another branch and back. Each
// checkout is seen in two to ten parts with pauses, as on a slow machine. Every
// line of the first branch must have its id again.
//
// With -long it takes a hundred histories.
func TestCheckoutsSeenInPartsKeepEveryID(t *testing.T) {
	histories, first := 2, uint64(property.Number(1_000_000))
	switch {
	case *longRun:
		histories, first = 100, 0
	case testing.Short():
		histories = 1
	}
	if *partsSeed >= 0 {
		histories, first = 1, uint64(*partsSeed)
	}
	for seed := first; seed < first+uint64(histories); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkoutInParts(t, seed) })
	}
}

// partsSeed repeats a history that failed.
var partsSeed = flag.Int("parts.seed", -1, "the seed of the one checkout in parts; -1: several")

func checkoutInParts(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 28))
	w := newWorld(t)
	home := homeBranch(rnd, 300)
	other := otherBranch(rnd, home)
	for path, lines := range home {
		w.write(path, lines...)
	}
	w.scan()
	before := w.idsByLine()
	for range 1 + rnd.IntN(2) {
		w.switchInParts(rnd, home, other)
		w.switchInParts(rnd, other, home)
		sameIDs(t, "back on the first branch", w.idsByLine(), before)
	}
}

// homeBranch returns files of one pattern with a line that many of them share.
func homeBranch(rnd *rand.Rand, n int) branch {
	b := branch{}
	whole := rnd.IntN(2) == 0
	for i := range n {
		lines := []string{fmt.Sprintf("# Service %d", i),
			fmt.Sprintf("- Service %d listens on port %d of the host named after river %d", i, 4000+i, i%7),
			"- Restart it with the usual command"}
		if whole {
			lines = append(lines, fmt.Sprintf("- The owner of service %d is on call every week %d of the quarter", i, i%13))
		}
		b[fmt.Sprintf("memory/topic-%03d.md", i)] = lines
	}
	return b
}

// otherBranch renames, edits, deletes and renames with an edit.
func otherBranch(rnd *rand.Rand, home branch) branch {
	b := branch{}
	changed := 1 + rnd.IntN(10)
	for i, path := range slices.Sorted(maps.Keys(home)) {
		lines := slices.Clone(home[path])
		renamed := fmt.Sprintf("memory/%s-%03d.md", []string{"moved", "zone"}[i%2], i)
		edited := slices.Clone(lines)
		edited[1] = strings.Replace(edited[1], "listens", "now listens", 1)
		if rnd.IntN(10) >= changed {
			b[path] = lines
			continue
		}
		switch rnd.IntN(6) {
		case 0, 1:
			b[renamed] = lines
		case 2:
			b[path] = edited
		case 3:
			b[renamed] = edited
		case 4: // deleted
		default:
			b[path] = append(lines[:1:1], fmt.Sprintf("- Something else about river %d and service %d", i%7, i))
		}
	}
	return b
}

// switchInParts changes the files from one branch to another, in two to ten
// parts, and indexes after each part.
func (w *world) switchInParts(rnd *rand.Rand, from, to branch) {
	w.t.Helper()
	var changed []string // git removes files first, then writes the others by name
	for _, path := range slices.Sorted(maps.Keys(from)) {
		if _, kept := to[path]; !kept {
			changed = append(changed, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(to)) {
		if !slices.Equal(from[path], to[path]) {
			changed = append(changed, path)
		}
	}
	if rnd.IntN(3) == 0 {
		rnd.Shuffle(len(changed), func(i, j int) { changed[i], changed[j] = changed[j], changed[i] })
	}
	for parts := 2 + rnd.IntN(9); parts > 0; parts-- {
		n := len(changed)
		if parts > 1 && n > 0 {
			n = rnd.IntN(2*n/parts + 1)
		}
		n = min(n, len(changed))
		for _, path := range changed[:n] {
			w.write(path, to[path]...)
		}
		w.now = w.now.Add(time.Duration(rnd.IntN(45_000))*time.Millisecond - time.Minute) // a scan adds a minute
		if hints := changed[:n]; n > 0 && rnd.IntN(2) == 0 {
			w.scan(hints...)
		} else {
			w.scan()
		}
		changed = changed[n:]
	}
}
