package memory

import "time"

// The answers of the use cases: one JSON shape an idea, on the socket, on the
// command line and in exports. Fields are added, never renamed or retyped.

// SearchAnswer holds hits, best first.
type SearchAnswer struct {
	Query            string          `json:"query"`
	Hits             []Hit           `json:"hits"`              // never nil: as a List it would be written twice over
	ForgottenMatches int             `json:"forgotten_matches"` // left out because they are forgotten
	Lanes            map[Lane]string `json:"lanes"`             // "ok", or why a lane is out
	TookMS           float64         `json:"took_ms"`
	Receipt          string          `json:"receipt,omitempty"`
	Stale            bool            `json:"stale,omitempty"` // the index could not be brought up to date first
	Event            *Event          `json:"event,omitempty"` // by which the question says when, where asked to explain
}

// Event is what a question names to say when, as in "before the move". Memories
// dated from From to Until come before others; where the time stays unknown,
// Memory is empty and the times are null.
type Event struct {
	Phrase     string     `json:"phrase"`     // as the question has it
	Relation   string     `json:"relation"`   // before, after, since, until, during or around
	Memory     ID         `json:"memory"`     // that says when it was; empty: none clearly does
	Similarity float64    `json:"similarity"` // how well the best memory tells of it
	At         *time.Time `json:"at"`         // when it was
	From       *time.Time `json:"from"`       // null: any time before Until
	Until      *time.Time `json:"until"`      // exclusive; null: any time after From
}

// Reasons for which a recall holds no memories.
const (
	SkippedTrivial  = "trivial"
	SkippedNothing  = "nothing_relevant"
	SkippedDisabled = "disabled"
)

// RecallAnswer is what to put before the model.
type RecallAnswer struct {
	Context string          `json:"context"` // the whole block; empty where there is nothing to say
	Hits    []Hit           `json:"hits"`    // what the block holds, in its order; never nil
	Tokens  int             `json:"tokens"`  // of Context, bytes/4
	Skipped *string         `json:"skipped"` // why there are no memories
	Receipt string          `json:"receipt"` // empty where none is recorded
	Lanes   map[Lane]string `json:"lanes"`
	TookMS  float64         `json:"took_ms"`
	Stale   bool            `json:"stale,omitempty"`
}

// ListAnswer holds memories and how many there are by tier.
type ListAnswer struct {
	Memories List[Memory] `json:"memories"`
	Total    int          `json:"total"`
	Tiers    map[Tier]int `json:"tiers"`
	Stale    bool         `json:"stale,omitempty"`
}

// StoreAnswer is the memory that was written, or the one that said it already.
type StoreAnswer struct {
	Action     string   `json:"action"` // "store"
	Memory     Memory   `json:"memory"`
	Duplicate  bool     `json:"duplicate"`
	Similarity *float64 `json:"similarity"` // to the duplicate
	Message    *string  `json:"message"`
}

// IndexAnswer is what a look at the disk found.
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
}

