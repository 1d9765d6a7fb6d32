package search

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/alignment"
)

// doc is a document. Values that many documents share are held once.
type doc struct {
	id         memory.ID // empty: the number is free
	prev, next int32     // neighbours under the same heading, or none
	chunks     []int32
	textBytes  int32
	isQuestion bool   // the text ends with a question mark
	speaker    string // the first name: see FirstName

	text                                           string
	attributes                                     *attributeSet
	path                                           string
	ordinal, lineStart, lineEnd, useCount          int32
	heading, tags, entities, useDays               list
	tierReason                                     string // not an attribute: it has a date, so there are many
	sourceRef                                      *string
	supersededBy                                   *memory.ID
	createdAt, editedAt, lastAccessedAt, expiresAt millis
	importance                                     float64
	fingerprint                                    memory.Fingerprint
	sketch                                         uint64
	contentHash                                    [32]byte // of its chunks
}

// Place is where a memory is.
type Place struct {
	Path               string
	Ordinal            int // among the memories of its file
	LineStart, LineEnd int
	Heading            []string
}

// Position is the part of a place that changes when other memories of its file do.
type Position struct {
	ID                          memory.ID
	Ordinal, LineStart, LineEnd int
}

// Move sets the positions of documents that moved together with their neighbours. It leaves
// out changed memories, which [Index.Replace] links to other neighbours.
func (x *Index) Move(to []Position, changed []memory.ID) {
	left := make(map[memory.ID]bool, len(changed))
	for _, id := range changed {
		left[id] = true
	}
	for _, p := range to {
		if d, known := x.docIDs[p.ID]; known && !left[p.ID] {
			stored := &x.docs[d]
			stored.ordinal, stored.lineStart, stored.lineEnd = int32(p.Ordinal), int32(p.LineStart), int32(p.LineEnd)
		}
	}
}

// newDocOf returns a document, without its chunks.
func (x *Index) newDocOf(in *Document) doc {
	m := &in.Memory
	d := doc{id: m.ID, prev: none, next: none, contentHash: in.ContentHash, speaker: x.interned.str(FirstName(in.Speaker))}
	for i := range in.Chunks {
		d.addText(in.Chunks[i].Text)
	}
	d.setFields(m, &x.interned)
	d.setPlace(&Place{m.Path, in.Ordinal, m.LineStart, m.LineEnd, m.Heading}, &x.interned)
	d.sketch = alignment.ReadUnder(func() []string { return chunker.Topics(m.Heading) }, m.Text).Sketch()
	return d
}

// addText counts the text of the next chunk.
func (d *doc) addText(text string) {
	d.isQuestion = memory.IsQuestion(text)
	d.textBytes += int32(len(text))
}

// setFields takes over all that is known of a memory except its place.
func (d *doc) setFields(m *memory.Memory, i *interner) {
	d.text, d.attributes, d.tierReason = m.Text, i.attributesOf(m), i.str(m.TierReason)
	d.tags, d.entities, d.useDays = i.list(m.Tags), i.list(m.Entities), i.list(m.UseDays)
	d.sourceRef, d.supersededBy = m.SourceRef, m.SupersededBy
	d.createdAt, d.editedAt = toMillis(m.CreatedAt), optionalMillis(m.EditedAt)
	d.lastAccessedAt, d.expiresAt = optionalMillis(m.LastAccessedAt), optionalMillis(m.ExpiresAt)
	d.useCount, d.importance, d.fingerprint = int32(m.UseCount), m.Importance, m.Fingerprint
}

func (d *doc) setPlace(p *Place, i *interner) {
	d.path, d.ordinal, d.heading = i.str(p.Path), int32(p.Ordinal), i.list(p.Heading)
	d.lineStart, d.lineEnd = int32(p.LineStart), int32(p.LineEnd)
}

// isAt reports whether another version of a document has the same neighbours.
func (d *doc) isAt(other *doc) bool {
	return d.path == other.path && d.ordinal == other.ordinal && d.heading == other.heading && d.textBytes == other.textBytes
}

// memory returns a document as the memory that it was made from. The lists belong to
// the index: a caller that appends to one gets a copy, and must not change elements.
func (d *doc) memory(t *times) memory.Memory {
	a := d.attributes
	return memory.Memory{ID: d.id, Text: d.text, Tier: a.tier, Type: a.memoryType, Category: a.category, Scope: a.scope, User: a.user,
		Pinned: a.pinned, Forgotten: a.forgotten, Private: a.private, Importance: d.importance, ImportanceLabel: a.importanceLabel,
		Trust: a.trust, Source: a.source, SourceKind: a.sourceKind, SourceRef: d.sourceRef, SourceHidden: a.sourceHidden, Lang: a.lang,
		Tags: d.tags.elements(), Entities: d.entities.elements(), SupersededBy: d.supersededBy, Path: d.path, LineStart: int(d.lineStart), LineEnd: int(d.lineEnd),
		Heading: d.heading.elements(), IsProperties: d.ordinal == memory.PropertiesOrdinal, CreatedAt: d.createdAt.time(), EditedAt: t.pointer(d.editedAt),
		LastAccessedAt: t.pointer(d.lastAccessedAt), UseCount: int(d.useCount), UseDays: d.useDays.elements(), ExpiresAt: t.pointer(d.expiresAt),
		TierReason: d.tierReason, Fingerprint: d.fingerprint, Sketch: d.sketch}
}

