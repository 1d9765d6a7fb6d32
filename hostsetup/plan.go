package hostsetup

import (
	"reflect"

	"github.com/memory-tiered/memory"
)

// pluginID is the plugin's name in the host.
const pluginID = "memory-tiered"

// pluginEntry is the path of the plugin's settings in the host's configuration.
const pluginEntry = "plugins.entries." + pluginID

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
}

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
	list := []Change{
		{Path: "plugins.load.paths", Append: true, After: paths.Plugin, Reason: "the host loads the plugin from here"},
		{Path: "plugins.slots.memory", After: pluginID, Reason: "the plugin is the host's memory"},
		{Path: pluginEntry + ".enabled", After: true, Reason: "the plugin is on"},
		{Path: pluginEntry + ".hooks.allowConversationAccess", After: true, Reason: "without it the host runs neither recall nor capture"},
		{Path: pluginEntry + ".config.stateDir", After: paths.StateDir, Reason: "the plugin finds the service here"},
	}
	if paths.Binary != "" {
		list = append(list, Change{Path: pluginEntry + ".config.binary", After: paths.Binary, Reason: "the gateway starts the service with this program where nothing else does"})
	}
	if !c.KeepDreaming {
		list = append(list, Change{Path: pluginEntry + ".config.dreaming.enabled", After: true,
			Reason: "the host then loads memory-core beside the plugin, which has the tool intent and the standing intents"})
		for _, phase := range dreamingPhases {
			list = append(list, Change{Path: pluginEntry + ".config.dreaming.phases." + phase + ".enabled", After: false,
				Reason: "dreaming keeps an index of its own, also of forgotten texts, and a nightly job writes from it into MEMORY.md"})
		}
	}
	if !c.KeepTrajectory {
		list = append(list, Change{Path: "env.vars.OPENCLAW_TRAJECTORY", After: "0",
			Reason: "else the host stores every prompt with its memories, where forget and destroy do not reach"})
	}
	return list
}

// makePlan computes the changes of a configuration; src is nil if it does not exist.
func makePlan(src []byte, paths Paths, c Choices) (Plan, error) {
	p := Plan{Before: src, After: src}
	if src == nil {
		p.After = []byte("{}\n")
	}
	d, err := parseConfig(p.After)
	if err != nil {
		return Plan{}, err
	}
	if err := checkUsable(d); err != nil {
		return Plan{}, err
	}
	list := wanted(paths, c)
	if !mayLoad(d) {
		list = append(list, Change{Path: "plugins.allow", Append: true, After: pluginID, Reason: "the host loads only the plugins that this list names"})
	}
	for _, change := range list {
		if err := p.add(d, change); err != nil {
			return Plan{}, err
		}
	}
	if len(p.Changes) == 0 {
		p.After = p.Before
	} else {
		p.After = d.Bytes()
	}
	return p, nil
}

// checkUsable reports settings that only the person may change.
func checkUsable(d *document) error {
	if d.value("plugins.enabled") == false {
		return memory.Conflict("plugins.enabled is false, so the host loads no plugin").
			WithHint("turn plugins on first: openclaw config set plugins.enabled true")
	}
	if d.has("plugins.deny", pluginID) {
		return memory.Conflict("plugins.deny lists %s, so the host does not load the plugin", pluginID).
			WithHint("remove it from the list first")
	}
	return nil
}

// add makes one change, unless the configuration has the value already.
func (p *Plan) add(d *document, c Change) error {
	c.Before = d.value(c.Path)
	if c.Append && d.has(c.Path, c.After.(string)) || reflect.DeepEqual(c.Before, c.After) {
		return nil
	}
	if err := d.apply(c); err != nil {
		return memory.Conflict("%s cannot be set in the configuration of OpenClaw, because a value of another kind is there", c.Path).
			WithHint("correct the file first; openclaw doctor may help")
	}
	p.Changes = append(p.Changes, c)
	return nil
}

// Diff returns the changes as a unified diff, with secrets masked.
func (p Plan) Diff(file string) string {
	return FileChange{Path: file, Before: p.Before, After: p.After}.Diff()
}
