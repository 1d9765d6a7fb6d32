package engine_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// patient is an engine with a state folder that the doctor examines.
type patient struct {
	*world
	state string
	at    time.Time
}

func newPatient(t *testing.T, files map[string]string) *patient {
	t.Helper()
	state := t.TempDir()
	p := &patient{world: &world{t: t, dir: t.TempDir(), db: filepath.Join(state, "tiered.db")}, state: state, at: time.Now().UTC().AddDate(0, 0, -3)}
	must.Do(t, os.Chmod(state, 0o700))
	for path, text := range files {
		p.write(path, text)
	}
	p.open()
	t.Cleanup(func() { _ = p.Close() }) // a test that closes it checks the error itself
	return p
}

func (p *patient) open() {
	p.t.Helper()
	e := must.Get(engine.Open(p.t.Context(), onBackend(p.t, engine.Options{
		StateDir:   p.state,
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: p.dir, DBPath: p.db, Zone: time.UTC}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, NoInMemory: true,
		Now: func() time.Time { return p.at },
	})))(p.t)
	p.Engine = e
	p.index()
}

// examine runs the doctor and returns the names of the checks that found something.
func (p *patient) examine(fix bool) (answer memory.DoctorAnswer, found []string) {
	p.t.Helper()
	answer = must.Get(p.Doctor(p.t.Context(), memory.DoctorRequest{Fix: fix}, nil))(p.t)
	for _, f := range answer.Findings {
		if !slices.Contains(found, f.Check) {
			found = append(found, f.Check)
		}
		if f.Message == "" || f.Fix == "" || f.Severity == "" {
			p.t.Errorf("incomplete: %+v", f)
		}
	}
	return answer, found
}

// TestDoctorFindsAndMends makes one thing wrong at a time. The doctor finds it and
// changes nothing. With fix it mends it, and finds nothing afterwards.
func TestDoctorFindsAndMends(t *testing.T) {
	chmod := func(p *patient, path string, mode os.FileMode) {
		must.Do(p.t, os.Chmod(path, mode))
	}
	for _, tt := range []struct {
		check   string
		harm    func(p *patient)
		heal    func(p *patient) // what a person does first; nil: nothing
		unaided bool             // only a person can mend it
	}{
		{check: ""},
		{check: "permissions", harm: func(p *patient) { chmod(p, p.state, 0o755) }},
		{check: "permissions", harm: func(p *patient) { chmod(p, p.db, 0o644) }},
		{check: "socket", harm: func(p *patient) {
			socket := must.Get((&net.ListenConfig{}).Listen(p.t.Context(), "unix", filepath.Join(p.state, "tiered.sock")))(p.t)
			socket.(*net.UnixListener).SetUnlinkOnClose(false)
			must.Do(p.t, errors.Join(socket.Close(), os.Chmod(filepath.Join(p.state, "tiered.sock"), 0o600)))
		}},
		{check: "backup", harm: func(p *patient) { p.at = time.Now().UTC() }},
		{check: "decisions", harm: func(p *patient) {
			chmod(p, filepath.Join(p.dir, "MEMORY.md"), 0o400)
			must.Get(p.Decide(p.t.Context(), memory.DecideRequest{Action: memory.ActionForget, Query: "heron", All: true}))(p.t)
		}, heal: func(p *patient) { chmod(p, filepath.Join(p.dir, "MEMORY.md"), 0o600) }},
		{check: "faults", unaided: true, harm: func(p *patient) {
			p.write("memory/wrong.md", "---\ntier: lukewarm\n---\n- the fair opens at nine\n")
			p.index()
		}},
		{check: "rows", harm: func(p *patient) {
			must.Do(p.t, p.Close())
			src := must.Get(os.ReadFile(p.db))(p.t)
			at := bytes.Index(src, []byte("the heron stands"))
			src[at+4] ^= 1
			must.Do(p.t, os.WriteFile(p.db, src, 0o600))
			p.open()
		}},
	} {
		t.Run(tt.check, func(t *testing.T) {
			p := newPatient(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n- the owl hunts at dusk\n"})
			var want []string
			if tt.check != "" {
				tt.harm(p)
				want = []string{tt.check}
			}
			for range 2 {
				if a, found := p.examine(false); !slices.Equal(found, want) || a.OK != (tt.check == "") || slices.ContainsFunc(a.Findings, func(f memory.Finding) bool { return f.Fixed }) {
					t.Fatalf("%+v", a)
				}
			}
			if tt.heal != nil {
				tt.heal(p)
			}
			if a, found := p.examine(true); !slices.Equal(found, want) || a.OK == tt.unaided {
				t.Errorf("with fix: %+v", a)
			}
			if a, found := p.examine(false); !tt.unaided && (len(found) > 0 || !a.OK) {
				t.Errorf("afterwards: %+v", a)
			}
			if hits := p.search("heron pond"); tt.check != "decisions" && len(hits) == 0 {
				t.Error("the heron is not found")
			}
		})
	}
}

func TestDoctorReportsAFolderThatIsGone(t *testing.T) {
	p := newPatient(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	must.Do(t, os.RemoveAll(p.dir))
	for _, fix := range []bool{false, true} {
		if a, found := p.examine(fix); a.OK || !slices.Contains(found, "workspace") || a.Findings[0].Workspace != "main" {
			t.Errorf("fix %v: %+v", fix, a)
		}
	}
	if _, err := p.Doctor(t.Context(), memory.DoctorRequest{Workspace: "other"}, nil); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an unknown workspace: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Doctor(ctx, memory.DoctorRequest{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A workspace without a database is one finding, and the other one is examined.
func TestDoctorReportsAWorkspaceThatCannotBeOpened(t *testing.T) {
	state := t.TempDir()
	must.Do(t, errors.Join(os.Chmod(state, 0o700), os.WriteFile(filepath.Join(state, "file"), nil, 0o600)))
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		StateDir: state,
		Workspaces: []engine.WorkspaceConfig{
			{Name: "broken", Dir: t.TempDir(), DBPath: filepath.Join(state, "file", "tiered.db"), Zone: time.UTC},
			{Name: "main", Dir: t.TempDir(), DBPath: filepath.Join(state, "tiered.db"), Zone: time.UTC}},
		Embedder: embed.None{}, Recall: recall.Defaults(), NoInMemory: true,
	})))(t)
	t.Cleanup(func() { _ = e.Close() })
	for _, fix := range []bool{false, true} {
		answer := must.Get(e.Doctor(t.Context(), memory.DoctorRequest{Fix: fix}, nil))(t)
		var broken []string
		for _, f := range answer.Findings {
			if f.Workspace == "broken" {
				broken = append(broken, f.Check)
			}
		}
		if !slices.Equal(broken, []string{"workspace"}) {
			t.Errorf("fix %v: %q, %+v", fix, broken, answer.Findings)
		}
	}
}
