package hostsetup

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup/textedit"
)

// Client is a program with an agent, as clients.yaml describes it.
type Client struct {
	Name    string       `yaml:"name"`
	Also    string       `yaml:"also"` // another name
	Title   string       `yaml:"title"`
	Program string       `yaml:"program"`
	Folder  string       `yaml:"folder"` // exists where the client was used
	Moved   string       `yaml:"moved"`  // the variable that names another folder
	Mac     string       `yaml:"mac"`    // the folder on macOS
	Prompt  string       `yaml:"prompt"` // the event before a prompt; empty: the client has no hooks of ours
	Files   []clientFile `yaml:"files"`
	Next    []string     `yaml:"next"`
}

// clientFile is a file of a client, and what we add to it.
type clientFile struct {
	Path    string          `yaml:"path"`
	Moved   []string        `yaml:"moved"`
	Mac     string          `yaml:"mac"`
	Or      []string        `yaml:"or"`
	Format  textedit.Format `yaml:"format"`
	Append  entries         `yaml:"append"`
	Set     entries         `yaml:"set"`
	Content string          `yaml:"content"` // the whole file is ours
	Trusts  string          `yaml:"trusts"`  // where the file has the hashes of trusted hooks
}

// entries are values with their paths, in the order of the table.
type entries []entry

type entry struct {
	path  string
	value *yaml.Node
}

// UnmarshalYAML reads a mapping and keeps its order.
func (e *entries) UnmarshalYAML(node *yaml.Node) error {
	for pair := range slices.Chunk(node.Content, 2) {
		*e = append(*e, entry{pair[0].Value, pair[1]})
	}
	return nil
}

//go:embed clients.yaml
var clientTable []byte

// Clients returns all clients, those with hooks first.
var Clients = sync.OnceValue(func() (all []Client) {
	if err := yaml.Unmarshal(clientTable, &all); err != nil {
		panic("clients.yaml: " + err.Error()) // every test of the package shows it
	}
	for _, c := range all {
		for i, f := range c.Files {
			if f.Format == "" {
				c.Files[i].Format = textedit.JSON
			}
		}
	}
	return all
})

// ClientNames lists the names of all clients.
func ClientNames() (names []string) {
	for _, c := range Clients() {
		names = append(names, c.Name)
	}
	return names
}

// IsInstalled reports whether the program of a client is in PATH, or its folder exists.
func (c Client) IsInstalled(e Environment) bool {
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
	if runtime.GOOS == "darwin" && mac != "" {
		path = mac
	}
	return e.expand(filepath.FromSlash(path))
}

// place returns the path of the file: one of other names, where that exists.
func (f clientFile) place(e Environment) string {
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
	case os.IsNotExist(err):
		return nil, nil
	case err != nil:
		return nil, memory.Unavailable(err, "read %s", path)
	case src == nil:
		src = []byte{}
	}
	return src, nil
}
