package memory_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/memory-tiered/memory"

// layers gives the layer of every top-level package. Imports point down only,
// never sideways.
var layers = map[string]int{
	".": 0, "knowledge": 0, "internal/lazyregexp": 0, "internal/markdown": 0, "internal/glob": 0, "internal/machine": 0, "internal/must": 0, "lang": 0,

	"learn": 1, "entity": 1, "scene": 1, "frontmatter": 1, "chunker": 1, "identity": 1, "decay": 1, "workspace": 1, "watcher": 1, "embed": 1,
	"internal/secrets": 1, "internal/alignment": 1, "internal/git": 1, "internal/extract": 1, "internal/wording": 1, "internal/property": 1, "internal/leaks": 1, "internal/folder": 1, "internal/atomicfile": 1, "internal/exportlines": 1, "internal/textedit": 1, "internal/modelserver": 1,
	"plugin/openclaw": 1,

	"index": 2, "ingest": 2, "recall": 2, "capture": 2, "verify": 2, "migrate": 2, "internal/clients": 2,

	"engine": 3,

	"service": 4, "api": 4, "eval": 4, "config": 4, "hostsetup": 4,

	"cmd/memory": 5,
}

// subpackages lists the packages inside another package's folder, with the
// packages that may import them. Tests beside them may as well.
var subpackages = map[string][]string{
	"ingest/detect":    {"ingest"},
	"ingest/documents": {"ingest"},

	"index/sqldb":    {"index", "index/journal", "index/marks", "index/postgres", "index/query", "index/repair", "index/rows", "index/sqlite", "index/vectors"},
	"index/sqlite":   {"index", "index/repair"},
	"index/postgres": {"index", "index/indextest"},
	"index/text":     {"index/postgres", "index/query", "index/rows", "index/search"},
	"index/search":   {"index", "index/query"},
	"index/vectors":  {"index", "index/query", "index/repair", "index/rows"},
	"index/journal":  {"index"},
	"index/marks":    {"index", "index/journal", "index/rows"},
	"index/rows":     {"index", "index/journal"},
	"index/repair":   {"index"},
	"index/query":    {"index", "index/marks", "index/rows"},

	"frontmatter/fields":     {"chunker", "frontmatter", "ingest"},
	"frontmatter/protecting": {"chunker", "frontmatter", "frontmatter/fields"},

	"recall/dates":    {"engine/extracting", "engine/store", "recall", "recall/block", "recall/question", "recall/ranking"},
	"recall/question": {"engine", "engine/commands", "engine/store", "recall", "recall/ranking"},
	"recall/notation": {"engine/lookup", "engine/store", "recall", "recall/ranking"},
	"recall/ranking":  {"recall"},
	"recall/block":    {"engine/derive", "recall"},

	"engine/ageing":      {"engine", "engine/commands", "engine/doctor"},
	"engine/capturing":   {"engine", "engine/doctor", "engine/extracting"},
	"engine/commands":    {"engine", "engine/doctor"},
	"engine/derive":      {"engine"},
	"engine/doctor":      {"engine"},
	"engine/embedding":   {"engine", "engine/erasure", "engine/lookup", "engine/store"},
	"engine/erasure":     {"cmd/memory/receipt", "engine"},
	"engine/extracting":  {"cmd/memory", "engine"},
	"engine/githistory":  {"engine"},
	"engine/hooks":       {"engine"},
	"engine/lookup":      {"engine", "engine/ageing", "engine/capturing", "engine/commands", "engine/derive", "engine/doctor", "engine/extracting", "engine/store", "engine/together"},
	"engine/machines":    {"engine"},
	"engine/plan":        {"engine", "engine/capturing", "engine/commands", "engine/doctor", "engine/extracting", "engine/snapshot", "engine/store"},
	"engine/receipts":    {"engine", "engine/capturing", "engine/commands", "engine/extracting"},
	"engine/redact":      {"engine"},
	"engine/snapshot":    {"engine"},
	"engine/statefolder": {"cmd/memory/registry", "engine", "engine/erasure"},
	"engine/store":       {"engine", "engine/ageing", "engine/capturing", "engine/commands", "engine/doctor", "engine/extracting"},
	"engine/together":    {"engine"},
	"engine/transfer":    {"engine", "engine/snapshot"},

	"embed/static":      {"cmd/memory", "embed/provider", "embed/transformer", "tools/vectors"},
	"embed/hugot":       {"embed/provider"},
	"embed/transformer": {"cmd/memory", "embed/provider"},
	"embed/server":      {"embed/provider"},
	"embed/provider":    {"cmd/memory"},

	"internal/atomicfile":  {"api/caller", "cmd/memory", "cmd/memory/receipt", "cmd/memory/sharing", "cmd/memory/team", "config", "embed/provider", "engine/commands", "engine/hooks", "engine/snapshot", "engine/statefolder", "hostsetup", "index", "index/marks", "index/sqlite", "internal/folder"},
	"internal/exportlines": {"engine/snapshot", "engine/transfer", "migrate"},
	"internal/textedit":    {"config", "hostsetup"},
	"internal/modelserver": {"cmd/memory", "embed/server", "engine/extracting"},
	"internal/machine":     {"api", "cmd/memory", "config", "engine/doctor", "hostsetup", "internal/extract", "internal/folder", "service", "workspace"},

	"service/unit":         {"cmd/memory", "cmd/memory/packaging"},
	"api/caller":           {"api", "cmd/memory"},
	"api/inspector":        {"cmd/memory"},
	"api/mcp":              {"cmd/memory"},
	"examples-workspace":   {"cmd/memory"},
	"cmd/memory/browse":    {"cmd/memory"},
	"cmd/memory/dialogue":  {"cmd/memory"},
	"cmd/memory/display":   {"cmd/memory", "cmd/memory/browse", "cmd/memory/dialogue", "cmd/memory/receipt"},
	"cmd/memory/packaging": {"cmd/memory"},
	"cmd/memory/receipt":   {"cmd/memory"},
	"cmd/memory/sharing":   {"cmd/memory"},
	"cmd/memory/team":      {"cmd/memory"},
	"cmd/memory/registry":  {"cmd/memory", "cmd/memory/dialogue"},
}

