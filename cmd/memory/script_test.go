package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/extract"
)

// TestMain lowers rapid's number of runs, because each has repositories and databases.
// -rapid.checks overrides it.
func TestMain(m *testing.M) {
	extract.ServeIfChild()
	if err := flag.Set("rapid.checks", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	testscript.Main(m, map[string]func(){"memory": main})
}

// TestScripts runs the program as a user does. Each script in testdata/script has its
// own state folder and workspace.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples-workspace")
	if err != nil {
		t.Fatal(err)
	}
	dir, files := "testdata/script", []string(nil)
	if testing.Short() { // with the race detector: scripts with a service
		dir, files = "", []string{"testdata/script/main.txtar", "testdata/script/forget.txtar", "testdata/script/oneowner.txtar"}
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: files,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("MEMORY_STATE_DIR", filepath.Join(e.WorkDir, "state"))
			e.Setenv("TZ", "UTC")
			e.Setenv("MEMORY_EMBEDDING_LOCAL_QUALITY", "fast") // the transformer would take the processor from the other scripts
			e.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "Ada")
				e.Setenv("GIT_"+who+"_EMAIL", "ada@example.org")
			}
			e.Setenv("EXAMPLES", examples)
			if url := indextest.Server(); url != "" {
				e.Setenv("MEMORY_INDEX_BACKEND", "postgres")
				e.Setenv("MEMORY_INDEX_URL", url)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"chatmodel":  chatModel,
			"eventually": eventually,
			"copytree":   copyTree,
			"replace":    replace,
			"ids":        ids,
			"id":         id,
		},
	})
}

// eventually PATTERN PROGRAM ARGS… runs a program until its output matches, for at
// most five minutes, so that slow machines pass. With ! it waits until the output does
// not match.
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	pattern := regexp.MustCompile("(?m)" + args[0])
	var out []byte
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		out = output(ts, args[1:])
		if pattern.Match(out) != neg {
			return
		}
	}
	ts.Fatalf("timeout: %v does not print %s (negated: %v); last output:\n%s", args[1:], args[0], neg, out)
}

func output(ts *testscript.TestScript, args []string) []byte {
	program, err := exec.LookPath(args[0])
	ts.Check(err)
	c := exec.Command(program, args[1:]...)
	c.Dir = ts.MkAbs(".")
	c.Env = os.Environ()
	for _, name := range []string{"HOME", "MEMORY_STATE_DIR", "MEMORY_WORKSPACE", "MEMORY_INDEX_BACKEND", "MEMORY_INDEX_URL", "TZ", "PATH"} {
		c.Env = append(c.Env, name+"="+ts.Getenv(name))
	}
	out, _ := c.CombinedOutput() // a command that fails runs again
	return out
}

// chatmodel FILE serves a language model at $CHATMODEL. It returns each line that it gets as a fact,
// and writes what it gets to the file.
func chatModel(ts *testscript.TestScript, neg bool, args []string) {
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var request struct{ Messages []struct{ Content string } }
		var sent struct {
			Messages []struct {
				N    int
				Text string
			}
		}
		log, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil || json.NewDecoder(r.Body).Decode(&request) != nil || json.Unmarshal([]byte(request.Messages[1].Content), &sent) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		defer log.Close()
		fmt.Fprintln(log, r.URL.Path, r.Header.Get("Authorization"), request.Messages[1].Content)
		facts := []map[string]any{}
		for _, m := range sent.Messages {
			for _, line := range strings.Split(m.Text, "\n") {
				facts = append(facts, map[string]any{"text": line, "category": "fact", "type": "factual", "date": "", "from": []int{m.N}})
			}
		}
		content, _ := json.Marshal(map[string]any{"facts": facts})
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": string(content)}}},
			"usage": map[string]int{"prompt_tokens": 400, "completion_tokens": 60}})
	}))
	ts.Defer(server.Close)
	ts.Setenv("CHATMODEL", server.URL+"/v1")
}

// copytree FROM TO copies a folder.
func copyTree(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(args[0])))
}

// replace FILE OLD NEW edits a file in place, as an editor does.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	src, err := os.ReadFile(path)
	ts.Check(err)
	if !bytes.Contains(src, []byte(args[1])) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, bytes.Replace(src, []byte(args[1]), []byte(args[2]), 1), 0o644))
}

// id WORDS FILE writes the id of the one memory whose text contains the words.
func id(ts *testscript.TestScript, neg bool, args []string) {
	var list struct {
		Memories []struct{ ID, Text string }
	}
	ts.Check(json.Unmarshal(output(ts, []string{"memory", "list", "--json"}), &list))
	var found []string
	for _, m := range list.Memories {
		if strings.Contains(m.Text, args[0]) {
			found = append(found, m.ID)
		}
	}
	if len(found) != 1 {
		ts.Fatalf("%d memories contain %q", len(found), args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(found[0]), 0o644))
}

// ids FILE writes the sorted texts of all memories with their ids, for a later
// comparison.
func ids(ts *testscript.TestScript, neg bool, args []string) {
	out := output(ts, []string{"memory", "list", "--json"})
	pattern := regexp.MustCompile(`"(id|text)": (".*")`)
	var lines []string
	var id string
	for _, m := range pattern.FindAllStringSubmatch(string(out), -1) {
		if m[1] == "id" {
			id = m[2]
		} else {
			lines = append(lines, m[2]+" "+id)
		}
	}
	if len(lines) == 0 {
		ts.Fatalf("no memories:\n%s", out)
	}
	slices.Sort(lines)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}
