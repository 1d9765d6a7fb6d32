package memory_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSequentialPackagesHaveOneGoroutine checks the packages whose tests do not run with
// the race detector. They and what they import start no goroutine, and use nothing from
// outside that does.
func TestSequentialPackagesHaveOneGoroutine(t *testing.T) {
	list := sequentialPackages(t)
	imports, starts := map[string][]string{}, map[string]string{}
	for _, f := range sourceFiles(t) {
		imports[f.pkg] = append(imports[f.pkg], f.imports()...)
		if at := goroutineIn(f.syntax); at != nil {
			starts[f.pkg] = f.at(at)
		}
	}
	for _, pkg := range list {
		tests, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
		if err != nil || len(tests) == 0 {
			t.Errorf("%s has no tests: %v", pkg, err)
		}
		used := slices.Clone(imports[pkg])
		for _, file := range tests {
			f := sourceFile{path: file, pkg: pkg, set: token.NewFileSet()}
			if f.syntax, err = parser.ParseFile(f.set, file, nil, parser.SkipObjectResolution); err != nil {
				t.Fatal(err)
			}
			if at := goroutineIn(f.syntax, "AfterFunc"); at != nil { // a time limit, which shares nothing
				t.Errorf("%s: starts a goroutine; take %s off SEQUENTIAL in the Makefile", f.at(at), pkg)
			}
			used = append(used, f.imports()...)
		}
		for _, p := range append([]string{pkg}, reached(used, imports)...) {
			if at := starts[p]; at != "" {
				t.Errorf("%s: starts a goroutine, and %s uses it; take that off SEQUENTIAL in the Makefile", at, pkg)
			}
			if i := slices.IndexFunc(imports[p], isConcurrent); i >= 0 {
				t.Errorf("%s imports %s, and %s uses it; take that off SEQUENTIAL in the Makefile", p, imports[p][i], pkg)
			}
		}
		if i := slices.IndexFunc(used, isConcurrent); i >= 0 {
			t.Errorf("%s uses %s; take it off SEQUENTIAL in the Makefile", pkg, used[i])
		}
	}
}

// isConcurrent reports whether a package from outside starts goroutines that share
// variables with its callers.
func isConcurrent(imported string) bool {
	return slices.Contains([]string{"database/sql", "net", "net/http", "net/http/httptest", "os/signal", "github.com/fsnotify/fsnotify"}, imported)
}

// goroutineIn returns what starts a goroutine in a file, but for calls of one function;
// nil if nothing does.
func goroutineIn(f *ast.File, except ...string) (found ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		called := ""
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				called = s.Sel.Name
			}
		}
		if at := startOfGoroutine(n); at != nil && !slices.Contains(except, called) {
			found = at
		}
		if called == "Parallel" || called == "RunParallel" {
			found = n
		}
		return found == nil
	})
	return found
}

// reached returns the packages of ours that a list of imports leads to.
func reached(used []string, imports map[string][]string) (all []string) {
	for queue := slices.Clone(used); len(queue) > 0; queue = queue[1:] {
		p, ours := strings.CutPrefix(queue[0], "./")
		if (ours || p == ".") && !slices.Contains(all, p) {
			all = append(all, p)
			queue = append(queue, imports[p]...)
		}
	}
	return all
}

// sequentialPackages reads the list SEQUENTIAL of the Makefile.
func sequentialPackages(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^SEQUENTIAL = ((?:.*\\\n)*.*)$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the Makefile has no list SEQUENTIAL")
	}
	list := strings.Fields(strings.ReplaceAll(string(found[1]), "\\\n", " "))
	for _, p := range list {
		if path.Clean(p) != p {
			t.Errorf("%s is no package", p)
		}
	}
	return list
}
