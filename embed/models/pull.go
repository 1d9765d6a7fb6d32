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

// Pull installs a model, completely or not at all. from is empty (the source in the
// catalogue), the URL of a mirror, or a folder. An interrupted pull continues where it
// stopped. progress counts bytes.
func (s Store) Pull(ctx context.Context, name, from string, progress func(memory.Progress)) (m Model, err error) {
	if m, err = s.Get(name); err == nil || !errors.Is(err, memory.ErrNotFound) {
		return m, err
	}
	m, known := s.inCatalogue(name)
	remote := from == "" || strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
	switch {
	case remote && !known:
		return m, &memory.Error{Kind: memory.ErrNotFound, Field: "model", Message: "there is no model " + name + " in the catalogue",
			Hint: "memory model list shows the catalogue. Any BERT model with WordPiece tokens can be pulled from a folder: memory model pull " + name + " --from DIR"}
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
		report := func(n int64) {
			if progress != nil {
				progress(memory.Progress{Stage: "pull", Done: int(done + n), Total: int(total)})
			}
		}
		to := filepath.Join(part, f.Name)
		var err error
		if remote {
			err = download(ctx, m.Source+"/"+f.sourcePath(), to, f, report)
		} else {
			err = copyFile(ctx, findFile(from, f), to, report)
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

// finish writes the manifest and renames the folder to its final name.
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
		return memory.Unavailable(err, "install the model %s", m.Name)
	}
	return nil
}

func (f File) sourcePath() string {
	if f.Path != "" {
		return f.Path
	}
	return f.Name
}

// verify compares a file with its size and SHA-256. It removes a file that differs, so
// that the next pull starts again.
func (f File) verify(path string) error {
	n, digest, err := hashFile(path)
	if err != nil {
		return memory.Unavailable(err, "read %s", f.Name)
	}
	if n == f.Bytes && digest == f.SHA256 {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return memory.Unavailable(err, "remove the wrong file %s", f.Name)
	}
	return memory.Unavailable(nil, "%s is not the pinned file (%d bytes, SHA-256 %.12s…, want %d and %.12s…)", f.Name, n, digest, f.Bytes, f.SHA256).
		WithHint("a proxy may have answered instead of the server; try again, or pull from a folder with --from")
}

// idleTimeout is how long a server may send nothing before the download fails.
const idleTimeout = 30 * time.Second

// download downloads one file, and continues an earlier download.
func download(ctx context.Context, url, to string, f File, report func(int64)) error {
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
	idle := time.AfterFunc(idleTimeout, func() { cancel(fmt.Errorf("nothing came for %s", idleTimeout)) })
	defer idle.Stop()
	answer, err := get(ctx, url, have)
	if err != nil {
		return fetchError(ctx, url, err)
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK:
		have = 0 // the server sends the whole file
	default:
		return memory.Unavailable(nil, "%s answers %s", url, answer.Status).WithHint("pull from a folder or a mirror: --from DIR|URL")
	}
	if _, err := out.Seek(have, io.SeekStart); err != nil {
		return memory.Unavailable(err, "write %s", f.Name)
	}
	if err := out.Truncate(have); err != nil {
		return memory.Unavailable(err, "write %s", f.Name)
	}
	body := io.LimitReader(answer.Body, f.Bytes-have+1) // one byte too many proves that it is another file
	n, err := io.Copy(out, &progressReader{body, have, func(n int64) { idle.Reset(idleTimeout); report(n) }})
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
		WithHint("the same command continues the download. Without a network: --from DIR")
}

// progressReader reports how many bytes it has read.
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
