package memory

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"
)

// List is a slice that JSON encodes as [] and never as null.
type List[T any] []T

// MarshalJSON encodes an empty list as [].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// Memory is a block with an identity and a state. A person can name, pin and
// forget it. All interfaces use this JSON shape. Times are UTC. A missing memory
// has its last path, lines and heading.
type Memory struct {
	ID              ID              `json:"id"`
	Text            string          `json:"text"`
	Tier            Tier            `json:"tier"`
	Type            Type            `json:"memory_type"`
	Category        Category        `json:"category"`
	Scope           Scope           `json:"scope"`
	User            string          `json:"user,omitempty"` // only this user's requests get it; empty: everybody's
	Pinned          bool            `json:"pinned"`
	Forgotten       bool            `json:"forgotten"`
	Missing         bool            `json:"missing"`
	Private         bool            `json:"private"`
	Importance      float64         `json:"importance"`
	ImportanceLabel ImportanceLabel `json:"importance_label"`
	Trust           TrustTier       `json:"trust_tier"`
	Source          Source          `json:"source"`
	SourceKind      string          `json:"source_kind"`             // the author: operator, agent or external
	SourceRef       *string         `json:"source_ref"`              // its origin, where declared
	SourceHidden    string          `json:"source_hidden,omitempty"` // the reason why it is hidden with a memory that it was derived from
	Lang            string          `json:"lang"`                    // ISO 639-1, or empty
	Tags            List[string]    `json:"tags"`
	Entities        List[string]    `json:"entities,omitempty"` // what it is about: targets of [[links]], and tags
	SupersededBy    *ID             `json:"superseded_by"`
	Path            string          `json:"path"` // slash-separated, relative to the workspace
	LineStart       int             `json:"line_start"`
	LineEnd         int             `json:"line_end"`
	Heading         List[string]    `json:"heading"`
	IsProperties    bool            `json:"-"` // its lines are properties in front matter
	CreatedAt       time.Time       `json:"created_at"`
	EditedAt        *time.Time      `json:"edited_at"`
	LastAccessedAt  *time.Time      `json:"last_accessed_at"`
	UseCount        int             `json:"use_count"`
	UseDays         List[string]    `json:"use_days"` // days of use, YYYY-MM-DD, at most the last 60
	ExpiresAt       *time.Time      `json:"expires_at"`
	Project         string          `json:"project,omitempty"`   // that it is about, if the question comes from the folder of another one
	Documents       string          `json:"documents,omitempty"` // the workspace of documents that it is a passage of, in an answer about several workspaces

	// InDoubt is the line (FILE:LINE) that protects the memory because it may be about
	// it. Only the answers of list, show, explain and why-not have it.
	InDoubt string `json:"in_doubt,omitempty"`

	CreatedFrom DateSource `json:"created_from,omitempty"` // where CreatedAt comes from; only in the answers of show and explain
	DateReason  string     `json:"date_reason,omitempty"`  // the same in words, with the reason why git has no date

	TierReason  string      `json:"-"` // the reason for Tier, for a person
	Fingerprint Fingerprint `json:"-"` // of Text
	Sketch      uint64      `json:"-"` // of the words of Text and Heading, to find near-duplicates; 0: not known
}

// Version is an earlier or a later version of a memory.
type Version struct {
	ID           ID        `json:"id"`
	Text         string    `json:"text"` // empty where it is forgotten, or hidden from a model
	CreatedAt    time.Time `json:"created_at"`
	SupersededBy *ID       `json:"superseded_by"`
	Forgotten    bool      `json:"forgotten"`
	Missing      bool      `json:"missing"`
}

// Fault is a part of a user's file that could not be used. The rest of the file
// is used.
type Fault struct {
	Path    string `json:"path"`
	Line    int    `json:"line"` // 1-based; 0 for the whole file
	Message string `json:"message"`
}

// Factor is one named part of a score: Points = Value × Weight.
type Factor struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Points float64 `json:"points"`
}

// Hit is a memory that matches a query. Scores are 0 to 1.
type Hit struct {
	Memory
	Score       float64      `json:"score"`        // orders the answer and fills its budgets
	Similarity  float64      `json:"similarity"`   // calibrated probability that it is relevant to the query
	TextScore   float64      `json:"text_score"`   // of the keyword lane, calibrated; 0 where that lane did not find it
	VectorScore float64      `json:"vector_score"` // of the vector lane, calibrated
	Factors     List[Factor] `json:"factors,omitempty"`
	Ranking     List[Factor] `json:"ranking,omitempty"` // the signals; their points add up to the ranking score

	Earned bool `json:"-"` // its similarity alone was enough for its place in the answer
}

// Place returns where a memory is, for people and for models: "path:12", "path:12-15", in a PDF
// "path, page 3", and in HTML "path".
func (m Memory) Place() string {
	lines := fmt.Sprint(m.LineStart)
	if m.LineEnd > m.LineStart {
		lines += fmt.Sprintf("-%d", m.LineEnd)
	}
	switch strings.ToLower(path.Ext(m.Path)) {
	case ".pdf":
		return m.Path + ", page " + lines
	case ".html", ".htm": // the lines are not those of the file
		return m.Path
	}
	return m.Path + ":" + lines
}
