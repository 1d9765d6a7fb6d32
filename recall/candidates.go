package recall

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/recall/block"
	"github.com/memory-tiered/memory/recall/notation"
	"github.com/memory-tiered/memory/recall/ranking"
)

// candidate is a memory on its way through the pipeline.
type candidate struct {
	ranking.Features
	vectorScore float64 // the vector lane's calibrated score; 0 if it did not find the memory
	writtenThen int     // its place among what was written at the time that is asked for as a whole; 1 is the newest, 0 is none
	older       bool    // a newer memory states another value of the same subject

	general       float64 // see [ranking.Values.GeneralSum]
	fused         float64 // the fusion's score, which orders
	similarity    float64 // 0 to 1: compared with the floor, and part of the composite
	score         float64 // the composite score
	composite     composite
	alignment     float64         // how well its words match those of the question, 0 to 1; 0 if they were not compared
	values        ranking.Values  // whose weighted sum is fused, with the fusion "ranking"
	sentenceModel bool            // chooses their weights
	duplicates    []*candidate    // near-duplicates that this candidate represents
	entry         block.Entry     // its line of the block, once packing has tried it
	text          *alignment.Text // see words
	earned        bool            // its fused score alone was enough for its place
	called        float64         // how much a trigger in the prompt calls for it, 0 to 1
}

// These pools hold memory for the candidates of one question and for their memories, which
// would be half of its garbage.
var (
	signalsPool   = sync.Pool{New: func() any { return new([]memory.Signals) }}
	candidatePool = sync.Pool{New: func() any { return new([]candidate) }}
	memoryPool    = sync.Pool{New: func() any { return new([]memory.Memory) }}
	mergedPool    = sync.Pool{New: func() any { return map[memory.ID]*candidate{} }}
)

// marksPool keeps the marks of headings, which most questions share.
var marksPool = sync.Pool{New: func() any { return notation.Marks{} }}

// release returns the memory of the candidates. Nothing may use them after it.
func (l *lanes) release() {
	if l.candidates != nil {
		clear(*l.candidates) // they point to texts
		candidatePool.Put(l.candidates)
	}
	if l.memories != nil {
		clear(*l.memories)
		memoryPool.Put(l.memories)
	}
	if l.into != nil {
		clear((*l.into)[:cap(*l.into)])
		signalsPool.Put(l.into)
	}
	l.candidates, l.memories, l.into = nil, nil, nil
}

// loadCandidates merges the lanes and reads the memories that the predicate
// accepts. The others are dropped. The candidates are valid until the lanes are released.
func (r *Recaller) loadCandidates(ctx context.Context, l *lanes, p memory.Predicate) ([]*candidate, error) {
	merged := mergedPool.Get().(map[memory.ID]*candidate)
	defer mergedPool.Put(merged)
	defer clear(merged)
	ids := l.merge(merged)
	if len(ids) == 0 {
		return nil, nil
	}
	l.memories = memoryPool.Get().(*[]memory.Memory)
	visible, err := r.src.AppendVisible(ctx, (*l.memories)[:0], ids, p)
	if err != nil {
		return nil, fmt.Errorf("read candidates: %w", err)
	}
	*l.memories = visible
	marks := marksPool.Get().(notation.Marks)
	defer marksPool.Put(marks)
	found := make([]*candidate, 0, len(visible))
	for i := range visible {
		if c := merged[visible[i].ID]; c != nil {
			c.Memory = &visible[i]
			c.Validity = marks.Of(c.Memory)
			found = append(found, c)
		}
	}
	return found, nil
}

// merge joins the lanes' results into one candidate a memory. It returns the memories in the
// order in which the lanes found them.
func (l *lanes) merge(merged map[memory.ID]*candidate) (ids []memory.ID) {
	limit := len(l.text.found) + len(l.vector.found) + len(l.aboutSubject) + len(l.writtenThen)
	ids = make([]memory.ID, 0, len(l.signals)+len(l.aboutSubject)+len(l.writtenThen))
	l.candidates = candidatePool.Get().(*[]candidate)
	all := slices.Grow((*l.candidates)[:0], limit) // it never moves: the map points to its elements
	defer func() { *l.candidates = all }()
	entry := func(id memory.ID) *candidate {
		c := merged[id]
		if c == nil {
			all = append(all, candidate{})
			c = &all[len(all)-1]
			merged[id], ids = c, append(ids, id)
		}
		return c
	}
	for _, found := range l.text.found {
		c := entry(found.ID)
		c.TextScore = found.Score
	}
	for _, found := range l.vector.found {
		c := entry(found.ID)
		c.vectorScore = found.Score
	}
	for _, s := range l.aboutSubject {
		c := entry(s.ID)
		c.Signals, c.TextScore = s, clampUnit(s.Score)
	}
	for i, id := range l.writtenThen {
		c := entry(id)
		c.writtenThen, c.Signals.ID = i+1, id
	}
	for _, s := range l.signals {
		if c := merged[s.ID]; c != nil {
			c.Signals, c.TextScore = s, clampUnit(s.Score)
		}
	}
	return ids
}
