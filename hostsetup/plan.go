package hostsetup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup/json5"
	"github.com/memory-tiered/memory/internal/secrets"
)

// PluginID is the plugin's name in the host.
const PluginID = "memory-tiered"

// Choices are what a person decides about a setup.
type Choices struct {
	KeepDreaming   bool // the host's own memory goes on beside ours
	KeepTrajectory bool // the host goes on storing every prompt
}

// Change is one change of the host's configuration.
type Change struct {
	Path   string `json:"path"`             // keys with dots between them, as the host's commands take it
	Append bool   `json:"append,omitempty"` // After is added to the list at Path
	Before any    `json:"before"`           // null: there was no value
	After  any    `json:"after"`
	Reason string `json:"reason"`

	Raw     string `json:"raw,omitempty"` // source text of Before
	Existed int    `json:"existed"`       // how many keys of Path existed; the change made the others
}

func (c Change) keys() []string { return strings.Split(c.Path, ".") }

// Plan is what a setup does to the host's configuration.
type Plan struct {
	Changes []Change
	Before  []byte // nil: the file does not exist
	After   []byte
}

// Paths are where the plugin finds this program. They are absolute.
type Paths struct {
	Plugin   string // the plugin's folder
	StateDir string // the service's state folder
	Binary   string // the program that runs the service; empty: the one in PATH
}

// dreamingPhases are the steps of the host's dreaming. With none of them, it does nothing.
var dreamingPhases = []string{"light", "deep", "rem"}

// wanted lists the values that the host needs.
func wanted(paths Paths, c Choices) []Change {
	const entry = "plugins.entries." + PluginID
	list := []Change{
		{Path: "plugins.load.paths", Append: true, After: paths.Plugin, Reason: "the host loads the plugin from here"},
		{Path: "plugins.slots.memory", After: PluginID, Reason: "the plugin is the host's memory"},
		{Path: entry + ".enabled", After: true, Reason: "the plugin is on"},
		{Path: entry + ".hooks.allowConversationAccess", After: true, Reason: "without it the host runs neither recall nor capture"},
		{Path: entry + ".config.stateDir", After: paths.StateDir, Reason: "the plugin finds the service here"},
	}
	if paths.Binary != "" {
		list = append(list, Change{Path: entry + ".config.binary", After: paths.Binary, Reason: "the gateway starts the service with this program where nothing else does"})
	}
	if !c.KeepDreaming {
		list = append(list, Change{Path: entry + ".config.dreaming.enabled", After: true,
			Reason: "the host then loads memory-core beside the plugin, which has the tool intent and the standing intents"})
		for _, phase := range dreamingPhases {
			list = append(list, Change{Path: entry + ".config.dreaming.phases." + phase + ".enabled", After: false,
				Reason: "dreaming keeps an index of its own, also of forgotten texts, and a nightly job writes from it into MEMORY.md"})
		}
	}
	if !c.KeepTrajectory {
		list = append(list, Change{Path: "env.vars.OPENCLAW_TRAJECTORY", After: "0",
			Reason: "else the host stores every prompt with its memories, where forget and destroy do not reach"})
	}
	return list
}

// MakePlan computes the changes of a configuration; src is nil if it does not exist.
func MakePlan(src []byte, paths Paths, c Choices) (Plan, error) {
	p := Plan{Before: src, After: src}
	if src == nil {
		p.After = []byte("{}\n")
	}
	root, err := parseConfig(p.After)
	if err != nil {
		return Plan{}, err
	}
	if err := checkUsable(root); err != nil {
		return Plan{}, err
	}
	list := wanted(paths, c)
	if allow := root.Lookup("plugins", "allow"); allow != nil && allow.Kind == json5.Array && len(allow.Elements) > 0 {
		list = append(list, Change{Path: "plugins.allow", Append: true, After: PluginID, Reason: "the host loads only the plugins that this list names"})
	}
	for _, change := range list {
		if err := p.add(change); err != nil {
			return Plan{}, err
		}
	}
	if len(p.Changes) == 0 {
		p.After = p.Before
	}
	return p, nil
}

func parseConfig(src []byte) (*json5.Value, error) {
	root, err := json5.Parse(src)
	if err == nil && root.Kind != json5.Object {
		err = errors.New("it is not an object")
	}
	if err != nil {
		return nil, memory.Invalid("", "the configuration of OpenClaw is not valid: %v", err).
			WithHint("correct the file first; openclaw doctor may help")
	}
	return root, nil
}

// checkUsable reports settings that only the person may change.
func checkUsable(root *json5.Value) error {
	if v := root.Lookup("plugins", "enabled"); v != nil && v.Any() == false {
		return memory.Conflict("plugins.enabled is false, so the host loads no plugin").
			WithHint("turn plugins on first: openclaw config set plugins.enabled true")
	}
	if v := root.Lookup("plugins", "deny"); v != nil {
		if deny, ok := v.Any().([]any); ok && slices.Contains(deny, any(PluginID)) {
			return memory.Conflict("plugins.deny lists %s, so the host does not load the plugin", PluginID).
				WithHint("remove it from the list first")
		}
	}
	return nil
}

// add makes one change, unless the configuration has the value already.
func (p *Plan) add(c Change) error {
	root, err := parseConfig(p.After)
	if err != nil {
		return err
	}
	path := c.keys()
	for c.Existed < len(path) && root.Lookup(path[:c.Existed+1]...) != nil {
		c.Existed++
	}
	if v := root.Lookup(path...); v != nil {
		c.Before, c.Raw = v.Any(), string(p.After[v.Start:v.End])
	}
	var next []byte
	if c.Append {
		next, err = json5.Append(p.After, path, c.After.(string))
	} else {
		next, err = json5.Set(p.After, path, c.After)
	}
	if err != nil {
		return memory.Conflict("%s cannot be set in the configuration of OpenClaw: %v", c.Path, err).
			WithHint("correct the file first; openclaw doctor may help")
	}
	if string(next) == string(p.After) {
		return nil
	}
	if _, err := parseConfig(next); err != nil {
		return fmt.Errorf("set %s: %w", c.Path, err) // a bug in the editor
	}
	p.After, p.Changes = next, append(p.Changes, c)
	return nil
}

// Diff returns the changes as a unified diff, with secrets masked.
func (p Plan) Diff(file string) string {
	return secrets.Mask(string(diff.Diff(file, p.Before, file+" (new)", p.After)))
}
