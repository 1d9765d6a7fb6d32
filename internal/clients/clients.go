// Package clients has the table of the programs with agents. A client is an entry of
// clients.yaml, and no code. The package reads the table, and finds the Markdown memories and
// the conversations that clients keep by themselves. What is in their folders belongs to them.
package clients

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Moment is what an event means, whatever a client calls it.
type Moment string

// The moments of events.
const (
	Start      Moment = "start"      // a session begins, goes on or begins anew
	Prompt     Moment = "prompt"     // before a prompt
	Task       Moment = "task"       // before a subagent gets its task
	Subagent   Moment = "subagent"   // a subagent begins
	Compaction Moment = "compaction" // before the client shortens the conversation
	Stop       Moment = "stop"       // the end of a turn
)

// Client is a program with an agent. The head of clients.yaml explains the fields.
type Client struct {
	Name    string
	Also    string // another name
	Title   string
	Program string
	Tried   bool   // make e2e-agents runs the real client
	Folder  string // exists where the client was used
	Moved   string // the variable that names another folder
	Mac     string // the folder on macOS
	Files   []File // that setup edits
	Next    []string

	Events          Entries  // with their moments
	Flat            bool     // its hooks print additionalContext by itself
	AgentsAreItsOwn bool     `yaml:"agents_are_its_own"` // subagents run for the client, and not for the user
	TaskTools       []string `yaml:"task_tools"`         // the tools that start a subagent
	SideCalls       []string `yaml:"side_calls"`         // how its own prompts begin, such as those for titles

	Memories    []string // folders of its own memories, below its folder; * is the slug of a project
	Loads       []string // files of such a folder that it puts before its model by itself
	Transcripts []string // patterns of its conversations below its folder; none: they are not read
}

// File is a file of a client, and what setup adds to it.
type File struct {
	Path    string
	Moved   []string
	Mac     string
	Or      []string
	Format  string // empty: JSON
	Append  Entries
	Set     Entries
	Content string // the whole file is ours
	Trusts  string // where the file has the hashes of trusted hooks
}

// Entry is a value with its key.
type Entry struct {
	Key   string
	Value *yaml.Node
}

// Entries are in the order of the table.
type Entries []Entry

// UnmarshalYAML reads a mapping and keeps its order.
func (e *Entries) UnmarshalYAML(node *yaml.Node) error {
	for pair := range slices.Chunk(node.Content, 2) {
		*e = append(*e, Entry{pair[0].Value, pair[1]})
	}
	return nil
}

//go:embed clients.yaml
var table []byte

// All returns all clients, those with hooks first.
var All = sync.OnceValue(func() (all []Client) {
	if err := yaml.Unmarshal(table, &all); err != nil {
		panic("clients.yaml: " + err.Error()) // every test of setup and hooks shows it
	}
	for i := range all {
		for j := range all[i].Files {
			all[i].expand(&all[i].Files[j])
		}
	}
	return all
})

// expand replaces an entry with $event in its key by one for each event without its own.
func (c *Client) expand(f *File) {
	var all Entries
	for _, e := range f.Append {
		if !strings.Contains(e.Key, "$event") {
			all = append(all, e)
			continue
		}
		for _, event := range c.Events {
			key := strings.ReplaceAll(e.Key, "$event", event.Key)
			if !slices.ContainsFunc(f.Append, func(own Entry) bool { return own.Key == key }) {
				all = append(all, Entry{key, e.Value})
			}
		}
	}
	f.Append = all
}

// Named returns the client with a name. A name that is not known has an empty client.
func Named(name string) Client {
	all := All()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name || c.Also == name }); name != "" && i >= 0 {
		return all[i]
	}
	return Client{}
}

// Moment returns what an event of the client means; empty: nothing.
func (c Client) Moment(event string) Moment {
	if i := slices.IndexFunc(c.Events, func(e Entry) bool { return e.Key == event }); i >= 0 {
		return Moment(c.Events[i].Value.Value)
	}
	return ""
}

// Event returns the client's name for a moment; empty: it has none.
func (c Client) Event(m Moment) string {
	if i := slices.IndexFunc(c.Events, func(e Entry) bool { return e.Value.Value == string(m) }); i >= 0 {
		return c.Events[i].Key
	}
	return ""
}
