package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// Most blocks of a changed file are as they were. Those at its beginning and at its end
// that are indexed as they are keep their memories without a match: they are settled. So a
// run costs what the change costs. Settled blocks are matched after all where the texts of
// the change occur, and around such blocks, because neighbours decide between copies.

// matchedAround is how many settled blocks on each side of a change are matched with it.
// It is as far as [identity.Match] looks for neighbours.
const matchedAround = 8

// none is no index of a block.
const none = -1

// comparedFile is a file of the run beside what is indexed of it. The block with its
// properties is left out.
type comparedFile struct {
	path         string
	from, to     int // its blocks in run.read
	indexed      []identity.IndexedBlock
	properties   []identity.IndexedBlock
	above, below int // how many blocks at its beginning and at its end are indexed as they are
}

// compareFiles compares the files that have not been compared yet.
func (r *run) compareFiles(ctx context.Context) error {
	for _, f := range r.batch.Files {
		span := r.spans[f.Path]
		if r.compared[f.Path] != nil || !r.isComparable(f) {
			continue
		}
		indexed, err := r.store.Blocks(ctx, f.Path)
		if err != nil {
			return err
		}
		c := &comparedFile{path: f.Path, from: span.from, to: span.to, indexed: indexed}
		if c.from < c.to && r.read[c.from].Ordinal == memory.PropertiesOrdinal {
			c.from++
		}
		if len(indexed) > 0 && indexed[0].Ordinal == memory.PropertiesOrdinal {
			c.properties, c.indexed = indexed[:1], indexed[1:]
		}
		r.compare(c)
		r.compared[f.Path] = c
	}
	return nil
}

// isComparable reports whether equal blocks of a file have equal memories. All depends on
// what the file declares as a whole.
func (r *run) isComparable(f memory.FileState) bool {
	was, known := r.indexedFile(f.Path)
	return known && !r.force && was.Hash != memory.Hash{} && was.Stamp != memory.PartialStamp && !isRedeclared(f, was)
}

// isRedeclared reports whether a file declares something else than what is indexed. Times
// are compared as the index has them.
func isRedeclared(f, was memory.FileState) bool {
	now, err := json.Marshal([]memory.Declared{f.Declared, f.Defaults})
	before, errBefore := json.Marshal([]memory.Declared{was.Declared, was.Defaults})
	return err != nil || errBefore != nil || !bytes.Equal(now, before)
}

// compare finds the equal blocks at the beginning and at the end of a file. Those at one
// end all moved by the same distance.
func (r *run) compare(c *comparedFile) {
	n := min(c.to-c.from, len(c.indexed))
	same := func(i int, was identity.IndexedBlock, moved *memory.Shift) bool {
		by := shiftOf(r.read[i], was)
		if *moved == (memory.Shift{}) {
			*moved = by
		}
		return by.Blocks == moved.Blocks && by.Bytes == moved.Bytes && by.Lines == moved.Lines && was.Hash == r.hashOf(r.read[i])
	}
	var moved memory.Shift
	for c.above < n && same(c.from+c.above, c.indexed[c.above], &moved) {
		c.above++
	}
	moved = memory.Shift{}
	for c.above+c.below < n && same(c.to-1-c.below, c.indexed[len(c.indexed)-1-c.below], &moved) {
		c.below++
	}
}

// shiftOf returns the shift of one block.
func shiftOf(b identity.NewBlock, was identity.IndexedBlock) memory.Shift {
	return memory.Shift{Path: b.Path, From: was.Ordinal, To: was.Ordinal + 1,
		Blocks: b.Ordinal - was.Ordinal, Bytes: b.Block.Start - was.Start, Lines: b.Block.LineStart - was.LineStart}
}

// settled returns a settled block as it is indexed.
func (c *comparedFile) settled(i int) (identity.IndexedBlock, bool) {
	switch {
	case i < c.from || i >= c.to:
	case i < c.from+c.above:
		return c.indexed[i-c.from], true
	case i >= c.to-c.below:
		return c.indexed[len(c.indexed)-(c.to-i)], true
	}
	return identity.IndexedBlock{}, false
}

// changed returns what is indexed between the settled blocks.
func (c *comparedFile) changed() []identity.IndexedBlock {
	return c.indexed[c.above : len(c.indexed)-c.below]
}

// settledBlock returns the block whose memory is known without a match.
func (r *run) settledBlock(k identity.KnownMemory) (i int, ok bool) {
	c := r.compared[k.Path]
	if c == nil || k.Missing {
		return none, false
	}
	at, found := sort.Find(len(c.indexed), func(i int) int { return k.Ordinal - c.indexed[i].Ordinal })
	switch {
	case !found:
		return none, false
	case at < c.above:
		return c.from + at, true
	case at >= len(c.indexed)-c.below:
		return c.to - (len(c.indexed) - at), true
	}
	return none, false
}

