package hostsetup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/clients"
)

var errNoAnswer = errors.New("no answer")

// ClientCheck is one thing that setup tried.
type ClientCheck struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// checkTimeout is how long a check may take. A server opens the index first.
const checkTimeout = 10 * time.Second

// Check starts this program as the client would: the hook before a prompt, and the server.
func (s *ClientSetup) Check(ctx context.Context) (checks []ClientCheck) {
	if s.Client.Event(clients.Prompt) != "" {
		checks = append(checks, s.checkHook(ctx))
	}
	checks = append(checks, s.checkServer(ctx))
	if keys := s.Untrusted(); len(keys) > 0 {
		checks = append(checks, ClientCheck{"trust", false, fmt.Sprintf("%s does not run %d of our hooks, because you do not trust them yet", s.Client.Title, len(keys))})
	}
	return checks
}

// sampleEvent is an event before a prompt that recalls nothing.
const sampleEvent = `{"session_id":"memory-setup","prompt":"thanks","cwd":"/"}`

func (s *ClientSetup) checkHook(ctx context.Context) ClientCheck {
	start := time.Now()
	out, err := s.start(ctx, sampleEvent, "hook", s.Client.Name, s.Client.Event(clients.Prompt))
	detail := fmt.Sprintf("memory hook %s %s: exit 0 in %d ms", s.Client.Name, s.Client.Event(clients.Prompt), time.Since(start).Milliseconds())
	if err == nil && len(bytes.TrimSpace(out)) > 0 && !json.Valid(out) {
		err = errors.New("it prints no JSON")
	}
	if err != nil {
		detail = "memory hook: " + err.Error()
	}
	return ClientCheck{"hook", err == nil, detail}
}

// handshake is what a client sends first.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"memory-setup","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

func (s *ClientSetup) checkServer(ctx context.Context) ClientCheck {
	start := time.Now()
	out, err := s.start(ctx, handshake, "mcp")
	tools := strings.Count(string(out), `"inputSchema"`)
	if err == nil && tools == 0 {
		err = errors.New("it lists no tools")
	}
	if err != nil {
		return ClientCheck{"server", false, "memory mcp: " + err.Error()}
	}
	return ClientCheck{"server", true, fmt.Sprintf("memory mcp: %d tools in %d ms", tools, time.Since(start).Milliseconds())}
}

// start runs this program with the environment that clients give, and returns its output.
func (s *ClientSetup) start(ctx context.Context, input string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	c := exec.CommandContext(ctx, s.Program, append(append([]string{}, s.Options...), args...)...)
	c.Stdin = strings.NewReader(input)
	c.Env = []string{"HOME=" + s.Env.Home, "PATH=" + s.Env.Get("PATH")}
	var failure bytes.Buffer
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, lastLine(failure.String()))
	}
	return out, nil
}

// ClientStatus is what is known of a client without starting it.
type ClientStatus struct {
	Client    string `json:"client"`
	Title     string `json:"title"`
	Installed bool   `json:"installed"`
	Wired     string `json:"wired"`   // "yes", "partly" (run setup again), or "no"
	Trusted   *bool  `json:"trusted"` // null: the client has no trust
	Error     string `json:"error"`   // why a file cannot be read; empty: it can
}

// StatusOf looks at the files of a client.
func StatusOf(o ClientOptions) ClientStatus {
	c := ClientStatus{Client: o.Client.Name, Title: o.Client.Title, Installed: o.Env.Has(o.Client), Wired: "no"}
	w, err := newWiring(o)
	if err != nil {
		c.Error = err.Error()
		return c
	}
	some, all := false, true
	for _, f := range o.Client.Files {
		src, err := readFile(o.Env.file(f))
		if err == nil && src != nil {
			_, err = w.open(f, src)
		}
		if err != nil {
			c.Error = inFile(o.Env.file(f), err).Error()
		}
		has, complete := w.isWired(f, src)
		some, all = some || has, all && complete
	}
	switch {
	case some && all:
		c.Wired = "yes"
	case some:
		c.Wired = "partly"
	default:
		return c
	}
	for _, f := range o.Client.Files {
		if f.Trusts != "" {
			trusted := len((&ClientSetup{wiring: w}).Untrusted()) == 0
			c.Trusted = &trusted
		}
	}
	return c
}

// OpenClawStatus is [StatusOf] for OpenClaw. It uses this memory if a setup has a record.
func OpenClawStatus(e Environment, stateDir string) ClientStatus {
	c := ClientStatus{Client: "openclaw", Title: "OpenClaw", Wired: "no"}
	c.Installed = e.program(c.Client) != "" || slices.ContainsFunc(Find(e), func(i Installation) bool { return isFile(i.Config) })
	if record, err := ReadRecord(stateDir); record != nil || err != nil {
		c.Wired = "yes"
	}
	return c
}

// Text tells how far a client uses this memory, and what became of its last prompts.
func (c ClientStatus) Text(p *memory.HookStatus) string {
	text := "installed, not set up"
	switch c.Wired {
	case "yes":
		text = "uses this memory"
	case "partly":
		text = "partly set up: run setup again"
	}
	if c.Trusted != nil && !*c.Trusted {
		text += "; its hooks are not trusted"
	}
	if p != nil {
		text += fmt.Sprintf("; last %d prompts: %d answered, %d late", p.Prompts, p.Answered, p.Late)
	}
	return text
}
