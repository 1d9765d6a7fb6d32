package index

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// shown is what the view of what is visible has of a memory, kept small: what
// many have alike is held once.
type shown struct {
	text                              string
	alike                             *alikeness
	headings, tags, days              memory.List[string]
	ref                               *string
	superseded                        *memory.ID
	lineStart, lineEnd                int32
	created, edited, accessed, expire millis
	uses                              int
	importance                        float64
	fingerprint                       memory.Fingerprint
}

// alikeness is what is the same of many memories, numbered.
type alikeness struct {
	traits
	number int32
}

type traits struct {
	tier     memory.Tier
	kind     memory.Type
	category memory.Category
	scope    memory.Scope
	label    memory.ImportanceLabel
	trust    memory.TrustTier
	source   memory.Source

	sourceKind, lang, reason   string
	pinned, forgotten, private bool
	ends                       bool // it is superseded, or expires some day
}

// sharing holds once what many memories have.
type sharing struct {
	words map[string]string
	lists map[string]memory.List[string]
	alike map[traits]*alikeness
}

func newSharing() sharing {
	return sharing{words: map[string]string{}, lists: map[string]memory.List[string]{}, alike: map[traits]*alikeness{}}
}

func (s *sharing) word(w string) string {
	if have, known := s.words[w]; known {
		return have
	}
	s.words[w] = w
	return w
}

func (s *sharing) list(l memory.List[string]) memory.List[string] {
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

// keep makes what is kept of a row of the view.
func (s *sharing) keep(m *memory.Memory) shown {
	t := traits{m.Tier, m.Type, m.Category, m.Scope, m.ImportanceLabel, m.Trust, m.Source,
		m.SourceKind, m.Lang, m.TierReason, m.Pinned, m.Forgotten, m.Private, m.SupersededBy != nil || m.ExpiresAt != nil}
	return shown{text: m.Text, alike: s.kind(t), headings: s.list(m.Heading), tags: s.list(m.Tags), days: s.list(m.UseDays),
		ref: m.SourceRef, superseded: m.SupersededBy, lineStart: int32(m.LineStart), lineEnd: int32(m.LineEnd),
		created: toMillis(m.CreatedAt), edited: pointed(m.EditedAt), accessed: pointed(m.LastAccessedAt), expire: pointed(m.ExpiresAt),
		uses: m.UseCount, importance: m.Importance, fingerprint: m.Fingerprint}
}

func (s *sharing) kind(t traits) *alikeness {
	have := s.alike[t]
	if have == nil {
		have = &alikeness{t, int32(len(s.alike))}
		s.alike[t] = have
	}
	return have
}

func pointed(t *time.Time) millis {
	if t == nil {
		return 0
	}
	return toMillis(*t)
}

// memory is the row of the view again. Its lists are the shelf's own: who adds to
// one gets another, and nobody changes what stands in them.
func (s *shelf) memory(at int32) memory.Memory {
	m := &s.memories[at]
	a := m.alike
	return memory.Memory{ID: m.id, Text: m.text, Tier: a.tier, Type: a.kind, Category: a.category, Scope: a.scope,
		Pinned: a.pinned, Forgotten: a.forgotten, Private: a.private, Importance: m.importance, ImportanceLabel: a.label,
		Trust: a.trust, Source: a.source, SourceKind: a.sourceKind, SourceRef: m.ref, Lang: a.lang,
		Tags: slices.Clip(m.tags), SupersededBy: m.superseded, Path: m.path, LineStart: int(m.lineStart), LineEnd: int(m.lineEnd),
		Heading: slices.Clip(m.headings), CreatedAt: m.created.time(), EditedAt: m.edited.pointer(),
		LastAccessedAt: m.accessed.pointer(), UseCount: m.uses, UseDays: slices.Clip(m.days), ExpiresAt: m.expire.pointer(),
		TierReason: a.reason, Fingerprint: m.fingerprint}
}

// bytes is about how much memory a shelf takes.
func (s *shelf) bytes() (n int64) {
	const memoryBytes, leafBytes = 440, 64
	v := &s.vectors
	n = int64(len(s.memories)*memoryBytes + len(s.owners)*leafBytes + 2*cap(v.steps) + 8*cap(v.codes))
	for _, m := range s.memories {
		n += int64(len(m.text) + len(m.id))
	}
	for i, list := range s.lists {
		n += int64(8*cap(list) + 2*len(s.words[i]) + 64)
	}
	return n + 4*int64(s.tokens)
}
