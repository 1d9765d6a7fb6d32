package hostsetup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/textedit"
)

// trust adds the hashes of our hooks to the settings of a client that runs only trusted
// hooks. The client computes them itself, from a copy of its files in a temporary folder,
// so that it leaves nothing in its own.
func (s *ClientSetup) trust(ctx context.Context, f clients.File, src []byte) ([]byte, error) {
	hooks := s.Client.Files[0]
	file := s.Env.file(hooks)
	hashes, err := s.hashes(ctx, s.Changes[0].After)
	if err != nil {
		return nil, err
	}
	d, err := textedit.Open(textedit.Format(f.Format), src)
	if err != nil {
		return nil, err
	}
	for _, key := range s.hookKeys(hooks, s.Changes[0].After) {
		if key.rest != "" {
			continue
		}
		hash := hashes[strings.TrimPrefix(key.now, file+":")]
		if hash == "" {
			return nil, memory.Unavailable(nil, "%s does not list the hook %s", s.Client.Title, key.now).WithHint("leave the trust out: --no-trust")
		}
		if err := d.Set(asJSON(map[string]string{"trusted_hash": hash}), append(strings.Split(f.Trusts, "/"), key.now)...); err != nil {
			return nil, err
		}
	}
	return d.Bytes(), nil
}

// hookKey is how the client names a hook: the file, the event, and two positions.
type hookKey struct {
	now  string
	rest string // without our hooks; empty: it is ours
}

// hookKeys lists the hooks of the events of ours.
func (w *wiring) hookKeys(f clients.File, src []byte) (keys []hookKey) {
	d, err := w.open(f, src)
	if err != nil || d == nil {
		return nil
	}
	for _, a := range f.Append {
		path, ours, group := w.path(a), w.ours(d, a), 0
		isOurs := func(at ...string) bool {
			return slices.ContainsFunc(ours, func(o []string) bool { return slices.Equal(o[len(path):], at) })
		}
		name := func(group, handler int) string {
			return fmt.Sprintf("%s:%s:%d:%d", w.Env.file(f), snakeCase(path[len(path)-1]), group, handler)
		}
		for i, element := range d.List(path...) {
			if isOurs(strconv.Itoa(i)) {
				keys = append(keys, hookKey{name(i, 0), ""})
				continue
			}
			handler := 0
			for k := range handlersOf(element) {
				if isOurs(strconv.Itoa(i), handlers, strconv.Itoa(k)) {
					keys = append(keys, hookKey{name(i, k), ""})
					continue
				}
				keys = append(keys, hookKey{name(i, k), name(group, handler)})
				handler++
			}
			group++
		}
	}
	return keys
}

// moveTrust takes the trust of our hooks out of a file. The hooks of others behind them keep
// theirs: it is bound to their positions.
func (s *ClientSetup) moveTrust(f clients.File, src []byte) ([]byte, error) {
	d, err := s.open(f, src)
	trusts := strings.Split(f.Trusts, "/")
	for _, key := range s.keysNow() {
		at := append(slices.Clone(trusts), key.now)
		value := d.Value(at...)
		if value == nil || key.now == key.rest {
			continue
		}
		if err == nil && key.rest != "" {
			err = d.Set(asJSON(value), append(slices.Clone(trusts), key.rest)...)
		}
		if err == nil {
			err = d.Cut(at...)
		}
	}
	return d.Bytes(), err
}

func snakeCase(name string) (snake string) {
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			snake += "_"
		}
		snake += string(unicode.ToLower(r))
	}
	return snake
}

// keysNow lists the hooks as they are in the client's file now.
func (s *ClientSetup) keysNow() []hookKey {
	hooks := s.Client.Files[0]
	src, err := readFile(s.Env.file(hooks))
	if err != nil {
		return nil
	}
	return s.hookKeys(hooks, src)
}

// trustTimeout is how long the client may take to list its hooks. It takes half a second.
const trustTimeout = 20 * time.Second