// restricted lists packages of layers that only some may import.
var restricted = map[string][]string{
	"config": {"cmd/memory", "cmd/memory/registry", "embed/provider"},
}

// lowestOnly lists the packages that import none of ours but those of the lowest layer.
var lowestOnly = []string{
	"api", "api/inspector", "api/mcp", "eval", "frontmatter", "chunker", "identity", "decay", "workspace", "watcher", "embed",
	"learn", "entity", "scene", "internal/secrets", "internal/alignment", "internal/git", "internal/extract", "internal/glob", "internal/wording", "internal/property", "internal/leaks", "internal/machine", "internal/folder", "internal/atomicfile", "internal/exportlines", "internal/textedit", "index/text", "frontmatter/fields",
}

// outsiders lists, for a package from outside, the only packages that may import it.
var outsiders = map[string][]string{
	"database/sql":                 {"index", "index/postgres", "index/sqldb", "index/sqlite", "index/query", "index/repair"},
	"github.com/jackc/pgx/v5":      {"index/postgres"},
	"modernc.org/sqlite":           {"index/sqlite"},
	"modernc.org/sqlite/vec":       {"index/sqlite"},
	"github.com/fsnotify/fsnotify": {"watcher"},
	"github.com/tailscale/hujson":  {"internal/textedit"},
	"charm.land/bubbletea/v2":      {"cmd/memory/browse"},
	"github.com/yuin/goldmark":     {"chunker"},
	"github.com/ledongthuc/pdf":    {"internal/extract"},
	"github.com/robfig/cron/v3":    {"decay"},
}

