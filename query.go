package memory

import "time"

// TermKind decides how a term of a query is matched.
type TermKind uint8

const (
	TermWord       TermKind = iota // stemmed by the keyword index
	TermIdentifier                 // an id, path, error code, version or address: matched literally
	TermCJK                        // a run of Han, Kana or Hangul: matched by pairs of characters too
)

// Term is one search term of a query.
type Term struct {
	Text       string
	Kind       TermKind
	Expansions []Expansion // other words that match too, with a lower weight
}

// Expansion is a word with a similar meaning. Weight is at most 1, which an
// inflected form of the same word has.
type Expansion struct {
	Text   string
	Weight float64
}

// Query is a parsed query. Lanes receive it in this form, never as an expression
// in their own query language.
type Query struct {
	Text   string    // cleaned and clamped, for display and embedding
	Terms  []Term    // terms of the keyword lane, without stop words
	Vector []float32 // embedding of Text, unit length; nil without one
	Model  string    // model of Vector; lanes compare only vectors of the same model
	Rest   []float32 // embedding of Text without the names in it, of the same model; nil without one

	Into []Signals // memory for the signals of the answer, which a source need not use; nil: new memory

	Sections bool // also compare the words with everything under a heading: see Signals.Section

	// Others are the frequencies of the terms in the other indexes that are asked the same.
	// So a word is as rare in one as in all of them, and their scores can be compared.
	Others Frequencies
}

// Frequencies are how often the terms of a query are in an index.
type Frequencies struct {
	Chunks  float64
	DocFreq [][]float64 // of each term, the chunks with the term itself first, then with each expansion
}

// Predicate is a filter with resolved times. The zero value matches every visible
// memory that is not archived.
type Predicate struct {
	View // who asks; its AsOf excludes memories created later

	IDs        []ID // if not empty: only these memories
	Tier       Tier
	Type       Type
	Category   Category
	Tag        string
	Path       string // a path, or a glob with **; empty: any
	Since      time.Time
	Until      time.Time // exclusive
	Source     Source
	Origin     string   // the session that captured the memory, or whose tool stored it
	Owners     []string // if not empty: all that names the one user whose it is
	Archive    bool     // include ARCHIVE
	Forgotten  Inclusion
	Missing    Inclusion
	Pinned     bool      // only pinned memories
	TextOnly   bool      // no memories whose lines are properties in front matter
	ExpiredBy  time.Time // only those that expired at that time or earlier; zero: any
	UnusedFrom time.Time // only those created, edited and used at that time or earlier; zero: any
}

// Conceals reports whether a memory does not exist for the request.
func (p *Predicate) Conceals(m *Memory) bool {
	return p.Forgotten == Exclude && m.Forgotten || p.View.Conceals(m)
}

// Inclusion decides whether memories of some state are excluded, included, or the
// only matches.
type Inclusion uint8

const (
	Exclude Inclusion = iota
	Include
	Only
)

// Candidate is a result of a lane: an id with its scores, without text.
type Candidate struct {
	ID    ID
	Raw   float64 // score of the lane: BM25 (higher is better) or cosine
	Score float64 // Raw, calibrated by the lane to 0 to 1
}
