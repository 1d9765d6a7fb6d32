package memory

import "time"

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

	Waiting string `json:"waiting,omitempty"` // why it waits
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
}

// InMemory reports whether the in-memory index answers searches. Without it the
// database answers, which is slower.
type InMemory struct {
	Loaded bool   `json:"loaded"`
	Bytes  int64  `json:"bytes"`         // its approximate size
	Why    string `json:"why,omitempty"` // the reason why it is not loaded
}
