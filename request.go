package memory

import "time"

// The requests that the use cases take. Their JSON is the socket's; every field
// but the first is optional. Times are text here (RFC 3339 or a date) because
// what a date means depends on the workspace's time zone.

// DefaultWorkspace is the workspace meant where a request names none.
const DefaultWorkspace = "main"

// Filter narrows a search, a list or a decision.
type Filter struct {
	Tier      Tier     `json:"tier,omitempty"`
	Type      Type     `json:"memory_type,omitempty"`
	Category  Category `json:"category,omitempty"`
	Scope     Scope    `json:"scope,omitempty"`
	Tag       string   `json:"tag,omitempty"`
	Path      string   `json:"path,omitempty"`      // a path, or a glob with **
	Since     string   `json:"since,omitempty"`     // created then or later
	Until     string   `json:"until,omitempty"`     // created before then; a date includes its day
	Deep      bool     `json:"deep,omitempty"`      // ARCHIVE too
	Forgotten bool     `json:"forgotten,omitempty"` // search: forgotten ones too; list: only those
}

// RecallRequest asks for what to put before a model that gets Prompt.
type RecallRequest struct {
	Prompt    string   `json:"prompt"`
	Workspace string   `json:"workspace,omitempty"`
	Agent     string   `json:"agent,omitempty"`
	Session   string   `json:"session,omitempty"`
	User      string   `json:"user,omitempty"`
	Scope     Scope    `json:"scope,omitempty"`
	MaxItems  *int     `json:"max_items,omitempty"`
	MaxTokens *int     `json:"max_tokens,omitempty"`
	InPrompt  []string `json:"in_prompt,omitempty"` // files that the host puts before the model whole
	Record    *bool    `json:"record,omitempty"`    // count uses and keep a receipt; default true
	AsOf      string   `json:"as_of,omitempty"`
}

// SearchRequest asks for the memories that answer Query.
type SearchRequest struct {
	Query     string `json:"query"`
	Workspace string `json:"workspace,omitempty"`
	Limit     *int   `json:"limit,omitempty"` // default 10
	Filter
	Lane    Lane   `json:"lane,omitempty"`
	Explain bool   `json:"explain,omitempty"`
	AsOf    string `json:"as_of,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Record  bool   `json:"record,omitempty"` // tools say true; a person's search never counts
}

// ListRequest asks for memories without a query.
type ListRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Filter
	Pinned  bool   `json:"pinned,omitempty"`  // only those
	Missing bool   `json:"missing,omitempty"` // only those
	Sort    string `json:"sort,omitempty"`    // created_at, last_accessed_at, use_count or path
	Limit   *int   `json:"limit,omitempty"`   // 0: as many as an answer may hold
	Offset  int    `json:"offset,omitempty"`
	AsOf    string `json:"as_of,omitempty"`
}

// StoreRequest asks to write Text into today's daily note.
type StoreRequest struct {
	Text       string   `json:"text"`
	Workspace  string   `json:"workspace,omitempty"`
	Tier       Tier     `json:"tier,omitempty"`
	Type       Type     `json:"memory_type,omitempty"`
	Category   Category `json:"category,omitempty"`
	Importance *float64 `json:"importance,omitempty"`
	Pinned     bool     `json:"pinned,omitempty"`
	Source     Source   `json:"source,omitempty"`
}

// IndexRequest asks to look at the disk now.
type IndexRequest struct {
	Workspace string   `json:"workspace,omitempty"`
	Force     bool     `json:"force,omitempty"` // rebuild all that is derived
	Paths     []string `json:"paths,omitempty"` // only these files or folders; empty: everything

	EmbedWithin time.Duration `json:"-"` // in this process: leave embedding to later after so long; 0: do all of it
}

// ContextRequest sets the current context.
type ContextRequest struct {
	Workspace string   `json:"workspace,omitempty"`
	Text      string   `json:"text"`
	TTLHours  *float64 `json:"ttl_hours,omitempty"` // default 4
}

// FilesRequest asks for files as a host may put them before a model.
type FilesRequest struct {
	Workspace string
	Paths     []string // default MEMORY.md and USER.md
}

// AuditRequest asks what was decided, newest first.
type AuditRequest struct {
	Workspace string
	ID        string // prefix; empty: about any memory
	Action    string
	Source    string // cli, file, tool, agent, decay, capture; empty: anybody
	Limit     int
	Offset    int
}

// WorkspaceRequest registers, renames or takes away a workspace.
type WorkspaceRequest struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"` // absolute
}
