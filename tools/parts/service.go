package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/knowledge"
)

// service serves a copy of a workspace from a temporary folder.
type service struct {
	*api.Client
	source, root, docs, workspace string
	process                       *exec.Cmd
	names                         []knowledge.Entity
}

// start copies a workspace and serves it. If the documents are split from it, they are every second
// file below its memory/.
func start(source, docs string, isSplit bool) (s *service, err error) {
	root, err := os.MkdirTemp("", "parts")
	if err != nil {
		return nil, err
	}
	s = &service{source: source, root: root, docs: docs, workspace: "notes", Client: api.Dial(filepath.Join(root, "state", "tiered.sock"))}
	if isSplit {
		s.docs = filepath.Join(root, "docs")
	}
	if s.docs, err = filepath.Abs(s.docs); err != nil {
		return nil, err
	}
	notes := filepath.Join(root, "notes")
	if err := os.CopyFS(notes, os.DirFS(source)); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(notes, "memory", "*.md"))
	for i, file := range files {
		if isSplit && i%2 == 1 && err == nil {
			if err = os.MkdirAll(s.docs, 0o700); err == nil {
				err = os.Rename(file, filepath.Join(s.docs, filepath.Base(file)))
			}
		}
	}
	if err != nil {
		return nil, err
	}
	s.process = s.command("serve")
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	s.settle()
	known, err := s.Entities(context.Background(), memory.ListRequest{})
	s.names = known.Entities
	return s, err
}

func (s *service) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(context.Background(), os.Args[1], args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.root, "TZ=UTC", "MEMORY_STATE_DIR=" + filepath.Join(s.root, "state"),
		"MEMORY_WORKSPACE=" + filepath.Join(s.root, "notes"), "MEMORY_EMBEDDING_LOCAL_QUALITY=fast"}
	return c
}

func (s *service) run(args ...string) error {
	if out, err := s.command(args...).CombinedOutput(); err != nil {
		return fmt.Errorf("memory %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// compact lets all memories age, and archives scenes but for their extracts.
func (s *service) compact() error {
	ctx := context.Background()
	if _, err := s.Decay(ctx, memory.DecayRequest{Release: true}); err != nil {
		return err
	}
	_, err := s.Decay(ctx, memory.DecayRequest{Compact: true, Unused: 30})
	return err
}

// addDocuments serves a folder of documents too.
func (s *service) addDocuments() error {
	return errors.Join(s.run("workspace", "add", "--docs", s.docs, "--name", "manuals"), s.run("config", "set", "workspaces.manuals.inject", "true"))
}

const settleTime = 2 * time.Second // longer than the service takes to notice a change

// settle waits until the number of memories is the same for a while.
func (s *service) settle() {
	for before, same := -1, 0; same < 4; time.Sleep(settleTime / 4) {
		status, err := s.Status(context.Background())
		total := 0
		for _, w := range status.Workspaces {
			total += w.Memories
		}
		if same++; err != nil || total != before || total == 0 {
			before, same = total, 0
		}
	}
}

func (s *service) stop() {
	_ = s.process.Process.Signal(os.Interrupt)
	_ = s.process.Wait()
	_ = os.RemoveAll(s.root)
}

// questions returns the half of the golden queries that nothing is tuned to.
func (s *service) questions() (half []eval.Golden, err error) {
	src, err := os.Open(filepath.Join(s.source, "golden.jsonl"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.Close() }()
	golden, err := eval.ReadGolden(src, time.UTC)
	seen := map[string]int{}
	for _, g := range golden {
		if seen[g.Category]++; seen[g.Category]%2 == 0 {
			half = append(half, g)
		}
	}
	return half, err
}

// processorTime returns what the service has taken so far, in ticks of 10 ms.
func (s *service) processorTime() time.Duration {
	src, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid))
	var user, system int
	if fields := strings.Fields(string(src)); len(fields) > 14 {
		user, _ = strconv.Atoi(fields[13])
		system, _ = strconv.Atoi(fields[14])
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// bytes returns the size of the state folder.
func (s *service) bytes() (n int64) {
	_ = filepath.WalkDir(filepath.Join(s.root, "state"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}
