// Package knowledge has the nouns of what is derived from memories: names and their relations,
// scenes, and a profile of the owner. Each part names its sources, and goes with them.
package knowledge

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Kind is how the memories relate two names.
type Kind string

// The kinds of edges, the strongest first.
const (
	Stated   Kind = "stated"   // by a sentence or a property of a trusted memory
	Link     Kind = "link"     // the note of one has a link to the other
	Together Kind = "together" // both are in one memory
)

// Edge is a relation of one name to another one.
type Edge struct {
	Subject  string                `json:"subject"`
	Relation string                `json:"relation"` // as the tables name it, or the key of a property; "links to" or "with" for the other kinds
	Object   string                `json:"object"`
	Kind     Kind                  `json:"kind"`
	Hops     int                   `json:"hops"`     // the distance from the name that was asked for; 1: it is one of the two
	Memories int                   `json:"memories"` // how many are its sources
	Since    time.Time             `json:"since"`    // when the oldest source was created
	Until    *time.Time            `json:"until"`    // when a newer value or a sentence ended it; nil: it holds
	Trust    memory.TrustTier      `json:"trust_tier"`
	Sources  memory.List[Evidence] `json:"sources"` // the newest first, at most MaxSources
}

// Other returns the other one of the two names.
func (e Edge) Other(name string) string {
	if e.Subject == name {
		return e.Object
	}
	return e.Subject
}

// MaxSources is the most sources that an edge lists. Names that are often together have many.
const MaxSources = 5

// DefaultEdges is how many edges of one name a graph has: one screen.
const DefaultEdges = 20

// Evidence is a memory, with its place: "memory/people.md:12".
type Evidence struct {
	ID    memory.ID `json:"id"`
	Place string    `json:"place"`
}

// Graph is what is related to a name.
type Graph struct {
	Name    string            `json:"name"`
	Edges   memory.List[Edge] `json:"edges"`    // those of fewer hops first, then the strongest
	LeftOut int               `json:"left_out"` // how many edges the limit left out
	Stale   bool              `json:"stale,omitempty"`
}

// ProfileRequest requests what is known of the owner.
type ProfileRequest struct {
	Workspace string          `json:"workspace,omitempty"`
	MaxTokens *int            `json:"max_tokens,omitempty"` // default DefaultTokens, 0: no limit
	For       memory.Audience `json:"for,omitempty"`        // who reads the answer; default: a person
	memory.Sender
}

// DefaultTokens is the size of a profile in tokens of 4 bytes: one page.
const DefaultTokens = 800

// Profile is one page of what is known of the owner.
type Profile struct {
	Sections memory.List[Section] `json:"sections"`
	Tokens   int                  `json:"tokens"`
	LeftOut  int                  `json:"left_out"` // how many memories the budget left out
	Stale    bool                 `json:"stale,omitempty"`
}

// Section is a part of a profile.
type Section struct {
	Title string            `json:"title"`
	Lines memory.List[Line] `json:"lines"` // the most important first
}

// Line is one memory, on one line.
type Line struct {
	Text  string    `json:"text"`
	ID    memory.ID `json:"id"`
	Place string    `json:"place"`
}

// String returns the line with its source.
func (l Line) String() string { return l.Text + " (" + l.Place + ", " + l.ID.Short() + ")" }

// Markdown returns the page as Markdown, each line with its source if they are wanted.
func (p Profile) Markdown(sources bool) string {
	var b strings.Builder
	for i, s := range p.Sections {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("## " + s.Title + "\n\n")
		for _, line := range s.Lines {
			text := line.Text
			if sources {
				text = line.String()
			}
			b.WriteString("- " + text + "\n")
		}
	}
	return b.String()
}
