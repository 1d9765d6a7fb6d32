package memory

import "time"

// TermKind says how a term of a query is looked for.
type TermKind uint8

const (
	TermWord       TermKind = iota // stemmed by the keyword index
	TermIdentifier                 // an id, path, error code, version, address: as it stands
	TermCJK                        // a run of Han, Kana or Hangul, found at two characters too
)

// Term is one thing that a query asks for.
type Term struct {
	Text       string
	Kind       TermKind
	Expansions []Expansion // what a word counts as well, for less
}

// Expansion is a word that means nearly what another does. Weight is how nearly: 1
// is a form of the same word.
type Expansion struct {
	Text   string
	Weight float64
}

// Query is what was asked, parsed once. Lanes get it in this form and never as
// an expression in their own query language.
type Query struct {
	Text   string    // cleaned and clamped, for people and for the embedding
	Terms  []Term    // what the keyword lane looks for; stop words are gone
	Vector []float32 // of Text, unit length; nil where there is no embedding
	Model  string    // whose vector Vec is; lanes compare it with no other model's
}

// Predicate is a filter with its times resolved. The zero value lets through
// every visible memory that is not archived.
type Predicate struct {
	IDs        []ID // nothing else, if not empty
	Tier       Tier
	Type       Type
	Category   Category
	Scope      Scope // asked scope; global and unscoped memories match as well
	Tag        string
	Path       string // glob with **, or a path; empty: any
	Since      time.Time
	Until      time.Time // exclusive
	AsOf       time.Time // hides what was created later; zero: now
	Archive    bool      // ARCHIVE too
	Forgotten  Inclusion
	Missing    Inclusion
	Pinned     bool // only pinned ones
	Injectable bool // only what may be put before a model: no private, quarantined, expired, superseded, ignored ones
}

// Inclusion says whether memories of some state are left out, let in, or the
// only ones wanted.
type Inclusion uint8

const (
	Exclude Inclusion = iota
	Include
	Only
)

// Candidate is what a lane yields: an id and how well it matched, never text.
type Candidate struct {
	ID    ID
	Raw   float64 // the lane's own measure: BM25 (higher is better), cosine
	Score float64 // calibrated to 0 to 1 by the lane
}
