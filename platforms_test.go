package memory_test

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// platformCode lists the packages with code for single operating systems. `make platforms`
// vets them for each.
var platformCode = []string{"internal/machine", "service/unit"}

// systems are the words of build constraints and file names that mean operating systems.
var systems = []string{"linux", "darwin", "windows", "freebsd", "unix", "bsd", "solaris", "aix"}

// TestPlatformsDifferInOnePlace finds files that are built for some systems only, and
// conditions on the system.
func TestPlatformsDifferInOnePlace(t *testing.T) {
	found := map[string]bool{}
	for _, f := range sourceFiles(t) {
		at := systemIn(f)
		if found[f.pkg] = found[f.pkg] || at != ""; at != "" && !slices.Contains(platformCode, f.pkg) && !isTool(f.pkg) {
			t.Errorf("%s: code for a single system belongs in internal/machine", at)
		}
	}
	for _, pkg := range platformCode {
		if !found[pkg] {
			t.Errorf("%s has no code for single systems", pkg)
		}
	}
	if vetted := "VETTED = ./" + strings.Join(platformCode, " ./") + "\n"; !strings.Contains(readText(t, "Makefile"), vetted) {
		t.Errorf("the Makefile has no %q", vetted)
	}
}

// systemIn returns where a file depends on the operating system, or "".
func systemIn(f sourceFile) (at string) {
	_, suffix, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f.path), ".go"), "_")
	if slices.ContainsFunc(strings.Split(suffix, "_"), func(word string) bool { return slices.Contains(systems, word) }) {
		return f.path
	}
	for _, group := range f.syntax.Comments {
		for _, line := range group.List {
			e, err := constraint.Parse(line.Text)
			if err != nil {
				continue
			}
			e.Eval(func(tag string) bool { // it evaluates every tag
				if slices.Contains(systems, tag) {
					at = f.at(line)
				}
				return true
			})
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if compared, ok := n.(*ast.BinaryExpr); ok && (isGOOS(compared.X) || isGOOS(compared.Y)) {
			at = f.at(compared)
		}
		if indexed, ok := n.(*ast.IndexExpr); ok && isGOOS(indexed.Index) {
			at = f.at(indexed)
		}
		if switched, ok := n.(*ast.SwitchStmt); ok && isGOOS(switched.Tag) {
			at = f.at(switched)
		}
		return true
	})
	return at
}

func isGOOS(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "GOOS"
}
