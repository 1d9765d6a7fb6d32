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

// FilterVisible returns a filter that passes the given memories. It is for an index
// that was made for one query, whose predicate SQL has evaluated.
func (x *Index) FilterVisible(p memory.Predicate, visible map[memory.ID]bool) Filter {
	f := Filter{matches: func(d int32) bool { return visible[x.docs[d].id] }, hidden: x.hiddenFrom(&p)}
	if len(p.IDs) > 0 {
		f.restrict(x.docsOf(p.IDs))
	}
	return f
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
	test, verdicts := x.newDocTest(p), make([]uint8, len(x.attributeSets))
	return func(d int32) bool {
		v := &verdicts[x.attributeIDs[d]]
		if *v == verdictUnknown {
			switch a := &x.docs[d].attributes.attributes; {
			case !a.match(p):
				*v = verdictNo
			case test.needed || p.Injectable && a.mayEnd:
				*v = verdictDepends
			default:
				*v = verdictYes
			}
		}
		return *v == verdictYes || *v == verdictDepends && test.matches(&x.docs[d])
	}
}

// match reports whether documents with these attributes can match a predicate.
func (a *attributes) match(p *memory.Predicate) bool {
	switch {
	case p.Forgotten == memory.Exclude && a.forgotten,
		p.Forgotten == memory.Only && !a.forgotten,
		p.Tier != "" && a.tier != p.Tier,
		p.Tier == "" && !p.Archive && a.tier == memory.TierArchive,
		p.Type != "" && a.memoryType != p.Type,
		p.Category != "" && a.category != p.Category,
		p.Scope != "" && a.scope != "" && a.scope != memory.ScopeGlobal && a.scope != p.Scope,
		!a.belongsTo(p.Users),
		p.Pinned && !a.pinned,
		p.Injectable && !a.injectable():
		return false
	}
	return true
}

// injectable reports whether memories with these attributes may enter a prompt.
func (a *attributes) injectable() bool {
	return !a.isWithheld() && a.tier != memory.TierArchive
}

// isWithheld reports whether a person keeps memories with these attributes from models.
func (a *attributes) isWithheld() bool {
	return a.forgotten || a.private || a.trust == memory.TrustQuarantined || a.importanceLabel == memory.ImportanceIgnore
}

// belongsTo reports whether memories with these attributes are of one of some users.
// Without users it is true of all.
func (a *attributes) belongsTo(users []string) bool {
	return len(users) == 0 || slices.Contains(users, a.user)
}

// docTest is the part of a predicate that depends on fields of each document.
type docTest struct {
	*memory.Predicate
	index                     *Index
	needed                    bool // for every document, not only for those that may end
	since, until, asOf, endBy millis
	expiredBy, unusedFrom     millis
	tag, entity               string
	path                      glob.Pattern
}

func (x *Index) newDocTest(p *memory.Predicate) docTest {
	return docTest{Predicate: p, index: x,
		needed: !p.Since.IsZero() || !p.Until.IsZero() || !p.AsOf.IsZero() || p.Tag != "" || p.Entity != "" || p.Path != "" ||
			!p.ExpiredBy.IsZero() || !p.UnusedFrom.IsZero(),
		since: toMillis(p.Since), until: toMillis(p.Until), asOf: toMillis(p.AsOf), endBy: endBy(p),
		expiredBy: toMillis(p.ExpiredBy), unusedFrom: toMillis(p.UnusedFrom),
		tag: asciiLower(strings.TrimPrefix(p.Tag, "#")), entity: asciiLower(p.Entity), path: glob.Compile(p.Path)}
}

// endBy returns the time by which memories have expired for a predicate, or 0 for none.
func endBy(p *memory.Predicate) millis {
	if !p.AsOf.IsZero() {
		return toMillis(p.AsOf)
	}
	return toMillis(p.Now)
}

// matches reports whether a document passes. Without a time, whatever expires at all
// has expired.
func (t *docTest) matches(d *doc) bool {
	switch {
	case !t.Since.IsZero() && d.createdAt < t.since,
		!t.Until.IsZero() && d.createdAt >= t.until,
		!t.AsOf.IsZero() && d.createdAt > t.asOf,
		!t.ExpiredBy.IsZero() && (d.expiresAt == 0 || d.expiresAt > t.expiredBy),
		!t.UnusedFrom.IsZero() && max(d.createdAt, d.editedAt, d.lastAccessedAt) > t.unusedFrom,
		t.Injectable && (t.hasExpired(d) || t.isSuperseded(d)),
		t.Tag != "" && !slices.ContainsFunc(d.tags, func(tag string) bool { return asciiLower(tag) == t.tag }),
		t.Entity != "" && !slices.ContainsFunc(d.entities, func(name string) bool { return asciiLower(name) == t.entity }),
		t.Path != "" && !t.path.Match(d.path):
		return false
	}
	return true
}

func (t *docTest) hasExpired(d *doc) bool {
	return d.expiresAt != 0 && (t.endBy == 0 || d.expiresAt <= t.endBy)
}

// maxSuccessors ends a search in memories that replace each other.
const maxSuccessors = 50

// isSuperseded reports whether a memory that the request may get replaces a document.
// [superseded.By] says the same in SQL.
func (t *docTest) isSuperseded(d *doc) bool {
	for range maxSuccessors {
		if d.supersededBy == nil {
			return false
		}
		next, known := t.index.docIDs[*d.supersededBy]
		if !known {
			return true
		}
		if d = &t.index.docs[next]; t.mayGet(d) {
			return true
		}
	}
	return false
}

// mayGet reports whether the request may get a document, whatever it filters by and even
// if it is in ARCHIVE.
func (t *docTest) mayGet(d *doc) bool {
	a := &d.attributes.attributes
	return !a.isWithheld() && a.belongsTo(t.Users) && (t.Scope == "" || a.scope.Matches(t.Scope)) && !t.hasExpired(d) && (t.asOf == 0 || d.createdAt <= t.asOf)
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
