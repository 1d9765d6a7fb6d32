package index

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// filling puts everything on an empty shelf. It goes through each table once, in
// the order in which its rows lie on disk: to look for each memory's rows takes
// three times as long. Another goroutine cuts the texts into words meanwhile.
type filling struct {
	s     *shelf
	from  *sqlite.RawReader
	pause func(context.Context) error // between rows
	read  int                         // rows

	numbers []int32        // 0, 1, 2 …: what leaves' lists are cut from
	texts   map[hash]int32 // what is embedded → the last leaf that holds it
	same    []int32        // by leaf: the one before that holds the same, or none
	kinds   map[string]*alikeness
	heads   map[string]head
	cutter  cutter
	batch   []uncut
}

// head is what the headings above a memory are.
type head struct {
	key  string
	list memory.List[string]
}

// fill shelves all memories.
func (db *DB) fill(ctx context.Context, s *shelf, m model) (err error) {
	from, err := db.sql.OpenRawReader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	f := &filling{s: s, from: from, pause: db.lanes.giveWay(), texts: map[hash]int32{}, kinds: map[string]*alikeness{}, heads: map[string]head{}}
	f.cutter.s = s
	if err := f.chunks(ctx); err != nil {
		return err
	}
	s.runs = f.cutter.runs
	s.admit()
	s.enterAll()
	for at := range s.memories {
		m := &s.memories[at]
		if m.alike == nil { // a chunk that belongs nowhere: nobody has counted who says it
			m.speaker = ""
		}
		if m.alike == nil || m.path == "" {
			s.drop(m.id)
		}
	}
	for path := range s.files {
		s.link(path)
	}
	if m.dim == 0 {
		return nil
	}
	return f.vectors(ctx, m)
}

// each reads rows, and gives way to questions now and then.
func (f *filling) each(ctx context.Context, query string, row func([]driver.Value) error, args ...driver.NamedValue) error {
	const now, then = 64, 0 // some 0.1 ms
	return f.from.Each(ctx, query, args, func(v []driver.Value) error {
		if f.read++; f.read%now == then {
			if err := f.pause(ctx); err != nil {
				return err
			}
		}
		return row(v)
	})
}

// chunks reads all but the vectors: chunks first, in the order of the files, so
// that neighbours come to lie side by side, then what is to be said of their
// memories.
func (f *filling) chunks(ctx context.Context) error {
	n := 0
	if err := f.from.Each(ctx, "SELECT count(*) FROM chunks", nil, func(v []driver.Value) error {
		n = int(numberIn(v[0]))
		return nil
	}); err != nil {
		return err
	}
	f.reserve(n)
	var cutting sync.WaitGroup
	cutting.Go(f.cutter.cutAll)
	err := f.each(ctx, "SELECT id, memory_id, text, context, parts, speaker, fingerprint FROM chunks ORDER BY id", f.chunk)
	f.hand()
	if err == nil {
		err = f.each(ctx, shownColumns, f.memory)
	}
	if err == nil {
		err = f.each(ctx, "SELECT memory_id, path, ordinal, line_start, line_end, heading FROM places", f.place)
	}
	close(f.cutter.texts)
	cutting.Wait()
	return err
}

// reserve makes room for so many chunks, to nearly each of which belongs a
// memory.
func (f *filling) reserve(n int) {
	s := f.s
	f.numbers, f.same = make([]int32, n), make([]int32, 0, n)
	for i := range f.numbers {
		f.numbers[i] = int32(i)
	}
	s.memories, s.near, s.within = slices.Grow(s.memories, n), slices.Grow(s.near, n), slices.Grow(s.within, n)
	s.forgotten, s.kinds, s.several = slices.Grow(s.forgotten, n), slices.Grow(s.kinds, n), slices.Grow(s.several, n)
	s.slots = make(map[memory.ID]int32, n)
	s.owners, s.sizes, s.lengths = slices.Grow(s.owners, n), slices.Grow(s.sizes, n), slices.Grow(s.lengths, n)
	s.vectors.reserve(n)
	f.cutter.begin(n)
}

// chunk gives a chunk its leaf, and the first of a memory this its slot.
func (f *filling) chunk(v []driver.Value) error {
	s, id, text := f.s, memory.ID(textIn(v[1])), textIn(v[2])
	leaf := int32(len(s.owners))
	at := int32(len(s.memories) - 1)
	if at < 0 || s.memories[at].id != id {
		var known bool
		if at, known = s.slots[id]; !known {
			at = s.slot()
			s.slots[id] = at
			s.memories[at] = shelved{id: id, speaker: s.shared.word(textIn(v[5])), prev: none, next: none}
		}
	}
	m := &s.memories[at]
	m.asks = memory.IsQuestion(text)
	m.size += len(text)
	if n := len(m.leaves); n == 0 || m.leaves[0] == leaf-int32(n) { // they lie together
		m.leaves = f.numbers[leaf-int32(n) : leaf+1 : leaf+1]
	} else {
		m.leaves = append(m.leaves, leaf)
	}
	s.owners, s.sizes, s.lengths = append(s.owners, at), append(s.sizes, 0), append(s.lengths, 0)
	s.vectors.grow()
	key, before := hashIn(v[6]), none
	if other, known := f.texts[key]; known {
		before = other
	}
	f.texts[key], f.same = leaf, append(f.same, before)
	if f.batch = append(f.batch, uncut{text, textIn(v[3]), textIn(v[4])}); len(f.batch) == cap(f.batch) {
		f.hand()
	}
	return nil
}