// startsGoroutines lists the packages that start goroutines, with the reason.
// Each goroutine has an owner that waits for it.
var startsGoroutines = map[string]string{
	"service":           "runs the loops of the service",
	"service/unit":      "answers the service manager of Windows while the service runs",
	"api":               "Serve runs the HTTP server, keeps its socket, and sends heartbeats of event streams",
	"api/inspector":     "serves the pages on a port, and closes it when nobody uses them",
	"api/mcp":           "stops the HTTP server when its context ends",
	"cmd/memory":        "a hook ends in time, also if its input does not end",
	"watcher":           "drains fsnotify's channels while it looks at the disk",
	"internal/extract":  "ends the process that reads a document when it takes too much time or memory",
	"embed/hugot":       "a session cannot be cancelled, so that the caller waits beside it",
	"embed/transformer": "embeds a batch on two cores",
	"embed/embedtest":   "a conformance test calls an embedder from many goroutines at once",
}

// readsClock lists the packages below service that read the clock, with the
// reason. All others get the time as a parameter.
var readsClock = map[string]string{
	"engine":               "measures how long a call took; now comes from Options.Now",
	"engine/ageing":        "measures how long a slice of a sweep took",
	"engine/embedding":     "measures how long a batch took",
	"ingest":               "measures how long an ingest reads, so that it may be paused",
	"internal/git":         "compares the modification times of git's files with now, and bounds a wait for git",
	"watcher":              "settles file events by the monotonic clock",
	"workspace":            "compares modification times with now, to know whether a file may still change unseen",
	"embed/server":         "sends no query for a while after a failed one",
	"internal/modelserver": "waits between attempts as a server asks",
	"internal/leaks":       "bounds how long goroutines may take to end after the tests",
}

func TestImportsPointDown(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if _, known := layerOf(f.pkg); !known {
			t.Errorf("%s has no layer: add it to layers or to subpackages", f.pkg)
			continue
		}
		for _, imported := range f.imports() {
			if reason := forbidden(f.pkg, imported); reason != "" {
				t.Errorf("%s: %s must not import %s: %s", f.path, f.pkg, imported, reason)
			}
		}
	}
}

// forbidden returns why pkg must not import another package; empty where it may.
// Packages of ours are named by their folder behind "./", the root package by ".".
func forbidden(pkg, imported string) string {
	if importers, limited := outsiders[imported]; limited {
		return unlessListed(pkg, importers)
	}
	imported, ours := strings.CutPrefix(imported, "./")
	if !ours {
		return ""
	}
	to, _ := layerOf(imported)
	if importers, limited := subpackages[imported]; limited {
		return unlessListed(pkg, append(importers, imported+"test"))
	}
	if importers, limited := restricted[imported]; limited {
		return unlessListed(pkg, importers)
	}
	if path.Dir(pkg) == imported && isTestSuite(pkg) || isSubpackageOf(pkg, imported) && pkg != "index/query" {
		return ""
	}
	if slices.Contains(lowestOnly, pkg) && to > 0 {
		return "it imports packages of the lowest layer only"
	}
	if from, _ := layerOf(pkg); to >= from {
		return "imports point down, never sideways"
	}
	return ""
}

func unlessListed(pkg string, importers []string) string {
	if slices.Contains(importers, pkg) || isTestSuite(pkg) {
		return ""
	}
	return "only " + strings.Join(importers, ", ") + " may"
}

// isSubpackageOf reports whether a subpackage may use the package of its folder. A
// provider uses embed, but nothing below engine, frontmatter, index and recall uses these.
func isSubpackageOf(pkg, parent string) bool {
	return path.Dir(pkg) == parent && !slices.Contains([]string{"engine", "frontmatter", "index", "recall"}, parent)
}

// isTestSuite reports whether a package is a suite of tests that others run, as
// embed/embedtest and index/indextest are.
func isTestSuite(pkg string) bool {
	return path.Base(pkg) == path.Base(path.Dir(pkg))+"test"
}

// layerOf returns the layer of a package of ours. A subpackage has the layer of
// its folder; known is false for what is not ours or has no layer yet.
func layerOf(pkg string) (layer int, known bool) {
	if n, ok := layers[pkg]; ok {
		return n, true
	}
	parent := path.Dir(pkg)
	if _, listed := subpackages[pkg]; listed || isTestSuite(pkg) {
		n, ok := layers[parent]
		return n, ok || pkg == "examples-workspace"
	}
	// A tool for developers: package main in a folder of its own.
	if isTool(pkg) {
		return 5, true
	}
	return 0, false
}

