package engine

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/index"
)

// Stats counts the content of a workspace's index. For a user or a model, it counts the
// memories that they may get, and nothing that depends on others.
func (e *Engine) Stats(ctx context.Context, r memory.StatsRequest) (memory.Stats, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.Stats{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.Stats{}, err
	}
	if who.Users != nil || who.Model {
		return e.ownStats(ctx, s, who)
	}
	indexing := s.indexingNow(ctx)
	stats, err := s.db.Stats(ctx, index.Counted{})
	if err != nil {
		return memory.Stats{}, err
	}
	stats.Workspace, stats.Indexing = s.Name, indexing
	stats.LastIndex = s.lastIndex(stats.LastIndex)
	stats.MemoryBytes = residentBytes()
	stats.InMemory = s.inMemory()
	stats.Stale = e.options().ReadOnly
	if stats.Context, err = commands.VisibleContext(ctx, s.db, e.now(), who, []string{""}); err != nil {
		return memory.Stats{}, err
	}
	stats.Embedding, err = s.models.Stats(ctx, e.options().Provider, e.options().Hold != nil)
	return stats, err
}

// ownStats counts what a reader may get.
func (e *Engine) ownStats(ctx context.Context, s *workspaceState, who memory.View) (memory.Stats, error) {
	now := e.now()
	of := index.Counted{View: memory.View{Users: who.Users, Model: who.Model, Now: now}}
	stats, err := s.db.Stats(ctx, of)
	if err != nil {
		return memory.Stats{}, err
	}
	stats.Workspace, stats.Stale = s.Name, e.options().ReadOnly
	users := who.Users
	if users == nil {
		users = []string{""}
	}
	stats.Context, err = commands.VisibleContext(ctx, s.db, now, who, users)
	return stats, err
}

// lastIndex returns when files were last scanned, by this process or else as the
// index has it.
func (s *workspaceState) lastIndex(stored *time.Time) *time.Time {
	if at := s.currentHealth().scannedAt; !at.IsZero() {
		return &at
	}
	return stored
}

// inMemory reports whether the in-memory index answers.
func (s *workspaceState) inMemory() memory.InMemory {
	bytes, why := s.db.InMemory()
	return memory.InMemory{Loaded: bytes > 0, Bytes: bytes, Why: why}
}

// residentBytes returns the resident memory of this process, or, where the system
// does not tell, the memory that the Go runtime holds.
func residentBytes() int64 {
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
