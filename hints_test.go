package memory_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// routeText matches what names a route of the socket. A person at a terminal cannot
// use one: hints name commands.
var routeText = regexp.MustCompile(`/v1/|\b(GET|POST|PUT|PATCH|DELETE) /`)

// namesRoutes lists the files that name routes: those that serve and call them.
var namesRoutes = []string{"api/routes.go", "api/calls.go", "api/client.go"}

func TestNoErrorAndNoHintNamesARoute(t *testing.T) {
	hints := 0
	for _, f := range sourceFiles(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if text, ok := stringLiteral(n); ok && routeText.MatchString(text) && !slices.Contains(namesRoutes, f.path) {
				t.Errorf("%s names a route: %q", f.path, text)
			}
			for _, text := range hintTexts(n) {
				if hints++; routeText.MatchString(text) {
					t.Errorf("a hint in %s names a route: %q", f.path, text)
				}
			}
			return true
		})
	}
	if hints < 100 {
		t.Errorf("only %d hints were found", hints)
	}
}

func stringLiteral(n ast.Node) (string, bool) {
	literal, ok := n.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// hintTexts returns the string literals of a hint: the argument of WithHint, or the
// value of a field Hint.
func hintTexts(n ast.Node) (texts []string) {
	var hint ast.Node
	switch n := n.(type) {
	case *ast.CallExpr:
		if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "WithHint" && len(n.Args) > 0 {
			hint = n.Args[0]
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Hint" {
			hint = n.Value
		}
	}
	if hint != nil {
		ast.Inspect(hint, func(n ast.Node) bool {
			if text, ok := stringLiteral(n); ok {
				texts = append(texts, text)
			}
			return true
		})
	}
	return texts
}
