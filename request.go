package memory

import (
	"encoding/json"
	"slices"
	"time"
)

// The requests of the use cases, with the JSON shapes of the socket. Every field
// but the first is optional. Times are text (RFC 3339 or a date), because the
// meaning of a date depends on the workspace's time zone.

// DefaultWorkspace is the workspace of a request that names none.
const DefaultWorkspace = "main"

// Filter restricts a search, a list or a decision.
type Filter struct {
	Tier      Tier     `json:"tier,omitempty"`
	Type      Type     `json:"memory_type,omitempty"`
	Category  Category `json:"category,omitempty"`
	Scope     Scope    `json:"scope,omitempty"`
	Tag       string   `json:"tag,omitempty"`
	Entity    string   `json:"entity,omitempty"` // a name of a person or thing: see [knowledge.Entity]
	Hops      int      `json:"hops,omitempty"`   // also what is related to it, at most at this distance
	Scene     string   `json:"scene,omitempty"`  // the id of a scene: see [knowledge.Scene]
	Path      string   `json:"path,omitempty"`   // a path, or a glob with **
	Since     string   `json:"since,omitempty"`  // created at that time or later
	Until     string   `json:"until,omitempty"`  // created before that time; a date includes its day
	Source    Source   `json:"source,omitempty"`
	Origin    string   `json:"origin,omitempty"`      // the session that it came from
	Owner     string   `json:"owner,omitempty"`       // the user whose it is: a channel id or an identity
	Deep      bool     `json:"deep,omitempty"`        // include ARCHIVE
	Forgotten bool     `json:"forgotten,omitempty"`   // search: include forgotten memories; list: only those
	Expired   bool     `json:"expired,omitempty"`     // only those whose expiry date has passed
	Unused    float64  `json:"unused_days,omitempty"` // only those not created, edited or used for so many days
}

// RecallRequest requests the block to inject before Prompt.
type RecallRequest struct {
	Prompt    string `json:"prompt"`
	Workspace string `json:"workspace,omitempty"`
	Folder    string `json:"folder,omitempty"` // where the agent works, absolute; chooses the workspace if none is named
	Agent     string `json:"agent,omitempty"`
	Session   string `json:"session,omitempty"`
	Sender
	Scope     Scope    `json:"scope,omitempty"`
	MaxItems  *int     `json:"max_items,omitempty"`
	MaxTokens *int     `json:"max_tokens,omitempty"`
	InPrompt  []string `json:"in_prompt,omitempty"` // files that the host injects in full
	Files     []string `json:"files,omitempty"`     // files to return in the same answer, as a request for files does
	Record    *bool    `json:"record,omitempty"`    // count uses and keep a receipt; default true
	AsOf      string   `json:"as_of,omitempty"`

	// Has returns why the model has a memory already, as a Reason constant; empty: it has
	// not. answers reports that the memory is what the prompt asks for. Only in-process; nil:
	// it has none.
	Has func(m *Memory, answers bool) (reason string) `json:"-"`

	// Standing asks for what holds before every prompt instead: the current context, the
	// pinned memories, and those that expire soon. Only in-process.
	Standing bool `json:"-"`
}

