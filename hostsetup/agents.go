package hostsetup

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Agent is an agent of the host with its folder.
type Agent struct {
	ID        string `json:"agent"`
	Dir       string `json:"path"`
	Workspace string `json:"name"`  // its name in this memory, once registered
	Added     bool   `json:"added"` // this setup registered it
}

// Agents asks the host for its agents, as it resolves them from its configuration.
func (h Host) Agents(ctx context.Context) ([]Agent, error) {
	out, err := h.run(ctx, "agents", "list", "--json")
	if err != nil {
		return nil, err
	}
	var listed []struct{ ID, Workspace string }
	if err := jsonFrom(out, &listed); err != nil {
		return nil, memory.Unavailable(err, "openclaw agents list")
	}
	var agents []Agent
	for _, a := range listed {
		if filepath.IsAbs(a.Workspace) {
			agents = append(agents, Agent{ID: a.ID, Dir: filepath.Clean(a.Workspace)})
		}
	}
	return agents, nil
}

// Inspection is what the host reports about the loaded plugin.
type Inspection struct {
	Status  string   `json:"status"` // "loaded", or why not
	Hooks   []string `json:"hooks"`
	Tools   []string `json:"tools"`
	Errors  []string `json:"errors"`
	Version string   `json:"version"`
}

// Inspect makes the host load the plugin and report it.
func (h Host) Inspect(ctx context.Context) (Inspection, error) {
	out, err := h.run(ctx, "plugins", "inspect", PluginID, "--runtime", "--json")
	if err != nil {
		return Inspection{}, err
	}
	var answer struct {
		Plugin struct{ Status, Error, Version string }
		Typed  []struct{ Name string }     `json:"typedHooks"`
		Custom []struct{ Events []string } `json:"customHooks"`
		Tools  []struct{ Names []string }
		Notes  []struct{ Level, PluginID, Message string } `json:"diagnostics"`
	}
	if err := jsonFrom(out, &answer); err != nil {
		return Inspection{}, memory.Unavailable(err, "openclaw plugins inspect")
	}
	i := Inspection{Status: answer.Plugin.Status, Version: answer.Plugin.Version}
	for _, hook := range answer.Typed {
		i.Hooks = append(i.Hooks, hook.Name)
	}
	for _, hook := range answer.Custom {
		i.Hooks = append(i.Hooks, hook.Events...)
	}
	for _, tool := range answer.Tools {
		i.Tools = append(i.Tools, tool.Names...)
	}
	for _, note := range answer.Notes {
		if note.Level == "error" && note.PluginID == PluginID {
			i.Errors = append(i.Errors, note.Message)
		}
	}
	return i, nil
}

// Check makes the host load the plugin with the new configuration. If that fails, a
// first setup is taken back.
func (s *Setup) Check(ctx context.Context) (*Inspection, error) {
	i, err := s.Host.Inspect(ctx)
	switch {
	case err != nil:
	case i.Status != "loaded" || len(i.Errors) > 0:
		err = memory.Unavailable(nil, "OpenClaw does not load the plugin: %s", strings.Join(append(i.Errors, i.Status), "; "))
	case !slices.Contains(i.Hooks, RecallHook):
		err = memory.Unavailable(nil, "OpenClaw does not run the plugin's hook %s", RecallHook)
	}
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	return &i, nil
}

// RunCanary sends the text of a memory as a message through the hooks of a turn of the
// installed plugin, for one agent.
func (s *Setup) RunCanary(ctx context.Context, agent Agent) (Canary, error) {
	prompt, err := s.Machine.Probe(ctx, agent.Workspace)
	if err != nil {
		return Canary{}, err
	}
	empty := prompt == ""
	if empty {
		prompt = "Which decisions did we make about the database?"
	}
	canary, err := s.Host.runPlugin(ctx, PluginDir(s.StateDir), s.StateDir, agent, prompt)
	canary.Agent = agent.ID
	switch {
	case err != nil:
	case len(canary.Warnings) > 0:
		canary.Problem = canary.Warnings[0]
	case canary.Context == "" && !empty:
		canary.Problem = "the plugin adds no memory to a message that repeats one"
	}
	return canary, err
}

// Canary is the result of one turn's requests through the plugin's own code.
type Canary struct {
	Agent    string   `json:"agent"`
	Hooks    []string `json:"hooks"`
	Context  string   `json:"context"` // what the plugin would put before the prompt
	Warnings []string `json:"warnings"`
	TookMS   float64  `json:"took_ms"`
	Problem  string   `json:"problem"` // why the plugin would give no memories; empty: it does
}

// CanarySession marks the turns of a canary in receipts.
const CanarySession = "setup-canary"

// runPlugin sends a prompt through the installed plugin.
func (h Host) runPlugin(ctx context.Context, pluginDir, stateDir string, agent Agent, prompt string) (Canary, error) {
	arguments, err := json.Marshal(map[string]any{"config": map[string]any{"stateDir": stateDir},
		"workspaceDir": agent.Dir, "agentId": agent.ID, "session": CanarySession, "prompt": prompt})
	if err != nil {
		return Canary{}, err
	}
	out, err := h.runCanary(ctx, pluginDir, string(arguments))
	if err != nil {
		return Canary{}, err
	}
	var canary Canary
	if err := jsonFrom(out, &canary); err != nil {
		return Canary{}, memory.Unavailable(err, "run the plugin")
	}
	return canary, nil
}