// Progress says how far a long task is.
type Progress struct {
	Stage string `json:"stage"` // "read", "index", "embed"
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// Context is the current-context slot.
type Context struct {
	Text      string    `json:"text"`
	SetAt     time.Time `json:"set_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// ContextAnswer holds the slot; Context is null where none is set.
type ContextAnswer struct {
	Context *Context `json:"context"`
}

// EmbeddingStats says what makes the vectors and how many are still to come.
type EmbeddingStats struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Dim      int    `json:"dim"`
	Pending  int    `json:"pending"`
	Error    string `json:"error,omitempty"` // why the provider does not answer

	Next *ModelChange `json:"next,omitempty"` // what the model is being changed to; it does not serve yet
}

// ModelChange says how far a change of model is. The former one answers until it
// is done.
type ModelChange struct {
	Model string `json:"model"`
	Dim   int    `json:"dim"`
	Done  int    `json:"done"` // chunks
	Total int    `json:"total"`
	Error string `json:"error,omitempty"` // why it does not go on
}

// Stats counts what a workspace holds.
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
	MemoryBytes  int64          `json:"memory_bytes"` // resident, of the answering process
	Context      *Context       `json:"context"`
	Embedding    EmbeddingStats `json:"embedding"`
	LastDecayRun *time.Time     `json:"last_decay_run"`
	LastIndex    *time.Time     `json:"last_index"`
	Stale        bool           `json:"stale,omitempty"`
}

// InMemory says whether a workspace's words and vectors are answered from memory,
// which is fast, or from its database alone.
type InMemory struct {
	Loaded bool   `json:"loaded"`
	Bytes  int64  `json:"bytes"`         // about what it takes
	Why    string `json:"why,omitempty"` // it is not loaded
}

// Status says how the service is.
type Status struct {
	Version    string                `json:"version"`
	Daemon     *DaemonStatus         `json:"daemon"` // null where the command answered by itself
	StateDir   string                `json:"state_dir"`
	Workspaces List[WorkspaceStatus] `json:"workspaces"`
}

// DaemonStatus is the running service.
type DaemonStatus struct {
	PID           int     `json:"pid"`
	Version       string  `json:"version"`
	UptimeSeconds float64 `json:"uptime_seconds"`
	Socket        string  `json:"socket"`
}

// WorkspaceStatus is one workspace's health.
type WorkspaceStatus struct {
	Name      string         `json:"name"`
	Path      string         `json:"path"`
	Timezone  string         `json:"timezone"`
	Available bool           `json:"available"` // false: the folder is not there; what was indexed is still served
	Files     int            `json:"files"`
	Memories  int            `json:"memories"`
	Fresh     bool           `json:"fresh"`  // the index agrees with the disk as far as is known
	Behind    int            `json:"behind"` // files seen to have changed and not indexed yet
	Watch     string         `json:"watch"`  // "events", "polling: why", or "off"
	InMemory  InMemory       `json:"in_memory"`
	Embedding EmbeddingStats `json:"embedding"`
	Faults    List[Fault]    `json:"faults"`
	Notices   List[string]   `json:"notices"` // what a person should know: a rebuilt database, what was lost
	Error     string         `json:"error,omitempty"`
	LastIndex *time.Time     `json:"last_index"`
}

// Health answers whether the service is alive and ready.
type Health struct {
	Status        string  `json:"status"` // "ok" or "starting"
	Version       string  `json:"version"`
	UptimeSeconds float64 `json:"uptime_seconds"`
}

// ServedFile is a file as a host may put it before a model.
type ServedFile struct {
	Path     string `json:"path"`
	Content  string `json:"content"`
	Redacted int    `json:"redacted"` // memories taken out
	Missing  bool   `json:"missing,omitempty"`
}

// FilesAnswer holds served files in the order asked for.
type FilesAnswer struct {
	Files List[ServedFile] `json:"files"`
}

// WorkspaceInfo is one registered workspace.
type WorkspaceInfo struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// WorkspacesAnswer lists the registered workspaces by name.
type WorkspacesAnswer struct {
	Workspaces List[WorkspaceInfo] `json:"workspaces"`
}

// AuditRow is one decision: who, what, before, after, when. It holds no text.
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

// VerifyAnswer says where a text was looked for, and where it was found.
type VerifyAnswer struct {
	Found   int                `json:"found"` // in how many places
	Checked List[CheckedPlace] `json:"checked"`
}

// CheckedPlace is one place that was looked at: a route or a file.
type CheckedPlace struct {
	Route string `json:"route,omitempty"`
	File  string `json:"file,omitempty"`
	Found bool   `json:"found"`
	At    *int64 `json:"at,omitempty"`   // the first byte of it in the file
	Note  string `json:"note,omitempty"` // why it could not be looked at, or what to know of it
}

// Add notes a place.
func (v *VerifyAnswer) Add(c CheckedPlace) {
	v.Checked = append(v.Checked, c)
	if c.Found {
		v.Found++
	}
}
