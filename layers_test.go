package memory_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/memory-tiered/memory"

// layers is the house: every package, and the floor it stands on. Imports point
// down only, never sideways.
var layers = map[string]int{
	".": 0,

	"frontmatter": 1, "chunker": 1, "identity": 1, "workspace": 1, "watcher": 1, "embed": 1,

	"index": 2, "ingest": 2, "recall": 2, "decay": 2, "capture": 2, "transfer": 2,

	"engine": 3,

	"service": 4, "api": 4, "eval": 4,

	"cmd/memory": 5,
}

// rooms names what is part of another package's room, or may be imported by
// few: a package, and who may import it besides the package that it belongs to.
var rooms = map[string]struct {
	belongsTo string
	importers []string
}{
	"config":             {importers: []string{"cmd/memory"}},
	"embed/static":       {belongsTo: "embed", importers: []string{"cmd/memory"}},
	"embed/none":         {belongsTo: "embed", importers: []string{"cmd/memory"}},
	"embed/models":       {belongsTo: "embed", importers: []string{"cmd/memory"}},
	"embed/wire":         {belongsTo: "embed", importers: []string{"embed/openai", "embed/gemini"}},
	"embed/hugot":        {belongsTo: "embed", importers: []string{"cmd/memory"}},
	"embed/openai":       {belongsTo: "embed", importers: []string{"cmd/memory"}},
	"embed/gemini":       {belongsTo: "embed", importers: []string{"cmd/memory"}},
	"service/unit":       {belongsTo: "service", importers: []string{"cmd/memory"}},
	"api/mcp":            {belongsTo: "api", importers: []string{"cmd/memory"}},
	"examples-workspace": {importers: []string{"cmd/memory"}},
}

// rootOnly may import nothing of ours but the words.
var rootOnly = []string{"api", "api/mcp", "eval", "frontmatter", "chunker", "identity", "workspace", "watcher", "embed"}

func TestImportsPointDown(t *testing.T) {
	for pkg, imports := range importsByPackage(t) {
		if _, known := floor(pkg); !known {
			t.Errorf("%s stands on no floor: give it one in layers, or a room in rooms", pkg)
			continue
		}
		for imported, file := range imports {
			if reason := forbidden(pkg, imported); reason != "" {
				t.Errorf("%s: %s must not import %s: %s", file, pkg, imported, reason)
			}
		}
	}
}

func forbidden(pkg, imported string) string {
	if room, ok := rooms[imported]; ok && !within(pkg, imported) {
		for _, allowed := range room.importers {
			if pkg == allowed {
				return ""
			}
		}
		return "only " + strings.Join(room.importers, ", ") + " may"
	}
	if room := rooms[pkg]; room.belongsTo == imported || within(pkg, imported) {
		return ""
	}
	for _, p := range rootOnly {
		if pkg == p && imported != "." {
			return "it knows the words alone"
		}
	}
	from, _ := floor(pkg)
	to, known := floor(imported)
	if !known {
		return "that package stands on no floor"
	}
	if to >= from {
		return "imports point down, never sideways"
	}
	return ""
}

// floor is the layer of a package; a room stands where it belongs, and test
// suites beside a package (embed/embedtest) stand with it.
func floor(pkg string) (int, bool) {
	if n, ok := layers[pkg]; ok {
		return n, true
	}
	if pkg == "config" {
		return 4, true
	}
	if room, ok := rooms[pkg]; ok {
		return layers[room.belongsTo], true
	}
	n, ok := layers[path.Dir(pkg)]
	return n, ok && pkg == path.Join(path.Dir(pkg), path.Base(path.Dir(pkg))+"test")
}

func within(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

// importsByPackage parses every Go file that is not a test: package → what it
// imports of ours → a file that does.
func importsByPackage(t *testing.T) map[string]map[string]string {
	t.Helper()
	found := map[string]map[string]string{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(p))
		if found[pkg] == nil {
			found[pkg] = map[string]string{}
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if name == module {
				found[pkg]["."] = p
			} else if rest, ours := strings.CutPrefix(name, module+"/"); ours {
				found[pkg][rest] = p
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheRuleSeesAViolation(t *testing.T) {
	for _, bad := range [][2]string{{"index", "ingest"}, {"chunker", "index"}, {"api", "engine"}, {"engine", "config"},
		{"recall", "embed/static"}, {"identity", "chunker"}, {"engine", "api"}, {"service", "api"}} {
		if forbidden(bad[0], bad[1]) == "" {
			t.Errorf("%s importing %s passes", bad[0], bad[1])
		}
	}
	for _, good := range [][2]string{{"index", "identity"}, {"engine", "index"}, {"cmd/memory", "embed/static"},
		{"embed/static", "embed"}, {"embed/static", "."}, {"cmd/memory", "config"}} {
		if why := forbidden(good[0], good[1]); why != "" {
			t.Errorf("%s importing %s is refused: %s", good[0], good[1], why)
		}
	}
}
