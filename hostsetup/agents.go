package hostsetup

import (
	"context"
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
	out, err := h.run(ctx, "plugins", "inspect", pluginID, "--runtime", "--json")
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
		if note.Level == "error" && note.PluginID == pluginID {
			i.Errors = append(i.Errors, note.Message)
		}
	}
	return i, nil
}

// Check makes the host load the plugin with the new configuration. If that fails, a
// first setup is taken back.
func (s *Setup) Check(ctx context.Context) (*Inspection, error) {
	i, err := s.Host.Inspect(ctx)
	if err == nil && i.problem() != "" {
		err = memory.Unavailable(nil, "OpenClaw %s", i.problem())
	}
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	return &i, nil
}

// problem returns why the plugin does not work; empty: it works.
func (i Inspection) problem() string {
	switch {
	case i.Status != "loaded" || len(i.Errors) > 0:
		return "does not load the plugin: " + strings.Join(append(i.Errors, i.Status), "; ")
	case !slices.Contains(i.Hooks, recallHook):
		return "does not run the plugin's hook " + recallHook + ", so recall is inert"
	}
	return ""
}