// hashes makes the client list the hooks of a file, and returns their hashes by their keys
// without the file.
func (s *ClientSetup) hashes(ctx context.Context, hooks []byte) (map[string]string, error) {
	program := s.Env.program(s.Client.Program)
	if program == "" {
		return nil, &memory.Error{Kind: memory.ErrNotFound, Message: "the program " + s.Client.Program + " is not in PATH, so it cannot say what it trusts",
			Hint: "leave the trust out: --no-trust"}
	}
	home, err := os.MkdirTemp("", "memory-trust-")
	if err != nil {
		return nil, memory.Unavailable(err, "make a temporary folder")
	}
	defer os.RemoveAll(home)
	home, err = filepath.EvalSymlinks(home)
	file := filepath.Join(home, filepath.Base(s.Client.Files[0].Path))
	if err == nil {
		err = os.WriteFile(file, hooks, 0o600)
	}
	if err != nil {
		return nil, memory.Unavailable(err, "write a temporary file")
	}
	ctx, cancel := context.WithTimeout(ctx, trustTimeout)
	defer cancel()
	answer, err := listHooks(ctx, program, home, s.Env)
	if err != nil {
		return nil, memory.Unavailable(err, "%s lists no hooks", s.Client.Title).WithHint("leave the trust out: --no-trust")
	}
	hashes := map[string]string{}
	for _, folder := range answer.Result.Data {
		for _, h := range folder.Hooks {
			if key, ok := strings.CutPrefix(h.Key, file+":"); ok {
				hashes[key] = h.Hash
			}
		}
	}
	return hashes, nil
}

// hookList is the answer of Codex's app-server to hooks/list.
type hookList struct {
	ID     int
	Result struct {
		Data []struct {
			Hooks []struct {
				Key    string
				Hash   string `json:"currentHash"`
				Status string `json:"trustStatus"`
			}
		}
	}
}

// listHooks asks Codex's app-server with a folder as CODEX_HOME.
func listHooks(ctx context.Context, program, home string, e Environment) (list hookList, err error) {
	c := exec.CommandContext(ctx, program, "app-server")
	c.Dir = home
	c.Env = []string{"CODEX_HOME=" + home, "HOME=" + cmp.Or(e.Home, home), "PATH=" + e.Get("PATH")}
	in, err := c.StdinPipe()
	if err != nil {
		return list, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return list, err
	}
	if err := c.Start(); err != nil {
		return list, err
	}
	defer func() { _, _ = in.Close(), c.Process.Kill(); _ = c.Wait() }()
	for _, message := range []string{
		`{"id":1,"method":"initialize","params":{"clientInfo":{"name":"memory","version":"1"}}}`,
		`{"method":"initialized"}`, `{"id":2,"method":"hooks/list","params":{}}`,
	} {
		if _, err := in.Write([]byte(message + "\n")); err != nil {
			return list, err
		}
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		if json.Unmarshal(lines.Bytes(), &list) == nil && list.ID == 2 {
			return list, nil
		}
	}
	return list, cmp.Or(lines.Err(), ctx.Err(), errNoAnswer)
}

// Untrusted lists our hooks that the client does not run, because nobody trusts them.
func (s *ClientSetup) Untrusted() (keys []string) {
	i := slices.IndexFunc(s.Client.Files, func(f clients.File) bool { return f.Trusts != "" })
	if i < 0 {
		return nil
	}
	f := s.Client.Files[i]
	src, err := readFile(s.Env.file(f))
	if err != nil {
		return nil
	}
	d, err := textedit.Open(textedit.Format(f.Format), src)
	if err != nil {
		return nil
	}
	for _, key := range s.keysNow() {
		if key.rest == "" && d.Value(append(strings.Split(f.Trusts, "/"), key.now)...) == nil {
			keys = append(keys, key.now)
		}
	}
	return keys
}

// NeedsTrust reports whether the client runs only hooks that are trusted.
func (s *ClientSetup) NeedsTrust() bool {
	return slices.ContainsFunc(s.Client.Files, func(f clients.File) bool { return f.Trusts != "" })
}