// AppendDocuments appends the memories with some ids that pass a filter, in the order of
// the ids and each once. It reports false if the index lacks one of them.
func (x *Index) AppendDocuments(to []memory.Memory, ids []memory.ID, f Filter) (all []memory.Memory, complete bool) {
	seen, t := make(map[int32]bool, len(ids)), times{}
	all = slices.Grow(to, len(ids))
	for _, id := range ids {
		d, known := x.docIDs[id]
		if !known {
			return nil, false
		}
		if !seen[d] && f.matches(d) {
			all = append(all, x.docs[d].memory(&t))
		}
		seen[d] = true
	}
	return all, true
}

// Speakers returns the first names of the speakers of those documents that exist for a
// predicate.
func (x *Index) Speakers(p memory.Predicate) []string {
	if len(x.speakers) == 0 {
		return nil
	}
	seen, hidden := map[string]bool{}, x.hiddenFrom(&p)
	var names []string
	for of := range x.speakers {
		if hidden.attributes != nil && hidden.attributes[of.attributesID] == hidesAll {
			continue
		}
		if !seen[of.name] {
			seen[of.name] = true
			names = append(names, of.name)
		}
	}
	return names
}

// FirstName returns the first name of a speaker in lower case, as people use it in
// questions.
func FirstName(speaker string) string {
	first, _, _ := strings.Cut(strings.ToLower(speaker), " ")
	return first
}

// Bytes estimates the memory that the index takes.
func (x *Index) Bytes() (n int64) {
	const docBytes, chunkBytes = 304, 64
	n = int64(len(x.docs)*docBytes + len(x.chunkDoc)*chunkBytes)
	for i := range x.sets {
		n += int64(2*cap(x.sets[i].steps) + 8*cap(x.sets[i].codes))
	}
	for i := range x.docs {
		n += int64(len(x.docs[i].text) + len(x.docs[i].id))
	}
	for token, list := range x.postings {
		n += int64(8*cap(list) + 2*len(x.tokens[token]) + 64)
	}
	return n + 4*int64(x.tokenCount)
}

// attributeSet is a combination of attributes that documents share, with its number.
type attributeSet struct {
	attributes
	id int32
}

// attributes are the fields of a memory with few different values.
type attributes struct {
	tier            memory.Tier
	memoryType      memory.Type
	category        memory.Category
	scope           memory.Scope
	user            string
	importanceLabel memory.ImportanceLabel
	trust           memory.TrustTier
	source          memory.Source

	sourceKind, lang           string
	sourceHidden               string
	pinned, forgotten, private bool
	mayEnd, expires            bool // it is superseded or has a time of expiry; it has one
}

// interner returns equal values as the same one. It remembers the last value, because
// memories that are read one after another are often alike.
type interner struct {
	strings    map[string]string
	lists      map[string]list
	attributes map[attributes]*attributeSet

	lastList       []string // as it was passed
	lastInterned   list
	lastAttributes *attributeSet
}

func newInterner() interner {
	return interner{strings: map[string]string{}, lists: map[string]list{}, attributes: map[attributes]*attributeSet{}}
}

func (i *interner) str(s string) string {
	if have, known := i.strings[s]; known {
		return have
	}
	i.strings[s] = s
	return s
}

func (i *interner) list(l []string) list {
	if len(l) == 0 {
		return list{}
	}
	if len(l) == len(i.lastList) && &l[0] == &i.lastList[0] {
		return i.lastInterned
	}
	key := strings.Join(l, "\x00")
	have, known := i.lists[key]
	if !known {
		have = list{new(memory.List[string](slices.Clip(l)))}
		i.lists[key] = have
	}
	i.lastList, i.lastInterned = l, have
	return have
}

// list is an interned list: equal ones are the same. The zero value is empty.
type list struct{ stored *memory.List[string] }

func (l list) elements() memory.List[string] {
	if l.stored == nil {
		return nil
	}
	return *l.stored
}

func (i *interner) attributesOf(m *memory.Memory) *attributeSet {
	a := attributes{m.Tier, m.Type, m.Category, m.Scope, m.User, m.ImportanceLabel, m.Trust, m.Source,
		m.SourceKind, m.Lang, m.SourceHidden, m.Pinned, m.Forgotten, m.Private, m.SupersededBy != nil || m.ExpiresAt != nil, m.ExpiresAt != nil}
	if i.lastAttributes != nil && i.lastAttributes.attributes == a {
		return i.lastAttributes
	}
	have := i.attributes[a]
	if have == nil {
		have = &attributeSet{a, int32(len(i.attributes))}
		i.attributes[a] = have
	}
	i.lastAttributes = have
	return have
}

// millis is a time in milliseconds since 1970, or 0 for none: a third of time.Time.
type millis int64

func toMillis(t time.Time) millis {
	if t.IsZero() {
		return 0
	}
	return millis(t.UnixMilli())
}

func optionalMillis(t *time.Time) millis {
	if t == nil {
		return 0
	}
	return toMillis(*t)
}

func (m millis) time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// times is memory for the times of many documents.
type times []time.Time

func (t *times) pointer(m millis) *time.Time {
	const slab = 64
	if m == 0 {
		return nil
	}
	if len(*t) == cap(*t) {
		*t = make(times, 0, slab)
	}
	*t = append(*t, m.time())
	return &(*t)[len(*t)-1]
}
