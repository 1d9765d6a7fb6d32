package migrate

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // read.mjs
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
)

// The versions that were tested. A newer LanceDB reads what older ones wrote.
const (
	lanceVersion = "0.39.0"
	arrowVersion = "18.1.0"
	minNode      = 22
)

//go:embed read.mjs
var program []byte

// LanceReader reads LanceDB databases. There is no reader in pure Go, so it runs a small Node
// program with the package @lancedb/lancedb, which it installs on demand.
type LanceReader struct {
	Node    string   // the program node
	NPM     string   // the program npm, which installs the package
	Folder  string   // gets the package and the Node program; empty: a temporary folder
	Environ []string // of both programs
	Note    func(string)
}

// lanceHint tells how to do without Node.
const lanceHint = "name a Node of version 22 or later with --node PATH, or export the rows and use --ndjson FILE (docs/migrating.md)"

// Read passes the rows of a table to use, as lines of JSON. total is their number. A
// database that cannot be read, or not to its end, is an error.
func (r *LanceReader) Read(ctx context.Context, database, table string, use func(total int, lines io.Reader) error) (err error) {
	if r.Folder == "" {
		if r.Folder, err = os.MkdirTemp("", "memory-lancedb-"); err != nil {
			return memory.Unavailable(err, "make a temporary folder")
		}
		defer func() { r.Folder, err = "", errors.Join(err, os.RemoveAll(r.Folder)) }()
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, r.Node, filepath.Join(r.Folder, "read.mjs"), r.Folder, database, table)
	var problem bytes.Buffer
	c.Env, c.Stderr = r.Environ, &problem
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return memory.Unavailable(err, "run node").WithHint("%s", lanceHint)
	}
	lines := &lineCounter{in: bufio.NewReaderSize(out, 1<<16)}
	total, err := readHead(lines.in, database, table)
	if err == nil {
		err = use(total, lines)
	}
	_, _ = io.Copy(io.Discard, out) // a program whose output is not read does not end
	if ended := c.Wait(); ended != nil && (err == nil || errors.Is(err, errNoHead)) {
		return memory.Unavailable(ctx.Err(), "the LanceDB database %s cannot be read: %s", database, lastLine(problem.String())).WithHint("%s", lanceHint)
	}
	if err == nil && lines.n != total {
		err = memory.Unavailable(nil, "the database has %d rows, and %d were read", total, lines.n).
			WithHint("stop the program that uses it, then try again")
	}
	return err
}

// errNoHead means that the program ended before its first line.
var errNoHead = errors.New("node printed nothing")

// readHead reads the first line, with the number of rows.
func readHead(in *bufio.Reader, database, table string) (total int, err error) {
	line, err := in.ReadBytes('\n')
	var head struct {
		Rows   *int     `json:"rows"`
		Tables []string `json:"tables"`
	}
	switch {
	case err != nil || json.Unmarshal(line, &head) != nil:
		return 0, errNoHead
	case head.Rows == nil && len(head.Tables) == 0:
		return 0, &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: database + " is no LanceDB database, or it has no table",
			Hint: "name the folder of the database, such as ~/.openclaw/memory/lancedb"}
	case head.Rows == nil:
		return 0, &memory.Error{Kind: memory.ErrNotFound, Field: "path",
			Message: fmt.Sprintf("the database %s has no table %s; it has: %s", database, table, strings.Join(head.Tables, ", ")),
			Hint:    "name the database of the system that --from names"}
	}
	return *head.Rows, nil
}

// lineCounter counts the lines that are read through it.
type lineCounter struct {
	in *bufio.Reader
	n  int
}

func (l *lineCounter) Read(to []byte) (n int, err error) {
	n, err = l.in.Read(to)
	l.n += bytes.Count(to[:n], []byte("\n"))
	return n, err
}

// lastLine returns the line of an error output that names the error.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.Contains(line, "Error: ") || strings.HasPrefix(line, "npm error ") {
			return strings.TrimSpace(line)
		}
	}
	return lines[len(lines)-1]
}

// machine is what the package for this machine depends on.
type machine struct {
	Major    int    `json:"major"`
	Platform string `json:"platform"`
	Arch     string `json:"arch"`
	Glibc    bool   `json:"glibc"`
}

