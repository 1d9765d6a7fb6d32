package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// userlessRoutes lists the routes that take no user, with the reason.
var userlessRoutes = map[string]string{
	"POST /v1/index":  "returns figures and faults",
	"POST /v1/hook":   "asks as the owner, whose machine the client runs on",
	"POST /v1/reload": "returns names of settings", "POST /v1/doctor": "faults, no texts",
	"GET /v1/audit":                "returns ids",
	"POST /v1/decay":               "returns ids",
	"GET /v1/decay":                "returns figures",
	"POST /v1/grade":               "returns ids and figures",
	"GET /v1/review":               "is for a person, never for a model",
	"POST /v1/review":              "is for a person, never for a model",
	"POST /v1/feedback":            "is for a person, never for a model",
	"POST /v1/entities":            "is for a person, never for a model",
	"PATCH /v1/memories/{id}":      "is for a person, never for a model",
	"POST /v1/snapshots":           "is for a person, never for a model",
	"POST /v1/ui":                  "returns an address",
	"GET /v1/workspaces":           "returns names and folders",
	"POST /v1/workspaces":          "returns a name and a folder",
	"PATCH /v1/workspaces/{name}":  "returns a name and a folder",
	"DELETE /v1/workspaces/{name}": "returns a name",
	"GET /v1/status":               "returns the health of the service",
	"GET /v1/health":               "returns the health of the service",
	"GET /v1/openapi.yaml":         "returns the protocol",
	"GET /metrics":                 "returns figures",
}

// TestUsersMemoryIsOnNoRouteForAnotherUser asks every route as another user. A route
// takes a user, or is in userlessRoutes and shows no memory.
func TestUsersMemoryIsOnNoRouteForAnotherUser(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "- "+secret+" <!-- user: lena -->\n- The ferry leaves at nine\n")
	must.Do(t, os.MkdirAll(state, 0o700))
	writeFile(t, filepath.Join(state, "config.yaml"), "identities:\n  owner: [\"telegram:1\"]\n  lena: [\"telegram:2\"]\n")
	if out := runProgram(t, dir, state, "recall", "--user", "telegram:2", "What is the vault code of the ferry office?"); !strings.Contains(out, secretPart) {
		t.Fatalf("recall does not return the text to its user:\n%s", out)
	}
	if out := runProgram(t, dir, state, "__complete", "show", "--user", "owner", ""); strings.Contains(out, secretPart) || !strings.Contains(out, "ferry leaves") {
		t.Errorf("ids are completed for another user:\n%s", out)
	}
	withServedRoutes(t, dir, state, func(routes map[string]route, ask asker) {
		_, list := ask("GET", "/v1/memories?path=MEMORY.md&user=lena", "")
		id := idBefore(t, list, secretPart)
		for name, r := range routes {
			_, userless := userlessRoutes[name]
			if r.takes("user") == userless {
				t.Errorf("%s takes a user: %v; in userlessRoutes: %v", name, r.takes("user"), userless)
			}
			probes := append(routeProbes[name], struct{ query, body string }{body: "{}"})
			for _, p := range probes {
				path := strings.ReplaceAll(strings.ReplaceAll(r.path, "{id}", id), "{action}", "pin")
				if !userless {
					p.query, p.body = asUser(p.query, p.body)
				}
				if userless && strings.Contains(name, "review") {
					continue
				}
				status, body := ask(r.method, path+p.query, p.body)
				body = strings.ReplaceAll(body, `"query":"`+secretPart+`"`, "")
				// ben stores the same text, and gets back what he wrote
				if strings.Contains(body, secretPart) && !strings.Contains(p.body, secretPart) || status == 0 || status >= http.StatusInternalServerError {
					t.Errorf("%s %+v: %d shows the memory of another user:\n%s", name, p, status, body)
				}
			}
		}
	})
}

// asUser adds another user to a query and a body.
func asUser(query, body string) (string, string) {
	query = "?user=ben&" + strings.TrimPrefix(query, "?")
	if body != "" {
		body = strings.Replace(strings.Replace(body, "{", `{"user":"ben",`, 1), ",}", "}", 1)
	}
	return query, body
}

// idBefore returns the id of the memory with a text, from a list in JSON.
func idBefore(t *testing.T, list, text string) string {
	t.Helper()
	before, _, found := strings.Cut(list, text)
	at := strings.LastIndex(before, `"id":"`)
	if !found || at < 0 {
		t.Fatalf("no memory has %q: %s", text, list)
	}
	return before[at+len(`"id":"`):][:36]
}

func TestRestoreCompletesForgottenMemories(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- The boiler was serviced in March\n- The code phrase is mauve falcon\n"), 0o600))
	runProgram(t, dir, state, "forget", "--yes", "--query", "mauve falcon code phrase")
	offered := func(command string) string { return runProgram(t, dir, state, "__complete", command, "") }
	if got := offered("restore"); !strings.Contains(got, "MEMORY.md") || strings.Contains(got, "boiler") || strings.Contains(got, "mauve") {
		t.Errorf("restore offers %q", got)
	}
	if got := offered("forget"); !strings.Contains(got, "boiler") || strings.Contains(got, "mauve") {
		t.Errorf("forget offers %q", got)
	}
}
