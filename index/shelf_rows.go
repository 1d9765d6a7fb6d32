package index

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// docFields is what the view of what is visible has of a memory, kept small: what
// many have alike is held once.
type docFields struct {
	text                                           string
	attributes                                     *attributeSet
	headings, tags, useDays                        memory.List[string]
	sourceRef                                      *string
	supersededBy                                   *memory.ID
	lineStart, lineEnd                             int32
	createdAt, editedAt, lastAccessedAt, expiresAt millis
	useCount                                       int
	importance                                     float64
	fingerprint                                    memory.Fingerprint
}

// attributeSet is what is the same of many memories, numbered.
type attributeSet struct {
	attributes
	id int32
}

type attributes struct {
	tier            memory.Tier
	memoryType      memory.Type
	category        memory.Category
	scope           memory.Scope
	importanceLabel memory.ImportanceLabel
	trust           memory.TrustTier
	source          memory.Source

	sourceKind, lang, tierReason string
	pinned, forgotten, private   bool
	mayEnd                       bool // it is superseded, or expires some day
}

// interner holds once what many memories have.
type interner struct {
	words      map[string]string
	lists      map[string]memory.List[string]
	attributes map[attributes]*attributeSet
}

func newInterner() interner {
	return interner{words: map[string]string{}, lists: map[string]memory.List[string]{}, attributes: map[attributes]*attributeSet{}}
}

func (s *interner) str(w string) string {
	if have, known := s.words[w]; known {
		return have
	}
	s.words[w] = w
	return w
}

func (s *interner) list(l memory.List[string]) memory.List[string] {
	if len(l) == 0 {
		return nil
	}
	key := strings.Join(l, "\x00")
	have, known := s.lists[key]
	if !known {
		have = l
		s.lists[key] = l
	}
	return have
}

// fields makes what is kept of a row of the view.
func (s *interner) fields(m *memory.Memory) docFields {
	t := attributes{m.Tier, m.Type, m.Category, m.Scope, m.ImportanceLabel, m.Trust, m.Source,
		m.SourceKind, m.Lang, m.TierReason, m.Pinned, m.Forgotten, m.Private, m.SupersededBy != nil || m.ExpiresAt != nil}
	return docFields{text: m.Text, attributes: s.attributeSet(t), headings: s.list(m.Heading), tags: s.list(m.Tags), useDays: s.list(m.UseDays),
		sourceRef: m.SourceRef, supersededBy: m.SupersededBy, lineStart: int32(m.LineStart), lineEnd: int32(m.LineEnd),
		createdAt: toMillis(m.CreatedAt), editedAt: optionalMillis(m.EditedAt), lastAccessedAt: optionalMillis(m.LastAccessedAt), expiresAt: optionalMillis(m.ExpiresAt),
		useCount: m.UseCount, importance: m.Importance, fingerprint: m.Fingerprint}
}

func (s *interner) attributeSet(t attributes) *attributeSet {
	have := s.attributes[t]
	if have == nil {
		have = &attributeSet{t, int32(len(s.attributes))}
		s.attributes[t] = have
	}
	return have
}

func optionalMillis(t *time.Time) millis {
	if t == nil {
		return 0
	}
	return toMillis(*t)
}

// memory is the row of the view again. Its lists are the shelf's own: who adds to
// one gets another, and nobody changes what stands in them.
func (x *searchIndex) memory(at int32) memory.Memory {
	m := &x.docs[at]
	a := m.attributes
	return memory.Memory{ID: m.id, Text: m.text, Tier: a.tier, Type: a.memoryType, Category: a.category, Scope: a.scope,
		Pinned: a.pinned, Forgotten: a.forgotten, Private: a.private, Importance: m.importance, ImportanceLabel: a.importanceLabel,
		Trust: a.trust, Source: a.source, SourceKind: a.sourceKind, SourceRef: m.sourceRef, Lang: a.lang,
		Tags: slices.Clip(m.tags), SupersededBy: m.supersededBy, Path: m.path, LineStart: int(m.lineStart), LineEnd: int(m.lineEnd),
		Heading: slices.Clip(m.headings), CreatedAt: m.createdAt.Time(), EditedAt: m.editedAt.Pointer(),
		LastAccessedAt: m.lastAccessedAt.Pointer(), UseCount: m.useCount, UseDays: slices.Clip(m.useDays), ExpiresAt: m.expiresAt.Pointer(),
		TierReason: a.tierReason, Fingerprint: m.fingerprint}
}

// bytes is about how much memory a shelf takes.
func (x *searchIndex) bytes() (n int64) {
	const memoryBytes, leafBytes = 440, 64
	v := &x.vectors
	n = int64(len(x.docs)*memoryBytes + len(x.chunkDoc)*leafBytes + 2*cap(v.steps) + 8*cap(v.codes))
	for _, m := range x.docs {
		n += int64(len(m.text) + len(m.id))
	}
	for i, list := range x.postings {
		n += int64(8*cap(list) + 2*len(x.tokens[i]) + 64)
	}
	return n + 4*int64(x.tokenCount)
}
