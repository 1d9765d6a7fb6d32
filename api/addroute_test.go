package api_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// routeCase is a route with its use case.
type routeCase struct {
	api.Route
	use  string // the method of Backend; empty if the server answers by itself
	file string // the name of the files of the use case, without a suffix
}

func (r routeCase) String() string { return r.Method + " " + r.Path }

// sharedFiles lists the use cases whose file has the name of a larger subject.
var sharedFiles = map[string]string{
	"SetContext": "context", "ClearContext": "context",
	"AddWorkspace": "workspaces", "RenameWorkspace": "workspaces", "RemoveWorkspace": "workspaces",
	"Health": "status", "DecayStatus": "decay", "ReviewStep": "review", "OpenInspector": "ui",
	"Feedback": "edit", "Grade": "edit", "Entities": "derive/derive", "Graph": "derive/derive", "Profile": "derive/profile", "Scenes": "derive/derive", "ChangeEntity": "edit",
}

// sharedCommands lists the use cases whose command is in the file of a similar command.
var sharedCommands = map[string]string{
	"Show": "list", "Context": "store", "SetContext": "store", "ClearContext": "store",
	"Snapshots": "export",
	"WhyNot":    "explain", "Receipts": "recall", "Last": "recall", "Grade": "decay", "Feedback": "review", "Entities": "entities", "Graph": "entities", "Profile": "entities", "Scenes": "scenes", "ChangeEntity": "entities",
}

// withoutCommand lists the use cases that have no command, with the reason.
var withoutCommand = map[string]string{
	"Edit":   "memory open starts an editor, and memory ui edits",
	"Files":  "only hosts ask for files",
	"Health": "memory status reports it",
}

// places lists the places of a route, as CONTRIBUTING.md names them. Each check
// returns an error if the route lacks the place.
var places = map[string]func(t *testing.T, r routeCase) error{
	"*.go": func(_ *testing.T, r routeCase) error {
		root := reflect.TypeFor[memory.Memory]().PkgPath()
		for _, part := range []reflect.Type{r.Request, r.Answer} {
			if pkg := part.PkgPath(); pkg != root && pkg != root+"/api" && pkg != root+"/knowledge" {
				return fmt.Errorf("%s is not a type of the root package or of knowledge", part)
			}
		}
		return nil
	},
	"engine/NAME.go": func(t *testing.T, r routeCase) error {
		typeName := "Engine"
		if strings.HasPrefix(r.file, "derive/") {
			typeName = "Answers" // which Engine embeds
		}
		return hasMethod(t, "../engine/"+r.file+".go", typeName, r.use)
	},
	"api/backend.go": func(_ *testing.T, r routeCase) error {
		if _, ok := reflect.TypeFor[api.Backend]().MethodByName(r.use); !ok {
			return fmt.Errorf("Backend has no method %s", r.use)
		}
		return nil
	},
	"api/routes.go": func(_ *testing.T, r routeCase) error { return nil }, // the routes come from there
	"api/calls.go":  func(t *testing.T, r routeCase) error { return hasMethod(t, "calls.go", "Client", r.use) },
	"api/openapi.yaml": func(t *testing.T, r routeCase) error {
		item, _ := parseDocument(t)["paths"].(map[string]any)[r.Path].(map[string]any)
		if item[strings.ToLower(r.Method)] == nil {
			return fmt.Errorf("the document has no operation")
		}
		return nil
	},
	"api/testdata/*.json": func(t *testing.T, r routeCase) error {
		for _, f := range readFixtures(t) {
			path, _, _ := strings.Cut(f.Request.Path, "?")
			if f.Answer.Status == 200 && f.Use == r.use && f.Request.Method == r.Method && api.MatchPath(r.Path, path) {
				return nil
			}
		}
		return fmt.Errorf("no fixture has this route with \"use\": %q and status 200", r.use)
	},
	"docs/protocol.md": func(t *testing.T, r routeCase) error {
		return contains(t, "../docs/protocol.md", "| `"+r.String()+"` |")
	},
	"cmd/memory/visibility_test.go": func(t *testing.T, r routeCase) error {
		return contains(t, "../cmd/memory/visibility_test.go", strconv.Quote(r.String()))
	},
	"cmd/memory/NAME.go": func(t *testing.T, r routeCase) error {
		if withoutCommand[r.use] != "" {
			return nil
		}
		_, err := os.Stat("../cmd/memory/" + cmp.Or(sharedCommands[r.use], r.file) + ".go")
		return err
	},
}

