package engine_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// day counts what the hooks of a day gave.
type day struct {
	given    int // memories
	twice    int // of them: their session had them
	found    int // of them: for a prompt; each session begins with the pinned ones
	repeated int // of those for a prompt: an earlier session had them
	prompts  int
	blocks   int // prompts that got a block
	tokens   int
	lost     int // prompts whose answer their session has not got
}

// The share of an answer was chosen on the day "tune". The lost prompts of the day "test" were
// seen meanwhile, so it is not fully held back.
func TestADayOfHooks(t *testing.T) {
	for name, most := range map[string]struct{ share, blocks, lost int }{
		"tune": {share: 13, blocks: 37, lost: 3},
		"test": {share: 13, blocks: 43, lost: 2},
	} {
		t.Run(name, func(t *testing.T) {
			d := playDay(t, "testdata/day/"+name+".txt")
			share := 100 * d.repeated / d.found
			t.Logf("%d prompts, %d with a block, %d memories, %d for prompts, %d %% of them repeated, %d tokens, %d lost", d.prompts, d.blocks, d.given, d.found, share, d.tokens, d.lost)
			if d.twice > 0 || share > most.share || d.blocks > most.blocks || d.lost > most.lost {
				t.Errorf("%+v: want none twice, and at most %+v", d, most)
			}
		})
	}
}

var lineID = regexp.MustCompile(`(?m)^- \[\w+ ([0-9a-f]+)`)

// playDay asks the prompts of a file, in sessions that begin as those of a client.
func playDay(t *testing.T, file string) (d day) {
	w := newWorld(t, exampleFiles(t))
	script := must.Get(os.ReadFile(file))(t)
	earlier := map[string]bool{}
	for n, session := range strings.Split(string(script), "[session]\n")[1:] {
		had := ""
		var ids []string
		for _, line := range strings.Split("\n"+strings.TrimSpace(session), "\n") {
			prompt, answer, _ := strings.Cut(line, " => ")
			event := "UserPromptSubmit"
			if prompt == "" {
				event = "SessionStart"
			}
			text := w.hook(event, fmt.Sprint("session", n), prompt)
			for _, m := range lineID.FindAllStringSubmatch(text, -1) {
				d.given++
				if prompt != "" {
					d.found++
				}
				if prompt != "" && earlier[m[1]] {
					d.repeated++
				}
				if strings.Contains(had, m[0]) {
					d.twice++
				}
				ids = append(ids, m[1])
			}
			had += text
			d.tokens += len(text) / 4
			if prompt != "" {
				d.prompts++
				d.blocks += min(len(text), 1)
			}
			if !strings.Contains(had, answer) {
				d.lost++
			}
		}
		for _, id := range ids {
			earlier[id] = true
		}
	}
	return d
}

// hook returns what the hook of a client gives its model.
func (w *world) hook(event, session, prompt string) string {
	w.t.Helper()
	a, err := w.Hook(w.t.Context(), memory.HookRequest{Client: "codex", Event: event, Input: map[string]any{"session_id": session, "cwd": w.dir, "prompt": prompt}})
	if err == nil && a.Receipt != "" {
		err = w.Delivered(w.t.Context(), "", a.Receipt)
	}
	var out struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err == nil && a.Output != "" {
		err = json.Unmarshal([]byte(a.Output), &out)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Output.Context
}

func exampleFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	dir := os.DirFS("../examples-workspace")
	must.Do(t, fs.WalkDir(dir, ".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" && path != "README.md" {
			var text []byte
			text, err = fs.ReadFile(dir, path)
			files[path] = string(text)
		}
		return err
	}))
	return files
}
