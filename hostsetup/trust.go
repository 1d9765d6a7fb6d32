package hostsetup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
		if hashes[key] == "" {
			return nil, memory.Unavailable(nil, "%s does not list the hook %s", s.Client.Title, key).WithHint("leave the trust out: --no-trust")
		}
		path := append(strings.Split(f.Trusts, "/"), file+":"+key)
		if err := d.Set(asJSON(map[string]string{"trusted_hash": hashes[key]}), path...); err != nil {
			return nil, err
		}
	}
	return d.Bytes(), nil
}

// hookKeys returns how the client names our hooks: the event, and two positions.
func (w *wiring) hookKeys(f clients.File, src []byte) (keys []string) {
	d, err := w.open(f, src)
	if err != nil || d == nil {
		return nil
	}
	for _, a := range f.Append {
		path := w.path(a)
		for _, at := range w.ours(d, a) {
			group, handler := at[len(path)], "0"
			if len(at) > len(path)+1 {
				handler = at[len(at)-1]
			}
			keys = append(keys, snakeCase(path[len(path)-1])+":"+group+":"+handler)
		}
	}
	return keys
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

// trustedKeys returns the keys of our hooks as they are in the client's file now.
func (s *ClientSetup) trustedKeys() (keys []string) {
	hooks := s.Client.Files[0]
	file := s.Env.file(hooks)
	src, err := readFile(file)
	if err != nil {
		return nil
	}
	for _, key := range s.hookKeys(hooks, src) {
		keys = append(keys, file+":"+key)
	}
	return keys
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
	for _, key := range s.trustedKeys() {
		if d.Value(append(strings.Split(f.Trusts, "/"), key)...) == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// NeedsTrust reports whether the client runs only hooks that are trusted.
func (s *ClientSetup) NeedsTrust() bool {
	return slices.ContainsFunc(s.Client.Files, func(f clients.File) bool { return f.Trusts != "" })
}
