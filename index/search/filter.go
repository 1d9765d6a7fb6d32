package search

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/glob"
)

// Filter decides which documents may answer one query. It is valid until the index
// changes.
type Filter struct {
	matches func(doc int32) bool

	restricted bool    // only the documents in docs can match
	docs       []int32 // these may still fail matches
	hidden     hidden
}

// maxRestricted is the number of forgotten documents up to which they are listed.
// Comparing more one by one costs as much as a search through all.
const maxRestricted = 2000

// Compile compiles a predicate. The filter passes what the same predicate passes in
// SQL, except that the index has no missing memories.
func (x *Index) Compile(p memory.Predicate) Filter {
	f := Filter{matches: x.matcher(&p), hidden: x.hiddenFrom(&p).counted(x)}
	switch {
	case len(p.IDs) > 0:
		f.restrict(x.docsOf(p.IDs))
	case p.Forgotten == memory.Only && x.forgottenCount <= maxRestricted:
		f.restrict(x.forgottenDocs())
	}
	return f
}

// Count returns how many documents pass a filter.
func (x *Index) Count(f Filter) (n int) {
	if f.restricted {
		for _, d := range f.docs {
			if f.matches(d) {
				n++
			}
		}
		return n
	}
	for d := range x.docs {
		if x.docs[d].attributes != nil && f.matches(int32(d)) { // without attributes: a place for the next document
			n++
		}
	}
	return n
}

// FilterIDs returns a filter that passes the given memories. It is for an index that was
// made for one query, whose predicate SQL has evaluated, and that has no hidden memories.
func (x *Index) FilterIDs(passing map[memory.ID]bool) Filter {
	return Filter{matches: func(d int32) bool { return passing[x.docs[d].id] }}
}

func (f *Filter) restrict(docs []int32) { f.restricted, f.docs = true, docs }

// docsOf returns the documents of those memories that the index has.
func (x *Index) docsOf(ids []memory.ID) (docs []int32) {
	for _, id := range ids {
		if d, known := x.docIDs[id]; known {
			docs = append(docs, d)
		}
	}
	return docs
}

func (x *Index) forgottenDocs() (docs []int32) {
	for d, forgotten := range x.forgotten {
		if len(docs) == x.forgottenCount {
			break
		}
		if forgotten {
			docs = append(docs, int32(d))
		}
	}
	return docs
}

// The result of a predicate for all documents with the same attributes.
const (
	verdictUnknown = iota
	verdictNo
	verdictYes
	verdictDepends // on fields of the document
)

// matcher returns the test of one query. It tests each combination of attributes once.
func (x *Index) matcher(p *memory.Predicate) func(doc int32) bool {
	if p.Missing == memory.Only {
		return func(int32) bool { return false }
	}
	test, verdicts, state := x.newDocTest(p), make([]uint8, len(x.attributeSets)), memory.Memory{}
	return func(d int32) bool {
		v := &verdicts[x.attributeIDs[d]]
		if *v == verdictUnknown {
			switch a := &x.docs[d].attributes.attributes; {
			case !a.match(p, &state):
				*v = verdictNo
			case test.needed || p.Model && a.mayEnd:
				*v = verdictDepends
			default:
				*v = verdictYes
			}
		}
		return *v == verdictYes || *v == verdictDepends && test.matches(&x.docs[d])
	}
}

// match reports whether documents with these attributes can match a predicate. It changes state.
func (a *attributes) match(p *memory.Predicate, state *memory.Memory) bool {
	a.setState(state)
	switch {
	case p.Forgotten == memory.Exclude && (a.forgotten || a.sourceHidden != ""),
		p.Forgotten == memory.Only && !a.forgotten,
		p.Tier != "" && a.tier != p.Tier,
		p.Tier == "" && !p.Archive && a.tier == memory.TierArchive,
		p.Type != "" && a.memoryType != p.Type,
		p.Category != "" && a.category != p.Category,
		p.Pinned && !a.pinned,
		p.Hides(state, nil) != "":
		return false
	}
	return true
}

// setState sets the fields of a memory by which a view hides memories with these attributes.
func (a *attributes) setState(m *memory.Memory) {
	m.Tier, m.Scope, m.User, m.ImportanceLabel, m.Trust, m.Forgotten, m.Private, m.SourceHidden = a.tier, a.scope, a.user, a.importanceLabel, a.trust, a.forgotten, a.private, a.sourceHidden
}

// state returns a memory with all by which a view hides a document.
func (d *doc) state() memory.Memory {
	m := memory.Memory{SupersededBy: d.supersededBy, CreatedAt: d.createdAt.time()}
	if d.expiresAt != 0 {
		m.ExpiresAt = new(d.expiresAt.time())
	}
	d.attributes.setState(&m)
	return m
}

// find returns the state of the memory with an id.
func (x *Index) find(id memory.ID) (*memory.Memory, bool) {
	d, known := x.docIDs[id]
	if !known {
		return nil, false
	}
	return new(x.docs[d].state()), true
}

// docTest is the part of a predicate that depends on fields of each document.
type docTest struct {
	*memory.Predicate
	index                 *Index
	needed                bool // for every document, not only for those that may end
	since, until, asOf    millis
	expiredBy, unusedFrom millis
	tag                   string
	path                  glob.Filter
	tested                memory.Memory // here, so that no document needs memory of its own
}

func (x *Index) newDocTest(p *memory.Predicate) docTest {
	return docTest{Predicate: p, index: x,
		needed: !p.Since.IsZero() || !p.Until.IsZero() || !p.AsOf.IsZero() || p.Tag != "" || p.Path != "" ||
			!p.ExpiredBy.IsZero() || !p.UnusedFrom.IsZero() || p.TextOnly,
		since: toMillis(p.Since), until: toMillis(p.Until), asOf: toMillis(p.AsOf),
		expiredBy: toMillis(p.ExpiredBy), unusedFrom: toMillis(p.UnusedFrom),
		tag: asciiLower(strings.TrimPrefix(p.Tag, "#")), path: glob.Compile(p.Path)}
}

// endBy returns the time by which memories have expired for a predicate, or 0 for none.
func endBy(p *memory.Predicate) millis {
	return toMillis(p.At())
}

// matches reports whether a document passes.
func (t *docTest) matches(d *doc) bool {
	switch {
	case !t.Since.IsZero() && d.createdAt < t.since,
		!t.Until.IsZero() && d.createdAt >= t.until,
		!t.AsOf.IsZero() && d.createdAt > t.asOf,
		!t.ExpiredBy.IsZero() && (d.expiresAt == 0 || d.expiresAt > t.expiredBy),
		!t.UnusedFrom.IsZero() && max(d.createdAt, d.editedAt, d.lastAccessedAt) > t.unusedFrom,
		t.Model && d.attributes.mayEnd && t.hides(d),
		t.Tag != "" && !slices.ContainsFunc(d.tags.elements(), func(tag string) bool { return asciiLower(tag) == t.tag }),
		t.Path != "" && !t.path.Match(d.path),
		t.TextOnly && d.ordinal == memory.PropertiesOrdinal:
		return false
	}
	return true
}

func (t *docTest) hides(d *doc) bool {
	t.tested = d.state()
	return t.Hides(&t.tested, t.index.find) != ""
}

// asciiLower equals lower() in SQLite.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
