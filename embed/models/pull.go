package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/memory-tiered/memory"
)

// Pull brings a model here, whole or not at all. from is empty (where the
// catalogue says), the address of a mirror, or a folder. What is interrupted goes
// on where it was when it is pulled again. progress counts bytes.
func (s Store) Pull(ctx context.Context, name, from string, progress func(memory.Progress)) (m Model, err error) {
	if m, err = s.Get(name); err == nil || !errors.Is(err, memory.ErrNotFound) {
		return m, err
	}
	m, known := s.inCatalogue(name)
	remote := from == "" || strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
	switch {
	case remote && !known:
		return m, &memory.Error{Kind: memory.ErrNotFound, Field: "model", Message: "no model " + name + " can be pulled by name",
			Hint: "memory model list shows those that can; any BERT model with WordPiece tokens comes from a folder: memory model pull " + name + " --from DIR"}
	case !remote:
		if m, err = describe(name, from, m, known); err != nil {
			return m, err
		}
	case from != "":
		m.Source = strings.TrimRight(from, "/")
	}
	part := s.partialPath(name)
	if err := os.MkdirAll(part, 0o700); err != nil {
		return m, memory.Unavailable(err, "pull %s", name)
	}
	lock := flock.New(part + ".lock")
	if ok, err := lock.TryLock(); err != nil || !ok {
		return m, memory.Unavailable(err, "another command is pulling %s", name).WithHint("wait until it has finished")
	}
	defer func() {
		err = errors.Join(err, os.Remove(part+".lock"), lock.Unlock())
	}()
	if err := s.fetchFiles(ctx, m, part, from, remote, progress); err != nil {
		return m, err
	}
	return m, s.finish(m, part)
}

func (s Store) partialPath(name string) string { return filepath.Join(s.Dir, "."+name+".part") }

func (s Store) fetchFiles(ctx context.Context, m Model, part, from string, remote bool, progress func(memory.Progress)) error {
	total, done := m.Bytes(), int64(0)
	for _, f := range m.Files {
		tell := func(n int64) {
			if progress != nil {
				progress(memory.Progress{Stage: "pull", Done: int(done + n), Total: int(total)})
			}
		}
		to := filepath.Join(part, f.Name)
		var err error
		if remote {
			err = download(ctx, m.Source+"/"+f.sourcePath(), to, f, tell)
		} else {
			err = copyFile(ctx, findFile(from, f), to, tell)
		}
		if err == nil {
			err = f.verify(to)
		}
		if err != nil {
			return fmt.Errorf("pull %s: %w", m.Name, err)
		}
		done += f.Bytes
	}
	return nil
}

// finish makes the folder whole and gives it its name.
func (s Store) finish(m Model, part string) error {
	m.PulledAt = time.Now().UTC().Truncate(time.Second)
	src, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(part, manifestFile), append(src, '\n'), 0o600)
	}
	if err == nil {
		err = os.Rename(part, s.Path(m.Name))
	}
	if err != nil {
		return memory.Unavailable(err, "keep the model %s", m.Name)
	}
	return nil
}

func (f File) sourcePath() string {
	if f.Path != "" {
		return f.Path
	}
	return f.Name
}

// verify holds a file against its figures; one that differs is removed, so that
// the next try begins anew.
func (f File) verify(path string) error {
	n, digest, err := hashFile(path)
	if err != nil {
		return memory.Unavailable(err, "read %s", f.Name)
	}
	if n == f.Bytes && digest == f.SHA256 {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return memory.Unavailable(err, "remove what is not %s", f.Name)
	}
	return memory.Unavailable(nil, "%s is not the file that is pinned (%d bytes, SHA-256 %.12s…, wanted %d and %.12s…)", f.Name, n, digest, f.Bytes, f.SHA256).
		WithHint("a proxy may have answered in its place; try again, or pull from a folder with --from")
}

// idleTimeout is how long a server may be silent: nothing, not even one more byte.
const idleTimeout = 30 * time.Second

// download brings one file, from where an earlier try ended.
func download(ctx context.Context, url, to string, f File, tell func(int64)) error {
	out, err := os.OpenFile(to, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return memory.Unavailable(err, "write %s", f.Name)
	}
	defer out.Close()
	have, err := out.Seek(0, io.SeekEnd)
	if err != nil || have == f.Bytes {
		return err
	}
	if have > f.Bytes {
		have = 0
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(idleTimeout, func() { cancel(fmt.Errorf("nothing came for %s", idleTimeout)) })
	defer silent.Stop()
	answer, err := get(ctx, url, have)
	if err != nil {
		return fetchError(ctx, url, err)
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK:
		have = 0 // it sends everything again
	default:
		return memory.Unavailable(nil, "%s answers %s", url, answer.Status).WithHint("pull from a folder or a mirror: --from DIR|URL")
	}
	if _, err := out.Seek(have, io.SeekStart); err != nil {
		return memory.Unavailable(err, "write %s", f.Name)
	}
	if err := out.Truncate(have); err != nil {
		return memory.Unavailable(err, "write %s", f.Name)
	}
	body := io.LimitReader(answer.Body, f.Bytes-have+1) // one byte more shows that it is another file
	n, err := io.Copy(out, &progressReader{body, have, func(n int64) { silent.Reset(idleTimeout); tell(n) }})
	if err == nil && have+n < f.Bytes {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fetchError(ctx, url, err)
	}
	return out.Sync()
}

func get(ctx context.Context, url string, from int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "memory-tiered")
	if from > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	return http.DefaultClient.Do(r)
}

func fetchError(ctx context.Context, url string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return memory.Unavailable(err, "fetch %s", url).
		WithHint("what has come is kept: the same command goes on from there. Without a network: --from DIR")
}

// progressReader tells how far a copy is.
type progressReader struct {
	io.Reader
	n        int64
	progress func(int64)
}

func (t *progressReader) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	t.n += int64(n)
	t.progress(t.n)
	return n, err
}