// tools are programs for developers. They are not in the product's binary.
var tools = []string{"tools/capture", "tools/curve", "tools/learn", "tools/lint", "tools/names", "tools/parts", "tools/release", "tools/size", "tools/vectors"}

func isTool(pkg string) bool { return slices.Contains(tools, pkg) }

// The most files and lines of a package, without its tests. Beyond them it holds a second
// idea, which is a package of its own.
const (
	maxFiles = 25
	maxLines = 3000
)

// limit is the most files and lines of a package that may be larger, with the reason.
type limit struct {
	files, lines int
	reason       string
}

// largePackages lists the packages that may be larger. Lower a limit after every division
// of its package. Do not raise one: put new code into a subpackage.
var largePackages = map[string]limit{
	".":          {25, 3350, "has the nouns of every package, and decides who sees a memory"},
	"engine":     {39, 4470, "has a method for each use case, and what is too small for a subpackage"},
	"cmd/memory": {55, 8000, "has a file for each command, and turns the configuration into options"},
}

func TestPackagesHoldOneIdea(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	for _, f := range sourceFiles(t) {
		files[f.pkg]++
		lines[f.pkg] += f.set.File(f.syntax.FileStart).LineCount()
	}
	for pkg := range files {
		most := limit{files: maxFiles, lines: maxLines}
		large, isLarge := largePackages[pkg]
		switch {
		case isLarge && files[pkg] <= maxFiles && lines[pkg] <= maxLines:
			t.Errorf("largePackages lists %s without need", pkg)
		case isLarge:
			most = large
		}
		if files[pkg] > most.files || lines[pkg] > most.lines {
			t.Errorf("%s has %d files and %d lines, more than %d or %d: divide it", pkg, files[pkg], lines[pkg], most.files, most.lines)
		}
	}
	for pkg := range largePackages {
		if files[pkg] == 0 {
			t.Errorf("largePackages lists %s, which does not exist", pkg)
		}
	}
}

func TestOnlyListedPackagesStartGoroutines(t *testing.T) {
	used := map[string]bool{}
	for _, f := range sourceFiles(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			at := startOfGoroutine(n)
			if at == nil {
				return true
			}
			used[f.pkg] = true
			if startsGoroutines[f.pkg] == "" {
				t.Errorf("%s: %s starts a goroutine and is not listed in startsGoroutines", f.at(at), f.pkg)
			}
			return true
		})
	}
	reportUnused(t, "startsGoroutines", startsGoroutines, used)
}

// startOfGoroutine returns n where it is a go statement, a call of a method
// named Go (errgroup, WaitGroup) or time.AfterFunc.
func startOfGoroutine(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Go" || s.Sel.Name == "AfterFunc") {
			return n
		}
	}
	return nil
}

func TestNothingBelowServiceReadsTheClock(t *testing.T) {
	used := map[string]bool{}
	for _, f := range sourceFiles(t) {
		if layer, _ := layerOf(f.pkg); layer >= layers["service"] {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !isName(s.X, "time") || s.Sel.Name != "Now" && s.Sel.Name != "Since" && s.Sel.Name != "Until" {
				return true
			}
			used[f.pkg] = true
			if readsClock[f.pkg] == "" {
				t.Errorf("%s: %s calls time.%s and is not listed in readsClock: take the time as a parameter", f.at(n), f.pkg, s.Sel.Name)
			}
			return true
		})
	}
	reportUnused(t, "readsClock", readsClock, used)
}

func TestNoStructHoldsAContext(t *testing.T) {
	for _, f := range sourceFiles(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range s.Fields.List {
				if x, ok := field.Type.(*ast.SelectorExpr); ok && isName(x.X, "context") && x.Sel.Name == "Context" {
					t.Errorf("%s: a struct holds a context: pass it to the calls", f.at(field))
				}
			}
			return true
		})
	}
}

