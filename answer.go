package memory

import (
	"encoding/json"
	"time"
)

// The answers of the use cases. The socket, the command line and exports share
// one JSON shape for each. Fields may be added, never renamed or retyped.

// SearchAnswer holds hits, best first.
type SearchAnswer struct {
	Query            string          `json:"query"`
	Hits             []Hit           `json:"hits"`              // never nil; not a List, because encoding a List encodes it twice
	ForgottenMatches int             `json:"forgotten_matches"` // matches left out because they are forgotten
	Lanes            map[Lane]string `json:"lanes"`             // "ok", or why a lane is out
	TookMS           float64         `json:"took_ms"`
	Receipt          string          `json:"receipt,omitempty"`
	LeftOutByDate    int             `json:"left_out_by_date,omitempty"` // memories that only as_of, since or until excludes
	Stale            bool            `json:"stale,omitempty"`            // the index could not be updated first

	Indexing *Progress    `json:"indexing,omitempty"` // of the indexing that is not complete, so that memories may lack; nil: none
	Notices  List[string] `json:"notices,omitempty"`  // why an answer is empty, such as files that no pattern matches
}

// Reasons why a recall contains no memories.
const (
	SkippedTrivial  = "trivial"
	SkippedNothing  = "nothing_relevant"
	SkippedDisabled = "disabled"
	SkippedTokens   = "token_budget" // memories answer, and none of them fits into the tokens
)

// RecallAnswer contains the block to inject into a prompt.
type RecallAnswer struct {
	Context       string          `json:"context"` // the whole block; empty where there is nothing to inject
	Hits          []Hit           `json:"hits"`    // the memories of the block, in its order; never nil
	Tokens        int             `json:"tokens"`  // tokens of Context: bytes/4
	Skipped       *string         `json:"skipped"` // why the block contains no memories; null where it contains some
	Receipt       string          `json:"receipt"` // its id; empty where no receipt is kept
	Lanes         map[Lane]string `json:"lanes"`
	Folder        string          `json:"folder,omitempty"` // the workspace's folder, so that a host sees that it asked the right one
	Workspace     string          `json:"-"`                // that was asked; a request with a folder does not name it
	Files         []ServedFile    `json:"files,omitempty"`  // those of the request, in its order
	TookMS        float64         `json:"took_ms"`
	Stale         bool            `json:"stale,omitempty"`
	LeftOutByDate int             `json:"left_out_by_date,omitempty"` // memories that only as_of, since or until excludes

	Indexing *Progress `json:"indexing,omitempty"` // of the indexing that is not complete, so that memories may lack; nil: none
}

// ListAnswer contains a page of memories and the counts of all of them.
type ListAnswer struct {
	Memories      List[Memory] `json:"memories"`
	Total         int          `json:"total"`
	Tiers         map[Tier]int `json:"tiers"`
	Stale         bool         `json:"stale,omitempty"`
	LeftOutByDate int          `json:"left_out_by_date,omitempty"` // memories that only as_of, since or until excludes

	Indexing *Progress `json:"indexing,omitempty"` // of the indexing that is not complete, so that memories may lack; nil: none
}

// ShowAnswer is one memory with its other versions.
type ShowAnswer struct {
	Memory
	Supersedes List[Version] `json:"supersedes"` // what it replaced, directly or by way of others, the latest first
	Successors List[Version] `json:"successors"` // what replaced it, the next first
}

// StoreAnswer contains the memory that was written, or the existing duplicate.
type StoreAnswer struct {
	Action     string   `json:"action"` // "store"
	Memory     Memory   `json:"memory"`
	Duplicate  bool     `json:"duplicate"`
	Similarity *float64 `json:"similarity"` // to the duplicate, 0 to 1; null: its words alone were compared
	Message    *string  `json:"message"`
	Superseded List[ID] `json:"superseded"` // what the new memory extends, or gives a new value of

	// Similar lists memories about the same thing that stay beside the new one. A request with
	// Replaces supersedes one of them.
	Similar List[SimilarMemory] `json:"similar,omitempty"`

	Notices List[string] `json:"notices,omitempty"` // what the person who stores the text should know
}

