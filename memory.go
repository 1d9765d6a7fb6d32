package memory

import (
	"encoding/json"
	"time"
)

// List is a slice that JSON never shows as null.
type List[T any] []T

// MarshalJSON writes an empty list as [].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// Memory is a block with an identity and a state: what a person can name, pin
// and forget. Its JSON is the product's one shape for it. Times are UTC;
// a missing memory's path, lines and heading are its last.
type Memory struct {
	ID              ID              `json:"id"`
	Text            string          `json:"text"`
	Tier            Tier            `json:"tier"`
	Type            Type            `json:"memory_type"`
	Category        Category        `json:"category"`
	Scope           Scope           `json:"scope"`
	Pinned          bool            `json:"pinned"`
	Forgotten       bool            `json:"forgotten"`
	Missing         bool            `json:"missing"`
	Private         bool            `json:"private"`
	Importance      float64         `json:"importance"`
	ImportanceLabel ImportanceLabel `json:"importance_label"`
	Trust           TrustTier       `json:"trust_tier"`
	Source          Source          `json:"source"`
	SourceKind      string          `json:"source_kind"` // operator, agent or external: who wrote it
	SourceRef       *string         `json:"source_ref"`  // where it came from, if anyone said
	Lang            string          `json:"lang"`        // ISO 639-1, or empty
	Tags            List[string]    `json:"tags"`
	SupersededBy    *ID             `json:"superseded_by"`
	Path            string          `json:"path"` // slash-separated, relative to the workspace
	LineStart       int             `json:"line_start"`
	LineEnd         int             `json:"line_end"`
	Heading         List[string]    `json:"heading"`
	CreatedAt       time.Time       `json:"created_at"`
	EditedAt        *time.Time      `json:"edited_at"`
	LastAccessedAt  *time.Time      `json:"last_accessed_at"`
	UseCount        int             `json:"use_count"`
	UseDays         List[string]    `json:"use_days"` // the last 60 days of use, YYYY-MM-DD
	ExpiresAt       *time.Time      `json:"expires_at"`

	TierReason  string      `json:"-"` // why Tier is what it is, for a person
	Fingerprint Fingerprint `json:"-"` // of Text
}

// LastTouched is the newest of created, edited and last accessed: what a
// memory's effective age counts from.
func (m Memory) LastTouched() time.Time {
	at := m.CreatedAt
	for _, t := range []*time.Time{m.EditedAt, m.LastAccessedAt} {
		if t != nil && t.After(at) {
			at = *t
		}
	}
	return at
}

// Fault is something in a person's file that could not be used as it stands.
// The rest of the file is used all the same.
type Fault struct {
	Path    string `json:"path"`
	Line    int    `json:"line"` // 1-based; 0 where no line is meant
	Message string `json:"message"`
}

// Factor is one named part of a score: Points = Value × Weight.
type Factor struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Points float64 `json:"points"`
}

// Hit is a memory that answers a query, with how well. Scores are 0 to 1.
type Hit struct {
	Memory
	Score       float64      `json:"score"`        // what the answer is ordered and budgeted by
	Similarity  float64      `json:"similarity"`   // how likely it is about what was asked
	TextScore   float64      `json:"text_score"`   // the keyword lane's, calibrated; 0 where it did not find it
	VectorScore float64      `json:"vector_score"` // the vector lane's, calibrated
	Factors     List[Factor] `json:"factors,omitempty"`
	Ranking     List[Factor] `json:"ranking,omitempty"` // the signals, whose points add up to what hits are ordered by
}
