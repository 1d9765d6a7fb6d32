package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/api/caller"
	"github.com/memory-tiered/memory/internal/must"
)

// server is a service with a port, and what its machine says to it.
type server struct {
	t          *testing.T
	dir, state string
	address    string
}

// newServer serves two workspaces, of which main has memories of two users.
func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{t: t, dir: t.TempDir(), state: t.TempDir()}
	diary := t.TempDir()
	for file, text := range map[string]string{
		filepath.Join(s.dir, "MEMORY.md"): "# Pier\n- The locker at the pier has number 12\n- The code of the locker at the pier is 4410 <!-- user: lena -->\n" +
			"- The boat at the pier belongs to the owner <!-- user: owner -->\n- The party at the pier is a surprise <!-- private -->\n",
		filepath.Join(diary, "MEMORY.md"): "- The diary lies in the attic\n",
		filepath.Join(s.state, "config.yaml"): "workspaces:\n  main:\n    path: " + s.dir + "\n  diary:\n    path: " + diary +
			"\nidentities:\n  owner: telegram:1\n  lena: telegram:2\nserver:\n  listen: 127.0.0.1:0\n",
	} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	a := newApp(t, s.dir, s.state)
	cfg, _, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	e := must.Get(a.engine(t.Context(), cfg, s.state, nil, false))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.listenAndRun(ctx, cfg, s.state, e, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service: %v", err)
		}
		_ = e.Close()
	})
	client := api.Dial(socketPath(s.state))
	defer client.Close()
	for s.address == "" {
		if status, err := client.Status(t.Context()); err == nil && len(status.Workspaces) == 2 && status.Workspaces[0].Memories+status.Workspaces[1].Memories == 5 {
			s.address = status.Daemon.Address
		}
		time.Sleep(10 * time.Millisecond)
	}
	return s
}

// token makes a token on the server.
func (s *server) token(args ...string) string {
	s.t.Helper()
	var made madeToken
	text := runProgram(s.t, s.dir, s.state, append([]string{"--json", "token", "create"}, args...)...)
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&made); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	return made.Secret
}

// from runs a command of another machine.
func (s *server) from(token string, args ...string) (output string, code int) {
	s.t.Helper()
	var out bytes.Buffer
	a := newApp(s.t, "", s.t.TempDir())
	variables := map[string]string{"MEMORY_REMOTE_URL": "http://" + s.address, "MEMORY_REMOTE_TOKEN": token, "HOME": s.t.TempDir()}
	a.env = func(name string) string { return variables[name] }
	a.out, a.err = &out, &out
	code = a.run(s.t.Context(), args)
	return out.String(), code
}

func TestCommandsOfAnotherMachineReachWhatTheirTokenDoes(t *testing.T) {
	s := newServer(t)
	lena, agent, all := s.token("lena", "--user", "Lena"), s.token("agent", "--model", "--workspaces", "main"), s.token("all")
	for _, c := range []struct {
		name, token string
		args        []string
		has, lacks  string
	}{
		{"a user's memories", lena, []string{"search", "pier", "-w", "main"}, "4410", "boat"},
		{"everybody's too", lena, []string{"list", "-w", "main"}, "number 12", "boat"},
		{"as another user", lena, []string{"list", "-w", "main", "--user", "owner"}, "4410", "boat"},
		{"for a model", agent, []string{"list"}, "number 12", "surprise"},
		{"a block", agent, []string{"recall", "Which number has the locker at the pier?"}, "number 12", "4410"},
		{"no private text that it repeats", agent, []string{"store", "The party at the pier is a surprise"}, "this text is not stored", "MEMORY.md"},
		{"a text in all files", agent, []string{"verify", "boat"}, "does not reach", "surprise"},
		{"another workspace", agent, []string{"list", "-w", "diary"}, "no workspace", "attic"},
		{"the names of workspaces", agent, []string{"workspace", "list"}, "main", "diary"},
		{"the state of the service", agent, []string{"status"}, "does not reach", s.dir},
		{"without limits", all, []string{"list", "-w", "main"}, "boat", "attic"},
		{"the state without limits", all, []string{"status"}, "network    " + s.address, "does not reach"},
		{"a workspace must be named", lena, []string{"list", "-w", "none"}, "name one of these with -w: diary, main", "4410"},
		{"files are on the server", all, []string{"open", "abcd", "-w", "main"}, "the files are on the server", "4410"},
		{"a wrong token", lena + "x", []string{"list"}, "the token is missing, wrong or too old", "4410"},
		{"no token", "", []string{"list"}, "there is no token for", "4410"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if out, _ := s.from(c.token, c.args...); !strings.Contains(out, c.has) || strings.Contains(out, c.lacks) {
				t.Errorf("%s\nwant %q, and not %q", out, c.has, c.lacks)
			}
		})
	}
	if out, code := s.from(lena, "store", "-w", "main", "The spare key is below the flower pot"); code != exitOK {
		t.Errorf("store: %s", out)
	}
	notes, err := filepath.Glob(filepath.Join(s.dir, "memory", "captured", "*.md"))
	if text, readErr := os.ReadFile(strings.Join(notes, "")); err != nil || readErr != nil || !strings.Contains(string(text), "user: lena") || !strings.Contains(string(text), "trust: untrusted") {
		t.Errorf("what she stores is hers, and not the owner's words: %s, %v, %v", text, err, readErr)
	}
	if out := runProgram(t, s.dir, s.state, "token", "list"); !strings.Contains(out, "agent  main, for a model") || strings.Contains(out, agent) {
		t.Errorf("token list: %s", out)
	}
	runProgram(t, s.dir, s.state, "token", "revoke", "lena")
	if out, _ := s.from(lena, "list", "-w", "main"); !strings.Contains(out, "the token is missing, wrong or too old") {
		t.Errorf("after revoke: %s", out)
	}
}

func TestATokenIsForWhatExists(t *testing.T) {
	s := &server{t: t, dir: t.TempDir(), state: t.TempDir()}
	for _, args := range [][]string{{"a", "--user", "eve"}, {"a", "--workspaces", "diary"}, {"a", "--days", "-1"}, {"a", "--days", "0"}, {"a", "--user", ""}, {"a", "--workspaces", ""}, {"a b"}, {""}, {}} {
		out := runProgram(t, s.dir, s.state, append([]string{"token", "create"}, args...)...)
		if tokens, err := (caller.Tokens{Path: filepath.Join(s.state, "tokens.json")}).List(); !strings.Contains(out, "memory: token create") || len(tokens) > 0 || err != nil {
			t.Errorf("%v: %s, %v, %v", args, out, tokens, err)
		}
	}
}