// chooseBlocks chooses the blocks to match, and reads the memories that they may belong to.
func (r *run) chooseBlocks(ctx context.Context) error {
	if err := r.compareFiles(ctx); err != nil {
		return fmt.Errorf("read the indexed blocks: %w", err)
	}
	involved := make([]bool, len(r.read))
	for i, b := range r.read {
		c := r.compared[b.Path]
		if c != nil {
			_, involved[i] = c.settled(i)
		}
		involved[i] = !involved[i]
	}
	for more := true; more; {
		r.matchAround(involved)
		known, texts, err := r.loadKnown(ctx, involved)
		if err != nil {
			return fmt.Errorf("read known memories: %w", err)
		}
		r.known, more = known, false
		for _, k := range known {
			i, isSettled := r.settledBlock(k)
			if isSettled && !involved[i] && (r.blockAt[i] == none || texts[k.Fingerprint]) {
				involved[i], more = true, true
			}
		}
	}
	return nil
}

// matchAround makes the blocks of the run those that are involved, with their neighbours.
func (r *run) matchAround(involved []bool) {
	matched := slices.Clone(involved)
	around := func(c *comparedFile, i int) {
		for n := max(c.from, i-matchedAround); n < min(c.to, i+matchedAround+1); n++ {
			matched[n] = true
		}
	}
	for _, c := range r.compared {
		for i := c.from; i < c.to; i++ {
			if involved[i] {
				around(c, i)
			}
		}
		if len(c.changed()) > 0 {
			around(c, c.from+c.above)
			around(c, c.from+c.above-1)
		}
	}
	r.blockAt = make([]int, len(r.read))
	if !slices.Contains(matched, false) {
		r.blocks = r.read
		for i := range r.read {
			r.blockAt[i] = i
		}
		return
	}
	r.blocks = nil
	for i := range r.read {
		if r.blockAt[i] = none; matched[i] {
			r.blockAt[i] = len(r.blocks)
			r.blocks = append(r.blocks, r.read[i])
		}
	}
}

// idAt returns the memory of a block that was read.
func (r *run) idAt(i int) memory.ID {
	if at := r.blockAt[i]; at != none {
		return r.result.IDs[at]
	}
	was, _ := r.compared[r.read[i].Path].settled(i)
	return was.ID
}

// placesToMatch selects the memories that the files of the run have or had, without the
// settled ones.
func (r *run) placesToMatch() identity.KnownQuery {
	q := identity.KnownQuery{Paths: slices.Clone(r.batch.Removed)}
	for _, f := range r.batch.Files {
		c := r.compared[f.Path]
		if c == nil {
			q.Paths = append(q.Paths, f.Path)
			continue
		}
		q.Left = append(q.Left, f.Path)
		for _, was := range slices.Concat(c.changed(), c.properties) {
			q.IDs = append(q.IDs, was.ID)
		}
	}
	for i, b := range r.read {
		if r.blockAt[i] == none || r.compared[b.Path] == nil {
			continue
		}
		if was, isSettled := r.compared[b.Path].settled(i); isSettled {
			q.IDs = append(q.IDs, was.ID)
		}
	}
	return q
}

// knownOfAllBlocks returns the known memories, with those that have a text of a settled
// block.
func (r *run) knownOfAllBlocks(ctx context.Context) ([]identity.KnownMemory, error) {
	if r.settledCount() == 0 {
		return r.known, nil
	}
	known, _, err := r.loadKnown(ctx, slices.Repeat([]bool{true}, len(r.read)))
	if err != nil {
		return nil, fmt.Errorf("read the copies of all texts: %w", err)
	}
	at := map[memory.ID]int{}
	for i, k := range known {
		at[k.ID] = i
	}
	for _, k := range r.known {
		if i, found := at[k.ID]; found {
			known[i] = k
		} else {
			known = append(known, k)
		}
	}
	return known, nil
}

// settledCount returns how many blocks are settled.
func (r *run) settledCount() int { return len(r.read) - len(r.blocks) }

// shifts returns the settled blocks of the run.
func (r *run) shifts() (all []memory.Shift) {
	for i, b := range r.read {
		if r.blockAt[i] != none {
			continue
		}
		was, _ := r.compared[b.Path].settled(i)
		next := shiftOf(b, was)
		if n := len(all); n > 0 && all[n-1].Path == next.Path && all[n-1].To == next.From && all[n-1].Blocks == next.Blocks &&
			all[n-1].Bytes == next.Bytes && all[n-1].Lines == next.Lines {
			all[n-1].To = next.To
			continue
		}
		all = append(all, next)
	}
	return all
}

// hashOf returns a hash of all that a block's memory is made from, except the block's
// position and what its file declares as a whole. It is never 0.
func (r *run) hashOf(block identity.NewBlock) int64 {
	speaker, _ := speech(block.Block.Text)
	if !r.speakers[speakerKey{block.Path, speaker}] {
		speaker = ""
	}
	date, _ := workspace.DateOf(block.Path, r.options.Zone)
	return attributesHash(block.Block, block.User, speaker, date, r.options.Entities.Entities(block.Block), r.aliases[block.Path])
}