// SimilarMemory is a memory that a new one may contradict.
type SimilarMemory struct {
	ID   ID     `json:"id"`
	Text string `json:"text"`
}

// IndexAnswer counts what indexing found on the disk.
type IndexAnswer struct {
	Workspace string      `json:"workspace"`
	Files     int         `json:"files"`
	Memories  int         `json:"memories"`
	Added     int         `json:"added"`
	Edited    int         `json:"edited"`
	Moved     int         `json:"moved"`
	Missing   int         `json:"missing"`
	Unchanged int         `json:"unchanged"`
	Embedded  int         `json:"embedded"`
	Faults    List[Fault] `json:"faults"`
	TookMS    float64     `json:"took_ms"`

	Pending       int    `json:"pending"`                  // texts that have no vector yet
	PendingReason string `json:"pending_reason,omitempty"` // why they have none
}

// Progress reports how far a long task is.
type Progress struct {
	Stage string `json:"stage"` // "read", "index", "embed"
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// Context is the current-context slot: one text, injected before all memories.
type Context struct {
	Text      string    `json:"text"`
	SetAt     time.Time `json:"set_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// ContextAnswer contains the slot. Context is null where none is set.
type ContextAnswer struct {
	Context *Context `json:"context"`
	Notice  string   `json:"notice,omitempty"`  // that blocks cut it, because it is longer than their share for it
	Cleared *bool    `json:"cleared,omitempty"` // of a request that clears it: whether there was one
}

// Status describes the service and its workspaces.
type Status struct {
	Version    string                `json:"version"`
	Daemon     *DaemonStatus         `json:"daemon"` // null where the command answered without a daemon
	StateDir   string                `json:"state_dir"`
	Workspaces List[WorkspaceStatus] `json:"workspaces"`

	// OwnerPID is the process that owns the state folder and does not answer on the
	// socket; 0 if there is none.
	OwnerPID int `json:"owner_pid,omitempty"`

	// Hooks counts what the last prompts of agents' clients got, since the service started.
	Hooks List[HookStatus] `json:"hooks,omitempty"`

	// ConfigError is why the configuration is not valid, while a service works with
	// the settings from before; empty if it is valid.
	ConfigError string `json:"config_error,omitempty"`
}

// DaemonStatus is the running service.
type DaemonStatus struct {
	PID           int     `json:"pid"`
	Version       string  `json:"version"`
	UptimeSeconds float64 `json:"uptime_seconds"`
	Socket        string  `json:"socket"`
	Address       string  `json:"address,omitempty"` // where other machines ask it; empty: nowhere
}

// WorkspaceStatus is one workspace's health.
type WorkspaceStatus struct {
	Name      string         `json:"name"`
	Path      string         `json:"path"`
	Timezone  string         `json:"timezone"`
	Available bool           `json:"available"` // false: the folder does not exist now; what was indexed is still served
	Files     int            `json:"files"`
	Memories  int            `json:"memories"`
	Fresh     bool           `json:"fresh"`  // no change on the disk is known that is not indexed
	Behind    int            `json:"behind"` // changed files that are not indexed yet
	Watch     string         `json:"watch"`  // "events", "polling: why", or "off"
	InMemory  InMemory       `json:"in_memory"`
	Embedding EmbeddingStats `json:"embedding"`
	Faults    List[Fault]    `json:"faults"`
	Notices   List[string]   `json:"notices"` // for a person: a rebuilt database, lost data
	Error     string         `json:"error,omitempty"`
	LastIndex *time.Time     `json:"last_index"`

	Indexing *Progress `json:"indexing,omitempty"` // of the files that are being indexed now

	StaleQuotes int `json:"stale_quotes,omitempty"` // decisions whose quote is older than the text, also where the text is not surely theirs

	ReadOnly    bool `json:"read_only,omitempty"`    // the configuration forbids to write to the folder
	IndexFailed bool `json:"index_failed,omitempty"` // the database cannot be used; Error has the reason

	PendingDecisions int `json:"pending_decisions,omitempty"` // memories with a decision that is in the index and not in its file yet

	Globs    List[string] `json:"globs"`              // patterns of files beside MEMORY.md, USER.md and memory/
	Coverage *Coverage    `json:"coverage,omitempty"` // nil where the files were not counted
}

// Health reports whether the service is ready.
type Health struct {
	Status        string  `json:"status"` // "ok" or "starting"
	Version       string  `json:"version"`
	UptimeSeconds float64 `json:"uptime_seconds"`
}

// ServedFile is a file as a host may put it into a prompt.
type ServedFile struct {
	Path     string `json:"path"`
	Content  string `json:"content"`
	Redacted int    `json:"redacted"` // number of memories removed from Content; without other users' memories, and without repetitions elsewhere
	Missing  bool   `json:"missing,omitempty"`
	Reason   string `json:"reason,omitempty"` // why more than single memories is left out

	// Hash is "sha256:" and the hash of the file's bytes from which Content was made. It is
	// empty for a user of the identities, because it would confirm what others have there.
	Hash string `json:"hash,omitempty"`
}

// FilesAnswer contains the files in the order of the request.
type FilesAnswer struct {
	Files List[ServedFile] `json:"files"`
}

// ReloadAnswer is the result of reading the configuration again.
type ReloadAnswer struct {
	File     string       `json:"file"`     // the configuration file
	Applied  List[string] `json:"applied"`  // settings that changed and are in force now
	Restart  List[string] `json:"restart"`  // settings that changed and need a restart
	Problems List[string] `json:"problems"` // workspaces that could not be opened, with the reason
}

// WorkspaceInfo is one registered workspace.
type WorkspaceInfo struct {
	Name  string       `json:"name"`
	Path  string       `json:"path"`
	Globs List[string] `json:"globs"`           // patterns of files beside MEMORY.md, USER.md and memory/
	Added []string     `json:"added,omitempty"` // patterns that the request added

	Client string `json:"client,omitempty"` // the agent's client whose own memory the folder is, or documents; empty: a person's

	// Unmatched lists the patterns of the request that match no file.
	Unmatched []string `json:"unmatched,omitempty"`

	// Coverage counts the Markdown files. It is nil where they were not counted.
	Coverage *Coverage `json:"coverage,omitempty"`
}

// Coverage counts the Markdown files of a folder.
type Coverage struct {
	Files      int    `json:"files"`             // files of memories
	NotCovered int    `json:"not_covered"`       // files that no pattern matches
	More       bool   `json:"more,omitempty"`    // there are more, because counting stopped at its limit
	Example    string `json:"example,omitempty"` // a file that no pattern matches
}

// WorkspacesAnswer lists the registered workspaces by name.
type WorkspacesAnswer struct {
	Workspaces List[WorkspaceInfo] `json:"workspaces"`
}

// AuditRow is one decision: who, what, before, after, when. It contains no text
// of a memory.
type AuditRow struct {
	At     time.Time      `json:"at"`
	Action string         `json:"action"`
	ID     ID             `json:"id"`
	Source string         `json:"source"` // cli, file, tool, agent, capture or decay
	Old    map[string]any `json:"old"`
	New    map[string]any `json:"new"`
	Batch  string         `json:"batch"`
}

// AuditAnswer is a page of the audit, newest first.
type AuditAnswer struct {
	Audit List[AuditRow] `json:"audit"`
	Total int            `json:"total"`
}

// VerifyAnswer lists the places where a text was searched and where it was found.
type VerifyAnswer struct {
	Found   int                `json:"found"` // number of places that contain the text
	Checked List[CheckedPlace] `json:"checked"`
	Receipt json.RawMessage    `json:"receipt,omitempty"` // the receipt of the request, with its places as they are now
}

// CheckedPlace is one place that was searched: a route or a file.
type CheckedPlace struct {
	Route string `json:"route,omitempty"`
	File  string `json:"file,omitempty"`
	Found bool   `json:"found"`
	At    *int64 `json:"at,omitempty"`   // byte offset of the first match in the file
	Note  string `json:"note,omitempty"` // why it could not be read, or a remark
}

// Add appends a place and counts it where it contains the text.
func (v *VerifyAnswer) Add(c CheckedPlace) {
	v.Checked = append(v.Checked, c)
	if c.Found {
		v.Found++
	}
}
