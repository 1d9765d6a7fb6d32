package hostsetup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/memory-tiered/memory/internal/machine"
)

// Severity tells whether something is missing.
type Severity string

// Severities. An error means that a part of the memory is inert.
const (
	OK      Severity = "ok"
	Warning Severity = "warning"
	Failed  Severity = "error"
)

// Finding is one thing that a status looked at.
type Finding struct {
	Check    string   `json:"check"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Fix      string   `json:"fix"` // a command; empty where nothing is to be done
}

// Report says what of a setup works, and what is inert and why.
type Report struct {
	OK           bool         `json:"ok"`
	Installation Installation `json:"installation"`
	Version      string       `json:"version"`
	HostStarted  *time.Time   `json:"host_started"` // null: no gateway runs
	LastTurn     *time.Time   `json:"last_turn"`    // when a hook last reached the service; null: never
	Findings     []Finding    `json:"findings"`
}

func (r *Report) add(check string, severity Severity, fix, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{Check: check, Severity: severity, Message: fmt.Sprintf(format, args...), Fix: fix})
}

// expect adds a finding that is an error unless a condition holds.
func (r *Report) expect(holds bool, check, good, bad, fix string) {
	if holds {
		r.add(check, OK, "", "%s", good)
		return
	}
	r.add(check, Failed, fix, "%s", bad)
}

const setupCommand = "memory openclaw setup"

// Status looks at everything that a turn needs. It changes nothing. Without o.Deep it reads
// files and does not start the host.
func Status(ctx context.Context, o Options) (Report, error) {
	r := Report{Installation: o.Host.Installation}
	src, err := readConfig(o.Host.Installation.Config)
	if err != nil {
		return r, err
	}
	if src == nil {
		src = []byte("{}")
	}
	d, err := parseConfig(src)
	if err != nil {
		return r, err
	}
	record, err := ReadRecord(o.StateDir)
	if err != nil {
		return r, err
	}
	used := r.checkSettings(d)
	r.checkHost(ctx, o, d, record)
	r.checkService(ctx, o.Machine)
	if used {
		err = r.checkAgents(ctx, o, record)
	}
	if err != nil {
		return r, err
	}
	r.OK = !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == Failed })
	return r, nil
}

func (r *Report) checkService(ctx context.Context, m Machine) {
	version, fix := m.DaemonVersion(ctx), "memory serve"
	if installed, err := m.ServiceInstalled(ctx); err == nil && installed {
		fix = "memory service start"
	}
	r.expect(version != "", "service", "the service answers (version "+version+")", "the service does not answer, so a turn gets no memories", fix)
}

// checkSettings looks at the host's configuration file. It reports whether the plugin is the
// host's memory: if not, no other setting of it matters.
func (r *Report) checkSettings(d *document) (used bool) {
	slot := d.value("plugins.slots.memory")
	r.expect(slot == pluginID, "slot", "the plugin has the memory slot", fmt.Sprintf("the memory slot belongs to %v, so the plugin is not used", slotName(slot)), setupCommand)
	if slot != pluginID {
		return false
	}
	r.expect(d.value(pluginEntry+".enabled") != false, "enabled", "the plugin is on", "the plugin is turned off", setupCommand)
	r.expect(d.value(pluginEntry+".hooks.allowConversationAccess") == true, "permission", "the plugin may see conversations",
		"the plugin may not see conversations: recall and capture are inert", setupCommand)
	if d.value(pluginEntry+".config.autoRecall") == false {
		r.add("recall", Warning, "", "autoRecall is false: only the tools find memories")
	}
	isOff := func(phase string) bool {
		return d.value(pluginEntry+".config.dreaming.phases."+phase+".enabled") == false
	}
	switch off := d.value(pluginEntry+".config.dreaming.enabled") == false; {
	case off:
		r.add("intents", Warning, setupCommand, "the host does not load memory-core, so its tool intent and all standing intents are inert")
	case slices.IndexFunc(dreamingPhases, func(phase string) bool { return !isOff(phase) }) >= 0:
		r.add("dreaming", Warning, setupCommand, "dreaming is on: the host keeps an index of its own, also of forgotten texts")
	}
	if d.value("env.vars.OPENCLAW_TRAJECTORY") != "0" && d.value("env.OPENCLAW_TRAJECTORY") != "0" {
		r.add("trajectory", Warning, setupCommand, "the host stores every prompt with its memories, where forget and destroy do not reach")
	}
	return true
}

func slotName(slot any) any {
	if slot == nil {
		return "memory-core"
	}
	return slot
}

// recallHook is the hook that puts memories before a message.
const recallHook = "before_prompt_build"

// checkAgents looks at the agents' folders, and at when a turn last reached the
// service.
func (r *Report) checkAgents(ctx context.Context, o Options, record *Record) error {
	var agents []Agent
	if record != nil {
		agents = record.Host.Agents
	}
	if o.Deep {
		var err error
		if agents, err = o.Host.Agents(ctx); err != nil {
			r.add("agents", Failed, "", "%v", err)
			return nil
		}
	}
	known, err := o.Machine.Workspaces(ctx)
	if err != nil {
		return err
	}
	var last time.Time
	for _, agent := range agents {
		name := registeredName(known, agent.Dir)
		r.expect(name != "", "workspace", agent.ID+" has the workspace "+name, "the folder of the agent "+agent.ID+" is not registered: "+agent.Dir, setupCommand)
		if name == "" {
			continue
		}
		turn, err := o.Machine.LastTurn(ctx, name)
		if err != nil {
			return err
		}
		if turn.After(last) {
			last = turn
		}
	}
	r.checkTurns(last, gatewayStart(o.Host.Installation.StateDir))
	return nil
}

// checkTurns compares the last turn with the start of the host.
func (r *Report) checkTurns(last, started time.Time) {
	if !last.IsZero() {
		r.LastTurn = &last
	}
	if !started.IsZero() {
		r.HostStarted = &started
	}
	const fix = "openclaw agent --agent main --message \"What do you remember?\""
	switch {
	case last.IsZero():
		r.add("turns", Failed, fix, "no hook of the plugin has fired yet; after a turn this line changes")
	case last.Before(started):
		r.add("turns", Failed, fix, "no hook of the plugin has fired since the host started at %s", started.Local().Format("2006-01-02 15:04"))
	default:
		r.add("turns", OK, "", "a turn reached the memory at %s", last.Local().Format("2006-01-02 15:04"))
	}
}

// gatewayStart returns when the running gateway of an installation started; zero: none
// runs. The gateway writes it into its lock file.
func gatewayStart(stateDir string) time.Time {
	name := "openclaw"
	if uid := os.Getuid(); uid >= 0 {
		name += "-" + strconv.Itoa(uid)
	}
	src, err := os.ReadFile(filepath.Join(stateDir, "tmp", name, "gateway.state.lock"))
	if err != nil {
		return time.Time{}
	}
	var lock struct {
		PID       int       `json:"pid"`
		CreatedAt time.Time `json:"createdAt"`
		Role      string    `json:"role"`
	}
	if json.Unmarshal(src, &lock) != nil || lock.Role != "" && lock.Role != "gateway" || !machine.IsAlive(lock.PID) {
		return time.Time{}
	}
	return lock.CreatedAt
}