// native returns the npm package with LanceDB's binary for a machine.
func (m machine) native() (string, error) {
	name := m.Platform + "-" + m.Arch
	switch m.Platform {
	case "linux":
		name += "-musl"
		if m.Glibc {
			name = strings.TrimSuffix(name, "-musl") + "-gnu"
		}
	case "win32":
		name += "-msvc"
	}
	switch name {
	case "linux-x64-gnu", "linux-arm64-gnu", "linux-x64-musl", "linux-arm64-musl", "darwin-arm64", "win32-x64-msvc", "win32-arm64-msvc":
		return "@lancedb/lancedb-" + name, nil
	}
	return "", memory.Unavailable(nil, "LanceDB has no build for %s", name).
		WithHint("export the rows on another machine and use --ndjson FILE (docs/migrating.md)")
}

// describe asks Node about itself.
const describe = `const h = process.report?.getReport?.().header ?? {}; console.log(JSON.stringify({major: +process.versions.node.split(".")[0],
platform: process.platform, arch: process.arch, glibc: Boolean(h.glibcVersionRuntime)}))`

// prepare installs what the Node program needs, if it is not there.
func (r *LanceReader) prepare(ctx context.Context) error {
	c := exec.CommandContext(ctx, r.Node, "-e", describe)
	c.Env = r.Environ
	out, err := c.Output()
	if err != nil {
		return memory.Unavailable(err, "node cannot be run").WithHint("%s", lanceHint)
	}
	var m machine
	if err := json.Unmarshal(out, &m); err != nil {
		return memory.Unavailable(err, "%s is no Node", r.Node).WithHint("%s", lanceHint)
	}
	if m.Major < minNode {
		return memory.Unavailable(nil, "LanceDB needs Node %d or later; %s is version %d", minNode, r.Node, m.Major).WithHint("%s", lanceHint)
	}
	native, err := m.native()
	if err != nil {
		return err
	}
	if !r.has("@lancedb/lancedb", lanceVersion) || !r.has(native, lanceVersion) || !r.has("apache-arrow", arrowVersion) {
		if err := r.install(ctx, native); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(r.Folder, "read.mjs"), program, 0o600); err != nil {
		return memory.Unavailable(err, "write the reader of LanceDB")
	}
	return nil
}

// has reports whether a package of npm is installed.
func (r *LanceReader) has(name, version string) bool {
	src, err := os.ReadFile(filepath.Join(r.Folder, "node_modules", filepath.FromSlash(name), "package.json"))
	var p struct {
		Version string `json:"version"`
	}
	return err == nil && json.Unmarshal(src, &p) == nil && p.Version == version
}

// install installs the package with npm. Scripts of packages do not run.
func (r *LanceReader) install(ctx context.Context, native string) error {
	if err := os.MkdirAll(r.Folder, 0o700); err != nil {
		return memory.Unavailable(err, "make the folder of LanceDB")
	}
	if err := os.WriteFile(filepath.Join(r.Folder, "package.json"), []byte(`{"private": true}`+"\n"), 0o600); err != nil {
		return memory.Unavailable(err, "write the folder of LanceDB")
	}
	r.Note("installing @lancedb/lancedb@" + lanceVersion + " with npm into " + r.Folder)
	c := exec.CommandContext(ctx, r.NPM, "install", "--prefix", r.Folder, "--ignore-scripts", "--omit=optional", "--omit=peer", "--no-audit", "--no-fund", "--loglevel=error",
		"@lancedb/lancedb@"+lanceVersion, native+"@"+lanceVersion, "apache-arrow@"+arrowVersion)
	c.Env, c.Dir = r.Environ, r.Folder
	if out, err := c.CombinedOutput(); err != nil {
		return memory.Unavailable(ctx.Err(), "npm cannot install @lancedb/lancedb: %s", lastLine(string(out))).WithHint("%s", lanceHint)
	}
	if !r.has("@lancedb/lancedb", lanceVersion) || !r.has(native, lanceVersion) {
		return memory.Unavailable(nil, "npm installed @lancedb/lancedb without its build for this machine").WithHint("%s", lanceHint)
	}
	return nil
}