func isName(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// reportUnused fails for entries of a list that no source file needs any more.
func reportUnused(t *testing.T, list string, reasons map[string]string, used map[string]bool) {
	t.Helper()
	for pkg := range reasons {
		if !used[pkg] {
			t.Errorf("%s lists %s without need", list, pkg)
		}
	}
}

// sourceFile is a Go file that is not a test.
type sourceFile struct {
	path   string
	pkg    string // its folder; "." for the root
	set    *token.FileSet
	syntax *ast.File
}

func (f sourceFile) at(n ast.Node) string { return f.set.Position(n.Pos()).String() }

// imports lists what the file imports: packages of ours by their folder behind
// "./", all others by their import path.
func (f sourceFile) imports() (all []string) {
	for _, spec := range f.syntax.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if folder, ours := strings.CutPrefix(name, module+"/"); ours {
			name = "./" + folder
		} else if name == module {
			name = "."
		}
		all = append(all, name)
	}
	return all
}

// sourceFiles parses every Go file of the repository that is not a test. It
// parses in this process: a test that asks "go list" passes from the test cache
// after a violation.
func sourceFiles(t *testing.T) (all []sourceFile) {
	t.Helper()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "node_modules", "bin", "dist"}, d.Name())) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f := sourceFile{path: p, pkg: path.Dir(filepath.ToSlash(p)), set: token.NewFileSet()}
		f.syntax, err = parser.ParseFile(f.set, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestImportRuleRefusesViolations(t *testing.T) {
	for _, bad := range [][2]string{
		{"index", "./ingest"}, {"chunker", "./index"}, {"api", "./engine"}, {"engine", "./config"}, {"recall", "./embed/static"},
		{"identity", "./chunker"}, {"engine", "./api"}, {"service", "./api"}, {"index/search", "./index/query"},
		{"index/text", "./index/search"}, {"index/query", "./index"}, {"index/search", "./index/sqlite"}, {"recall", "./index/text"},
		{"engine", "./index/query"}, {"index/journal", "./index"}, {"index/rows", "./index"}, {"engine", "./index/rows"}, {"index/search", "database/sql"}, {"index/text", "database/sql"}, {"engine", "database/sql"},
		{"recall", "./capture"}, {"decay", "./chunker"}, {"internal/alignment", "./internal/secrets"}, {"verify", "./index"},
		{"engine", "github.com/fsnotify/fsnotify"}, {"embed", "./embed/static"}, {"embed/static", "./embed/hugot"},
		{"recall/notation", "./recall"}, {"frontmatter/fields", "./frontmatter"}, {"index/rows", "./frontmatter/fields"}, {"recall/question", "./recall/ranking"}, {"recall/ranking", "./recall"}, {"engine", "./recall/block"},
		{"index", "./recall/notation"}, {"recall/block", "./recall/question"}, {"engine/redact", "./engine"}, {"index", "./engine/redact"}, {"engine/redact", "./service"},
	} {
		if forbidden(bad[0], bad[1]) == "" {
			t.Errorf("%s may import %s", bad[0], bad[1])
		}
	}
	for _, good := range [][2]string{
		{"index", "./identity"}, {"engine", "./index"}, {"cmd/memory", "./embed/provider"}, {"embed/static", "./embed"},
		{"embed/static", "."}, {"cmd/memory", "./config"}, {"index", "./index/query"}, {"index", "./index/sqlite"},
		{"index/query", "./index/search"}, {"index/search", "./index/text"}, {"index/query", "./index/sqldb"}, {"index/sqlite", "./index/sqldb"},
		{"index/sqlite", "database/sql"}, {"recall", "./internal/alignment"}, {"recall", "./decay"}, {"engine", "./verify"},
		{"index/indextest", "./index"}, {"watcher", "github.com/fsnotify/fsnotify"}, {"index/search", "."},
		{"recall", "./recall/block"}, {"frontmatter", "./frontmatter/fields"}, {"recall/ranking", "./recall/question"}, {"engine", "./recall/question"}, {"recall/ranking", "./recall/notation"},
		{"engine", "./engine/redact"}, {"engine/redact", "./index"},
	} {
		if why := forbidden(good[0], good[1]); why != "" {
			t.Errorf("%s may not import %s: %s", good[0], good[1], why)
		}
	}
}
