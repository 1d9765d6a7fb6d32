package memory

import "time"

// Breakdown counts the present memories of a workspace by what is known about them,
// forgotten ones included.
type Breakdown struct {
	Scopes           map[Scope]int           `json:"scopes"` // memories without a scope are in none
	Categories       map[Category]int        `json:"categories"`
	Ages             List[AgeCount]          `json:"ages"` // since their dates, youngest first
	ImportanceLabels map[ImportanceLabel]int `json:"importance_labels"`
	Sources          map[Source]int          `json:"sources"`
	TrustTiers       map[TrustTier]int       `json:"trust_tiers"`
	Unknown          map[string]float64      `json:"unknown"`     // shares, 0 to 1: scope, category, importance_label, lang
	UsesByDay        List[DayUses]           `json:"uses_by_day"` // of the last 60 days with uses
	Sizes            Sizes                   `json:"sizes"`
}

// AgeCount is the number of memories of an age.
type AgeCount struct {
	Age   string `json:"age"`  // day, week, month, quarter, year or older
	Days  int    `json:"days"` // younger than so many days; 0: no limit
	Count int    `json:"count"`
}

// DayUses counts the uses of a day. A memory counts once for each session.
type DayUses struct {
	Day      string `json:"day"` // YYYY-MM-DD
	Uses     int    `json:"uses"`
	Memories int    `json:"memories"`
}

// Sizes are sizes in bytes.
type Sizes struct {
	TextBytes   int64 `json:"text_bytes"`   // the texts of the memories
	FileBytes   int64 `json:"file_bytes"`   // the Markdown files
	VectorBytes int64 `json:"vector_bytes"` // the vectors that are kept, of all models
	BackupBytes int64 `json:"backup_bytes"` // the backup of the database; 0: none
}

// EmbeddingStats describes the embedding model and the pending vectors.
type EmbeddingStats struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Dim      int    `json:"dim"`
	Pending  int    `json:"pending"`         // chunks without a vector
	Error    string `json:"error,omitempty"` // the last failure of the provider

	Next *ModelChange `json:"next,omitempty"` // the model that is being filled; it does not serve yet
}

// ModelChange reports how far a change of model is. The previous model answers
// queries until the change is complete.
type ModelChange struct {
	Model string `json:"model"`
	Dim   int    `json:"dim"`
	Done  int    `json:"done"` // chunks
	Total int    `json:"total"`
	Error string `json:"error,omitempty"` // why the change does not continue

	Waiting string `json:"waiting,omitempty"` // what it waits for, such as mains power
}

// Stats counts the contents of a workspace.
type Stats struct {
	Workspace    string         `json:"workspace"`
	Total        int            `json:"total"`
	Tiers        map[Tier]int   `json:"tiers"`
	Types        map[Type]int   `json:"types"`
	Forgotten    int            `json:"forgotten"`
	Pinned       int            `json:"pinned"`
	Missing      int            `json:"missing"`
	Files        int            `json:"files"`
	DBBytes      int64          `json:"db_bytes"`
	InMemory     InMemory       `json:"in_memory"`
	MemoryBytes  int64          `json:"memory_bytes"` // resident memory of the process that answers
	Context      *Context       `json:"context"`
	Embedding    EmbeddingStats `json:"embedding"`
	LastDecayRun *time.Time     `json:"last_decay_run"`
	LastIndex    *time.Time     `json:"last_index"`
	Stale        bool           `json:"stale,omitempty"`

	Indexing *Progress `json:"indexing,omitempty"` // of the indexing that is not complete, so that memories may lack; nil: none

	Breakdown
}

// InMemory reports whether the in-memory index answers searches. Without it the
// database answers, which is slower.
type InMemory struct {
	Loaded bool   `json:"loaded"`
	Bytes  int64  `json:"bytes"`         // its approximate size
	Why    string `json:"why,omitempty"` // the reason why it is not loaded
}
