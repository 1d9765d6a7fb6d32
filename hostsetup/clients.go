package hostsetup

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/machine"
)

// Client is an entry of the table of clients.
type Client = clients.Client

// ClientList lists the names of all clients, in short lines.
func ClientList() string {
	var lines, line string
	for _, name := range append([]string{"openclaw"}, ClientNames()...) {
		if len(line)+len(name) > 70 {
			lines, line = lines+line+"\n", ""
		}
		line += name + ", "
	}
	return strings.TrimSuffix(lines+line, ", ") + "."
}

// ClientNames lists the names of all clients.
func ClientNames() (names []string) {
	for _, c := range clients.All() {
		names = append(names, c.Name)
	}
	return names
}

// Has reports whether the program of a client is in PATH, or its folder exists.
func (e Environment) Has(c Client) bool {
	return e.program(c.Program) != "" || isFolder(e.place(c.Folder, c.Mac, []string{c.Moved}))
}

// program returns the path of a program in PATH; empty: there is none.
func (e Environment) program(name string) string {
	for _, dir := range filepath.SplitList(e.Get("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(path) {
			return path
		}
	}
	return ""
}

// place returns where a file or folder of a client is.
func (e Environment) place(path, mac string, moved []string) string {
	for _, m := range moved {
		variable, rest, _ := strings.Cut(m, "/")
		if dir := e.Get(variable); variable != "" && dir != "" {
			return filepath.Join(e.expand(dir), filepath.FromSlash(rest))
		}
	}
	if machine.IsMac && mac != "" {
		path = mac
	}
	return e.expand(filepath.FromSlash(path))
}

// file returns the path of a client's file: one of other names, where that exists.
func (e Environment) file(f clients.File) string {
	path := e.place(f.Path, f.Mac, f.Moved)
	for _, name := range f.Or {
		if other := filepath.Join(filepath.Dir(path), name); isFile(other) && !isFile(path) {
			return other
		}
	}
	return path
}

// readFile returns the bytes of a file; nil: there is none.
func readFile(path string) ([]byte, error) {
	src, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err) && isLink(path):
		return nil, memory.Conflict("%s is a symbolic link to a file that does not exist", path).WithHint("make that file, or remove the link")
	case os.IsNotExist(err):
		return nil, nil
	case err != nil:
		return nil, memory.Unavailable(err, "read %s", path).WithHint("make it a file that you can read and write, or move it away")
	case src == nil:
		src = []byte{}
	}
	return src, nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}
