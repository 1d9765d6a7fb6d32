package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// How long what sessions and projects got is remembered.
const (
	sessionDays = 30 * 24 * time.Hour
	pause       = 24 * time.Hour
	offerTime   = time.Second // longer than a hook waits for its answer
)

// given tells which version of a memory was given: the time of its last edit in
// milliseconds, 0 without one.
type given map[memory.ID]int64

func version(m *memory.Memory) int64 {
	if m.EditedAt == nil {
		return 0
	}
	return m.EditedAt.UnixMilli()
}

// session is what an agent in a conversation has got. It is on the disk, so that a restart
// of the service does not give it again. It contains no text.
type session struct {
	Given   given  `json:"given"`
	Context string `json:"context,omitempty"` // hash of the current context that it has

	Transcript string `json:"transcript,omitempty"` // file of the conversation
	Place      int64  `json:"place,omitempty"`      // in it, up to which it is captured; 0: unknown

	asking  sync.Mutex              // a client may run two hooks of a prompt at once
	offered map[memory.ID]time.Time // in answers that the client may be about to read

	turn  []memory.CaptureMessage // what was said since the last end of a turn
	tasks []string                // of subagents that have not begun
}

// project is what the sessions of a project have got within a day.
type project struct {
	Given map[memory.ID]*delivered `json:"given"`
}

// delivered is a memory that sessions of a project got.
type delivered struct {
	Version  int64                `json:"version"`
	Sessions map[string]time.Time `json:"sessions"`
}

// pauses reports whether another session of the project got a memory within a day. A pinned
// memory does not pause, nor one that was edited since.
func (p *project) pauses(m *memory.Memory, session string, now time.Time) bool {
	g := p.Given[m.ID]
	if g == nil || m.Pinned || g.Version != version(m) {
		return false
	}
	for other, at := range g.Sessions {
		if other != session && now.Sub(at) < pause {
			return true
		}
	}
	return false
}

// note records that a session of the project got a memory. Sessions of before the pause do
// not count.
func (p *project) note(id memory.ID, version int64, session string, now time.Time) {
	g := p.Given[id]
	if g == nil || g.Version != version {
		g = &delivered{Version: version, Sessions: map[string]time.Time{}}
		p.Given[id] = g
	}
	maps.DeleteFunc(g.Sessions, func(_ string, at time.Time) bool { return now.Sub(at) >= pause })
	g.Sessions[session] = now
}

// state holds the sessions and projects, in files of a folder. An empty folder keeps them in
// memory alone.
type state struct {
	dir string

	mu       sync.Mutex
	sessions map[string]*session
	projects map[string]*project
}

func newState(dir string) *state {
	return &state{dir: dir, sessions: map[string]*session{}, projects: map[string]*project{}}
}

// session returns what the session with a key has got. The caller holds the lock.
func (s *state) session(key string) *session {
	found := s.sessions[key]
	if found == nil {
		found = &session{}
		s.load("session", key, found)
		s.sessions[key] = found
	}
	if found.Given == nil {
		found.Given = given{}
	}
	if found.offered == nil {
		found.offered = map[memory.ID]time.Time{}
	}
	return found
}

// project returns what the project with a name has got. The caller holds the lock.
func (s *state) project(name string) *project {
	found := s.projects[name]
	if found == nil {
		found = &project{}
		s.load("project", name, found)
		s.projects[name] = found
	}
	if found.Given == nil {
		found.Given = map[memory.ID]*delivered{}
	}
	return found
}

// file returns the file of a session or project. Keys come from clients, so the name is a
// hash.
func (s *state) file(kind, key string) string {
	return filepath.Join(s.dir, kind+"-"+shortHash(key)+".json")
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// load reads a file. One that is not there or damaged counts as empty: the worst is that a
// memory is given again.
func (s *state) load(kind, key string, to any) {
	if s.dir == "" {
		return
	}
	if content, err := os.ReadFile(s.file(kind, key)); err == nil {
		_ = json.Unmarshal(content, to)
	}
}

// save writes a session or a project. The caller holds the lock.
func (s *state) save(kind, key string, what any) error {
	if s.dir == "" {
		return nil
	}
	content, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return atomicfile.Write(s.file(kind, key), content, 0o600)
}

// drop removes the files of sessions and projects that nothing has used for 30 days.
func (s *state) drop(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := os.ReadDir(s.dir)
	if s.dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		if info, statErr := f.Info(); statErr == nil && now.Sub(info.ModTime()) > sessionDays {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, f.Name())))
		}
	}
	maps.DeleteFunc(s.sessions, func(_ string, v *session) bool { return len(v.turn)+len(v.tasks) == 0 })
	clear(s.projects)
	return err
}
