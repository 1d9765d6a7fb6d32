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

	"github.com/memory-tiered/memory/internal/must"
)

// TestConcurrentPackagesRunWithTheRaceDetector checks the list of packages whose tests run
// with the race detector. Each of them starts goroutines, or its tests do. In all others
// one goroutine at a time runs our code, so that the race detector can find nothing.
func TestConcurrentPackagesRunWithTheRaceDetector(t *testing.T) {
	list, found := concurrentPackages(t), map[string]string{}
	for _, f := range sourceFiles(t) {
		if at := goroutineIn(f.syntax); at != nil {
			found[f.pkg] = f.at(at)
		}
	}
	tested := map[string]bool{}
	for _, f := range testFiles(t) {
		tested[f.pkg] = true
		if at := goroutineIn(f.syntax); at != nil {
			found[f.pkg] = f.at(at)
		}
		if i := slices.IndexFunc(f.imports(), isConcurrent); i >= 0 {
			found[f.pkg] = f.path + " imports " + f.imports()[i]
		}
	}
	for pkg, at := range found {
		if tested[pkg] && !isTool(pkg) && !slices.Contains(list, pkg) {
			t.Errorf("%s: several goroutines; add %s to CONCURRENT or CONCURRENT_TESTS in the Makefile", at, pkg)
		}
	}
	for _, pkg := range list {
		if found[pkg] == "" || !tested[pkg] {
			t.Errorf("%s has no goroutines or no tests; take it off its list in the Makefile", pkg)
		}
	}
}

// isConcurrent reports whether a package runs its callers' code in goroutines of its own.
func isConcurrent(imported string) bool {
	return imported == "net/http/httptest" || imported == "./embed/embedtest"
}

// goroutineIn returns what starts a goroutine in a file; nil if nothing does. A time limit
// shares nothing.
func goroutineIn(f *ast.File) (found ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		at := startOfGoroutine(n)
		if call, ok := at.(*ast.CallExpr); ok && call.Fun.(*ast.SelectorExpr).Sel.Name == "AfterFunc" {
			at = nil
		}
		if at != nil {
			found = at
		}
		return found == nil
	})
	return found
}

// testFiles parses the tests of every package.
func testFiles(t *testing.T) (all []sourceFile) {
	t.Helper()
	folders := map[string]bool{}
	for _, f := range sourceFiles(t) {
		folders[f.pkg] = true
	}
	for pkg := range folders {
		names := must.Get(filepath.Glob(filepath.Join(pkg, "*_test.go")))(t)
		for _, name := range names {
			f := sourceFile{path: name, pkg: pkg, set: token.NewFileSet()}
			f.syntax = must.Get(parser.ParseFile(f.set, name, nil, parser.SkipObjectResolution))(t)
			all = append(all, f)
		}
	}
	return all
}

// concurrentPackages reads the lists CONCURRENT and CONCURRENT_TESTS of the Makefile.
func concurrentPackages(t *testing.T) (list []string) {
	t.Helper()
	text := must.Get(os.ReadFile("Makefile"))(t)
	found := regexp.MustCompile(`(?m)^CONCURRENT(_TESTS)? = ((?:.*\\\n)*.*)$`).FindAllSubmatch(text, -1)
	if len(found) != 2 {
		t.Fatalf("the Makefile has %d of the lists CONCURRENT and CONCURRENT_TESTS", len(found))
	}
	for _, f := range found {
		list = append(list, strings.Fields(strings.ReplaceAll(string(f[2]), "\\\n", " "))...)
	}
	for _, p := range list {
		if path.Clean(p) != p {
			t.Errorf("%s is no package", p)
		}
	}
	return list
}