// SearchRequest requests the memories that match Query.
type SearchRequest struct {
	Query     string `json:"query"`
	Workspace string `json:"workspace,omitempty"`
	Folder    string `json:"folder,omitempty"` // where the agent works, absolute; chooses the workspace if none is named
	Limit     *int   `json:"limit,omitempty"`  // default 10
	Filter
	Docs    bool   `json:"docs,omitempty"` // the passages of documents instead of memories
	Lane    Lane   `json:"lane,omitempty"`
	Explain bool   `json:"explain,omitempty"`
	AsOf    string `json:"as_of,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Sender
	Record bool `json:"record,omitempty"` // count uses and keep a receipt; true for tools, false for people
	Ranked bool `json:"ranked,omitempty"` // every hit in the order of the ranking, to measure it

	// For is who reads the answer. The default is a model for a recorded search,
	// because only tools record, and a person otherwise.
	For Audience `json:"for,omitempty"`
}

// ForModel reports whether a model reads the answer.
func (r SearchRequest) ForModel() bool {
	return r.For == AudienceModel || r.For == "" && r.Record
}

// ListRequest requests memories without a query.
type ListRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Agent     string `json:"agent,omitempty"`
	Filter
	Pinned     bool   `json:"pinned,omitempty"`     // only pinned memories
	Missing    bool   `json:"missing,omitempty"`    // only missing memories
	Properties bool   `json:"properties,omitempty"` // also properties in front matter, which lists of a state have anyway
	Sort       string `json:"sort,omitempty"`       // created_at, last_accessed_at, use_count or path
	Limit      *int   `json:"limit,omitempty"`      // 0: the largest number that an answer may contain
	Offset     int    `json:"offset,omitempty"`
	AsOf       string `json:"as_of,omitempty"`

	Sender
	For Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// ShowRequest requests one memory by its id, or by a unique prefix of it.
type ShowRequest struct {
	ID        string `json:"-" path:"id"`
	Workspace string `json:"workspace,omitempty"`
	Sender
	For Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// StoreRequest writes Text into today's daily note, or into today's captured file if
// a tool stores it.
type StoreRequest struct {
	Text       string   `json:"text"`
	Workspace  string   `json:"workspace,omitempty"`
	Tier       Tier     `json:"tier,omitempty"`
	Type       Type     `json:"memory_type,omitempty"`
	Category   Category `json:"category,omitempty"`
	Scope      Scope    `json:"scope,omitempty"`
	Importance *float64 `json:"importance,omitempty"`
	Pinned     bool     `json:"pinned,omitempty"`
	Source     Source   `json:"source,omitempty"`
	Session    string   `json:"session,omitempty"`
	Agent      string   `json:"agent,omitempty"`

	// Sender owns the memory. Only requests of the same user get it.
	Sender

	// UserMessage is the user's message of the turn in which a tool stores Text. A
	// text that it contains is the user's own. It is trusted if the user is the owner.
	UserMessage string `json:"user_message,omitempty"`

	// Private keeps the memory from every model.
	Private bool `json:"private,omitempty"`

	// Extend is the id of a memory that Text contains and adds to. The new memory
	// supersedes it. It is private, of the same scope and so on, if that is.
	Extend string `json:"extend,omitempty"`

	// Replaces is the id of a memory of which Text gives a new value. The new memory
	// supersedes it, and is private and so on, as with Extend.
	Replaces string `json:"replaces,omitempty"`

	// Force stores Text although a similar memory exists. For a person, it also stores what
	// looks like a secret. The same text, or one that is like a forgotten one, is not stored
	// all the same.
	Force bool `json:"force,omitempty"`

	For Audience `json:"for,omitempty"` // who reads the answer; default: a person
}

// IndexRequest indexes the changes on the disk now.
type IndexRequest struct {
	Workspace string   `json:"workspace,omitempty"`
	Force     bool     `json:"force,omitempty"` // rebuild all derived data
	Paths     []string `json:"paths,omitempty"` // only these files or folders; empty: everything

	EmbedWithin time.Duration `json:"-"` // only in-process: stop embedding after this time; 0: no limit
}

// ContextRequest sets the current context.
type ContextRequest struct {
	Workspace string   `json:"workspace,omitempty"`
	Text      string   `json:"text"`
	TTLHours  *float64 `json:"ttl_hours,omitempty"` // default 4

	// Sender is the user whose prompts begin with it. Without one, they are everybody's.
	Sender
}

// ContextOf names a current context: that of the sender, or everybody's.
type ContextOf struct {
	Workspace string `json:"workspace,omitempty"`
	Sender
}

// StatsRequest requests the counts of a workspace. With a sender, or for a model, they are
// those of the memories that these may get.
type StatsRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Sender
	For Audience `json:"for,omitempty"` // default: a person
}

// FilesRequest requests files as a host may inject them. Their answer is always for
// a model.
type FilesRequest struct {
	Workspace string   `json:"workspace,omitempty"`
	Paths     []string `json:"path,omitempty"` // default MEMORY.md and USER.md
	Agent     string   `json:"agent,omitempty"`
	Scope     Scope    `json:"scope,omitempty"`
	Sender
	For Audience `json:"for,omitempty"`
}

// AuditRequest requests decisions, newest first.
type AuditRequest struct {
	Workspace string `json:"workspace,omitempty"`
	ID        string `json:"id,omitempty"` // prefix; empty: any memory
	Action    string `json:"action,omitempty"`
	Source    string `json:"source,omitempty"` // cli, file, tool, agent, decay or capture; empty: any
	Limit     int    `json:"limit,omitempty"`
	Offset    int    `json:"offset,omitempty"`
}

// VerifyRequest asks where a text can still be found. It names the text, a memory that has
// it, or a receipt of destroy.
type VerifyRequest struct {
	Workspace string          `json:"workspace,omitempty"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`      // a unique prefix is enough
	Receipt   json.RawMessage `json:"receipt,omitempty"` // as destroy completed or began it
	Sender
	For Audience `json:"for,omitempty"` // default: a person. A model names an id, so that it cannot try texts
}

// AllMarkdown is the pattern of every Markdown file below a folder.
const AllMarkdown = "**/*.md"

// WorkspaceRequest registers a workspace, or adds patterns to a registered one.
type WorkspaceRequest struct {
	Name  string   `json:"name"`
	Path  string   `json:"path,omitempty"`  // absolute
	Globs []string `json:"globs,omitempty"` // patterns of more files to index, relative to Path
	All   bool     `json:"all,omitempty"`   // index every Markdown file: the pattern AllMarkdown

	Client string `json:"client,omitempty"` // whose own memory the folder is, such as claude-code, or documents; it is only read. Empty: a person's

	Progress func(Progress) `json:"-"` // nil: no progress is reported
}

// Patterns returns the patterns that the request adds.
func (r WorkspaceRequest) Patterns() []string {
	if r.All && !slices.Contains(r.Globs, AllMarkdown) {
		return append([]string{AllMarkdown}, r.Globs...)
	}
	return r.Globs
}