// hand lets the other goroutine cut what was read.
func (f *filling) hand() {
	const many = 256 // chunks: some milliseconds' work
	if len(f.batch) > 0 {
		f.cutter.texts <- f.batch
	}
	f.batch = make([]uncut, 0, many)
}

// shownColumns read what the view of what is visible has of a memory, but for its
// place. What most have alike is one value, and an empty list is none.
const shownColumns = `SELECT id, text, json_array(tier, memory_type, category, scope, importance_label, trust_tier, source,
	source_kind, lang, tier_reason, pinned || '', do_not_inject || '', private || '',
	(superseded_by IS NOT NULL OR expires_at IS NOT NULL) || ''),
	nullif(tags, '[]'), nullif(use_days, '[]'), source_ref, superseded_by, importance, use_count,
	created_at, edited_at, last_accessed_at, expires_at, fingerprint, chunks_hash
	FROM memories WHERE missing_since IS NULL`

func (f *filling) memory(v []driver.Value) error {
	s := f.s
	at, known := s.slots[memory.ID(textIn(v[0]))]
	if !known {
		return nil // nothing of it is indexed
	}
	alike, err := f.kind(textIn(v[2]))
	if err != nil {
		return err
	}
	m := &s.memories[at]
	m.shown = shown{text: textIn(v[1]), alike: alike,
		tags: s.shared.list(words(textIn(v[3]))), days: s.shared.list(words(textIn(v[4]))), uses: int(numberIn(v[8])),
		created: millis(numberIn(v[9])), edited: millis(numberIn(v[10])), accessed: millis(numberIn(v[11])), expire: millis(numberIn(v[12])),
		fingerprint: memory.Fingerprint(hashIn(v[13]))}
	m.importance, _ = v[7].(float64)
	if ref, ok := v[5].(string); ok && ref != "" {
		m.ref = &ref
	}
	if by, ok := v[6].(string); ok && by != "" {
		id := memory.ID(by)
		m.superseded = &id
	}
	m.sum = hashIn(v[14])
	s.kinds[at], s.most, s.several[at] = alike.number, max(s.most, alike.number), len(m.leaves) > 1
	s.hide(at, alike.forgotten)
	if m.speaker != "" {
		s.speakers[m.speaker]++
	}
	return nil
}

// kind reads what many memories have alike.
func (f *filling) kind(as string) (*alikeness, error) {
	if have := f.kinds[as]; have != nil {
		return have, nil
	}
	var v [14]string
	if err := json.Unmarshal([]byte(as), &v); err != nil {
		return nil, err
	}
	have := f.s.shared.kind(traits{memory.Tier(v[0]), memory.Type(v[1]), memory.Category(v[2]), memory.Scope(v[3]),
		memory.ImportanceLabel(v[4]), memory.TrustTier(v[5]), memory.Source(v[6]), v[7], v[8], v[9], v[10] == "1", v[11] == "1", v[12] == "1", v[13] == "1"})
	f.kinds[as] = have
	return have, nil
}

func (f *filling) place(v []driver.Value) error {
	s := f.s
	at, known := s.slots[memory.ID(textIn(v[0]))]
	if !known || s.memories[at].alike == nil {
		return nil
	}
	m, raw := &s.memories[at], textIn(v[5])
	h, known := f.heads[raw]
	if !known {
		all := words(raw)
		h = head{s.shared.word(list(all)), s.shared.list(all)}
		f.heads[raw] = h
	}
	m.heading, m.headings = h.key, h.list
	m.path, m.ordinal = s.shared.word(textIn(v[1])), int(numberIn(v[2]))
	m.lineStart, m.lineEnd = int32(numberIn(v[3])), int32(numberIn(v[4]))
	s.files[m.path] = append(s.files[m.path], at)
	return nil
}

// vectors reads those of one model, some of which are of texts that are gone.
func (f *filling) vectors(ctx context.Context, m model) error {
	var numbers []float32
	return f.each(ctx, "SELECT fingerprint, vector FROM embeddings WHERE model = ?", func(v []driver.Value) error {
		leaf, known := f.texts[hashIn(v[0])]
		if !known {
			return nil
		}
		stored, _ := v[1].([]byte)
		numbers = floatsIn(numbers[:0], stored)
		for ; leaf != none; leaf = f.same[leaf] {
			if f.s.owners[leaf] != none {
				f.s.vectors.set(leaf, quantise(numbers, m.dim))
			}
		}
		return nil
	}, driver.NamedValue{Ordinal: 1, Value: m.name})
}