// placesOfWritten lists the places of a route that the server answers by itself.
var placesOfWritten = []string{"api/routes.go", "api/openapi.yaml", "docs/protocol.md", "cmd/memory/visibility_test.go"}

// TestEveryRouteHasItsPlaces reads the checklist "Add a route" in CONTRIBUTING.md.
// Its places must exist, and every route must have each of them.
func TestEveryRouteHasItsPlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	checklist := readChecklist(t)
	for place := range places {
		if !slices.Contains(checklist, place) {
			t.Errorf("the checklist lacks %s", place)
		}
	}
	routes := routeCases(t)
	for _, place := range checklist {
		check := places[place]
		if check == nil {
			t.Errorf("the checklist has %s, and no test checks it", place)
			continue
		}
		if found, err := filepath.Glob("../" + strings.Replace(place, "NAME", "recall", 1)); err != nil || len(found) == 0 {
			t.Errorf("the checklist has %s, which does not exist: %v", place, err)
		}
		for _, r := range routes {
			if r.Written && !slices.Contains(placesOfWritten, place) {
				continue
			}
			if err := check(t, r); err != nil {
				t.Errorf("%s lacks its place in %s: %v", r, place, err)
			}
		}
	}
}

// readChecklist returns the places of the checklist: the first code span of each
// of its points.
func readChecklist(t *testing.T) (places []string) {
	t.Helper()
	src := must.Get(os.ReadFile("../CONTRIBUTING.md"))(t)
	_, section, found := strings.Cut(string(src), "\n## Add a route\n")
	if !found {
		t.Fatal("CONTRIBUTING.md has no section \"Add a route\"")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for _, point := range regexp.MustCompile("(?m)^- \\[ \\] `([^`]+)`").FindAllStringSubmatch(section, -1) {
		places = append(places, point[1])
	}
	if len(places) == 0 {
		t.Fatal("the checklist is empty")
	}
	return places
}

// routeCases lists every route with the use case that its row in routes.go names.
func routeCases(t *testing.T) (all []routeCase) {
	t.Helper()
	uses := usesOfRoutes(t)
	for _, r := range api.Routes() {
		use, found := uses[r.Path+" "+strings.ToLower(r.Method)]
		if !found || use == "" && !r.Written {
			t.Fatalf("%s %s: routes.go has no row with a method of the backend", r.Method, r.Path)
		}
		file := strings.ToLower(use)
		if shared := sharedFiles[use]; shared != "" {
			file = shared
		}
		all = append(all, routeCase{Route: r, use: use, file: file})
	}
	return all
}

// usesOfRoutes reads the rows of routes.go: calls with a method, a path, and a
// method of the backend b. The keys are "path method".
func usesOfRoutes(t *testing.T) map[string]string {
	t.Helper()
	methods := map[string]string{"get": "get", "post": "post", "put": "put", "patch": "patch", "del": "delete"}
	uses := map[string]string{}
	ast.Inspect(parseFile(t, "routes.go"), func(n ast.Node) bool {
		row, ok := n.(*ast.CallExpr)
		if !ok || len(row.Args) < 3 {
			return true
		}
		method, isIdent := row.Args[0].(*ast.Ident)
		path, isText := row.Args[1].(*ast.BasicLit)
		if !isIdent || !isText || methods[method.Name] == "" {
			return true
		}
		unquoted, _ := strconv.Unquote(path.Value)
		key := unquoted + " " + methods[method.Name]
		uses[key] = ""
		ast.Inspect(row.Args[2], func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if backend, ok := s.X.(*ast.Ident); ok && backend.Name == "b" || ok && backend.Name == "Backend" {
					uses[key] = s.Sel.Name
				}
			}
			return true
		})
		return false
	})
	return uses
}

func parseFile(t *testing.T, path string) *ast.File {
	t.Helper()
	f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))(t)
	return f
}

// hasMethod returns an error unless a file declares a method of a type.
func hasMethod(t *testing.T, path, typeName, method string) error {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return err
	}
	for _, decl := range parseFile(t, path).Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Name.Name != method {
			continue
		}
		receiver := f.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if name, ok := receiver.(*ast.Ident); ok && name.Name == typeName {
			return nil
		}
	}
	return fmt.Errorf("no method %s of %s is there", method, typeName)
}

func contains(t *testing.T, path, text string) error {
	t.Helper()
	src := must.Get(os.ReadFile(path))(t)
	if !strings.Contains(string(src), text) {
		return fmt.Errorf("it does not contain %s", text)
	}
	return nil
}
