package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// damage changes a database file.
type damage struct {
	name string
	to   func(file []byte) []byte
}

// headerDamages changes each byte of the header, some of them in several ways.
func headerDamages() (list []damage) {
	for at := range 100 {
		for _, value := range []byte{0, 1, 3, 0x41, 0xfe} {
			list = append(list, damage{fmt.Sprintf("byte %d is %#x", at, value), func(file []byte) []byte {
				file[at] = value
				return file
			}})
		}
	}
	return list
}

// bodyDamages overwrites random bytes of random pages, and truncates the file.
func bodyDamages(rnd *rand.Rand, n int) (list []damage) {
	for range n {
		seed, length := rnd.Uint64(), 1+rnd.IntN(64)
		list = append(list, damage{fmt.Sprintf("%d random bytes, seed %d", length, seed), func(file []byte) []byte {
			rnd := rand.New(rand.NewPCG(seed, 1))
			at := rnd.IntN(len(file))
			for i := at; i < min(at+length, len(file)); i++ {
				file[i] = byte(rnd.Uint32())
			}
			return file
		}})
		share := rnd.Float64()
		list = append(list, damage{fmt.Sprintf("cut at %.4f", share), func(file []byte) []byte { return file[:int(share*float64(len(file)))] }})
	}
	return append(list, damage{"cut at the header", func(file []byte) []byte { return file[:60] }}, damage{"cut to nothing", func([]byte) []byte { return nil }})
}

// newDamagedWorld returns a workspace with a pinned and a forgotten memory, to be damaged.
func newDamagedWorld(t *testing.T) *damageable {
	t.Helper()
	var text strings.Builder
	for i := range 14 {
		fmt.Fprintf(&text, "- %s %s\n", word(i), strings.Repeat("heron pond barn "+word(i)+" ", 1+i%9))
	}
	d := newDamageable(t, map[string]string{"MEMORY.md": text.String()})
	for action, query := range map[memory.Action]string{memory.ActionPin: word(3), memory.ActionForget: word(5)} {
		must.Get(d.Decide(t.Context(), memory.DecideRequest{Action: action, Query: query}))(t)
	}
	d.search(word(7))
	return d
}

// checkDecisions checks that every memory is found but the forgotten one, and that the
// pinned one is pinned.
func (d *damageable) checkDecisions(name string) {
	d.t.Helper()
	for i := range 14 {
		answer, err := d.Search(d.t.Context(), memory.SearchRequest{Query: word(i)})
		found := err == nil && len(answer.Hits) > 0 && strings.HasPrefix(answer.Hits[0].Text, word(i))
		switch {
		case err != nil || found == (i == 5):
			d.t.Errorf("%s: search of memory %d: found %v, %v", name, i, found, err)
		case found && answer.Hits[0].Pinned != (i == 3):
			d.t.Errorf("%s: memory %d: pinned %v", name, i, answer.Hits[0].Pinned)
		}
	}
}

// replaceDatabase puts a file in the place of the closed database.
func (d *damageable) replaceDatabase(file []byte) {
	d.t.Helper()
	d.removeDatabase()
	must.Do(d.t, os.WriteFile(d.db, file, 0o600))
}

// sample returns every list[n], or all of it with -long.
func sample(list []damage, n int) (chosen []damage) {
	if *longRun {
		return list
	}
	for i := property.Number(n); i < len(list); i += n {
		chosen = append(chosen, list[i])
	}
	return chosen
}

// TestDamageBeforeAStartIsMended damages the database while no engine runs. Every
// memory and every decision is there afterwards, without the help of a person.
func TestDamageBeforeAStartIsMended(t *testing.T) {
	d := newDamagedWorld(t)
	d.closeNow()
	intact := must.Get(os.ReadFile(d.db))(t)
	rnd := rand.New(rand.NewPCG(uint64(1+property.Number(1<<30)), 2))
	for _, damage := range sample(append(headerDamages(), bodyDamages(rnd, 150)...), 61) {
		d.replaceDatabase(damage.to(bytes.Clone(intact)))
		d.open()
		if _, err := d.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
			t.Errorf("%s: index: %v", damage.name, err)
			d.closeNow()
			continue
		}
		_ = d.Check(t.Context()) // as the service does every day
		if _, err := d.Repair(t.Context()); err != nil {
			t.Errorf("%s: repair: %v", damage.name, err)
		}
		d.index() // embeds what the repair could not save
		d.checkDecisions(damage.name)
		d.closeNow()
	}
}

// TestDamageUnderARunningEngineIsMended damages the database of an engine that runs.
func TestDamageUnderARunningEngineIsMended(t *testing.T) {
	d := newDamagedWorld(t)
	d.closeNow()
	intact := must.Get(os.ReadFile(d.db))(t)
	rnd := rand.New(rand.NewPCG(uint64(1+property.Number(1<<30)), 3))
	for i, damage := range sample(append(headerDamages(), bodyDamages(rnd, 150)...), 61) {
		d.replaceDatabase(intact)
		d.open()
		file := must.Get(os.ReadFile(d.db))(t)
		damaged := damage.to(bytes.Clone(file))
		overwrite(t, d.db, damaged)
		d.write("memory/new.md", fmt.Sprintf("- the owl hunts at dusk for the %d. time\n", i))
		_, indexErr := d.Index(t.Context(), memory.IndexRequest{}, nil)
		_ = d.Check(t.Context())
		if _, err := d.Repair(t.Context()); err != nil {
			t.Errorf("%s: index: %v; repair: %v", damage.name, indexErr, err)
		}
		if _, err := d.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
			t.Errorf("%s: index after the repair: %v", damage.name, err)
		}
		d.checkDecisions(damage.name)
		d.closeNow()
	}
}

// overwrite changes the content of a file that is open elsewhere.
func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	f := must.Get(os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0))(t)
	must.Get(f.Write(content))(t)
	must.Do(t, f.Close())
}
