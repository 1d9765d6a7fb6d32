package hostsetup

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
)

// Known is what the host told the last setup about itself. Starting the host takes some
// seconds of processor time, so a status uses this unless it is asked for more.
type Known struct {
	Version string  `json:"version"`
	Agents  []Agent `json:"agents"`
}

// knownVersion returns the version of the host without starting it: that of its package,
// or of the last setup. It is empty if neither is known.
func (h Host) knownVersion(r *Record) string {
	if file, err := filepath.EvalSymlinks(h.Command); err == nil {
		for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			src, err := os.ReadFile(filepath.Join(dir, "package.json"))
			var p struct{ Name, Version string }
			if err == nil && json.Unmarshal(src, &p) == nil && p.Name == "openclaw" {
				return p.Version
			}
		}
	}
	if r == nil {
		return ""
	}
	return r.Host.Version
}

// checkHost looks at the host's version, and whether the host loads the plugin. Only with
// o.Deep it starts the host.
func (r *Report) checkHost(ctx context.Context, o Options, d *document, record *Record) {
	r.Version = o.Host.knownVersion(record)
	note, err := checkVersion(r.Version)
	if r.Version == "" && o.Deep {
		r.Version, note, err = o.Host.Version(ctx)
	}
	if err != nil {
		r.add("host", Failed, "", "%v", err)
		return
	}
	if note != "" {
		r.add("host", Warning, "", "%s", note)
	}
	dir := PluginDir(o.StateDir)
	same, err := samePlugin(o.Plugin, dir)
	switch {
	case err != nil || !same:
		r.add("plugin", Failed, setupCommand, "the plugin in %s is missing or of another version", dir)
	case o.Deep:
		r.inspect(ctx, o.Host)
	case checkUsable(d) != nil:
		r.add("plugin", Failed, "", "the host does not load the plugin: %v", checkUsable(d))
	case !d.has("plugins.load.paths", dir):
		r.add("plugin", Failed, setupCommand, "the host does not load the plugin: plugins.load.paths lacks %s", dir)
	case !mayLoad(d):
		r.add("plugin", Failed, setupCommand, "the host does not load the plugin: plugins.allow lacks %s", pluginID)
	default:
		r.add("plugin", OK, "", "the configuration loads the plugin (--deep asks the host)")
	}
}

// mayLoad reports whether the host's list of allowed plugins has ours, or is empty.
func mayLoad(d *document) bool {
	allow, _ := d.value("plugins.allow").([]any)
	return len(allow) == 0 || d.has("plugins.allow", pluginID)
}

// inspect makes the host load the plugin.
func (r *Report) inspect(ctx context.Context, h Host) {
	i, err := h.Inspect(ctx)
	switch {
	case err != nil:
		r.add("plugin", Failed, setupCommand, "the host cannot load the plugin: %v", err)
	case i.problem() != "":
		r.add("plugin", Failed, setupCommand, "the host %s", i.problem())
	default:
		r.add("plugin", OK, "", "the host loads the plugin %s with %d hooks and %d tools", i.Version, len(i.Hooks), len(i.Tools))
	}
}

// checkVersion returns a note if a version is newer than the tested one. An older one is
// an error. An unknown one is neither.
func checkVersion(version string) (note string, err error) {
	if version == "" {
		return "", nil
	}
	switch compareVersions(version, testedVersion) {
	case -1:
		return "", memory.Conflict("OpenClaw %s is too old: the plugin needs %s", version, testedVersion).WithHint("update it: openclaw update")
	case 1:
		return "OpenClaw " + version + " is newer than the tested " + testedVersion + "; its plugin interface may have changed", nil
	}
	return "", nil
}
