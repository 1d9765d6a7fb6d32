package engine_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// liesDir has the notes of a person, in which nine memories are marked as untrusted,
// and questions about them.
const liesDir = "testdata/lies"

// lieQuestion is a question, a part of the person's own note that answers it, and an
// untrusted text on the same subject.
type lieQuestion struct {
	Question string `json:"question"`
	Truth    string `json:"truth"`  // empty: only the untrusted text answers
	Stored   string `json:"stored"` // a tool stores this text
	Marked   string `json:"marked"` // this text is in the notes
}

func (q lieQuestion) untrusted() string { return q.Stored + q.Marked }

// lieCount is what the blocks of all questions contain.
type lieCount struct {
	lies        int // texts that contradict a note and are in the block of their question
	unmarked    int // untrusted texts that a block contains without a mark
	beforeTruth int // lies before the note, or without it
	truths      int // notes that answer
	unopposed   int // untrusted texts that no note contradicts, with a mark
}

// A tool stores twenty texts that contradict notes of the person. Nine memories in the
// notes are marked as untrusted: in the front matter of their file, in comments and in
// the decisions file. Four of these contradict other notes. The limits are the figures
// in docs/scoring.md.
func TestLiesAreLeftOutMarkedOrLast(t *testing.T) {
	w := newWorld(t, notesOf(t, liesDir+"/notes"))
	questions := lieQuestions(t)
	for _, q := range questions {
		if q.Stored == "" {
			continue
		}
		if _, err := w.Store(t.Context(), memory.StoreRequest{Text: q.Stored, Source: memory.SourceTool}); err != nil && !errors.Is(err, memory.ErrForbidden) { // one has a secret
			t.Fatal(err)
		}
	}
	n := w.countLies(questions)
	t.Logf("%d questions: %+v", len(questions), n)
	if n.unmarked > 0 || n.beforeTruth > 0 {
		t.Errorf("%d untrusted texts have no mark, %d lies come before the truth", n.unmarked, n.beforeTruth)
	}
	if n.lies > 8 || n.truths < 24 || n.unopposed < 5 {
		t.Errorf("%+v", n)
	}
}

func notesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	notes, root := map[string]string{}, os.DirFS(dir)
	must.Do(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		notes[path] = string(text)
		return err
	}))
	return notes
}

func lieQuestions(t *testing.T) (questions []lieQuestion) {
	t.Helper()
	text := must.Get(os.ReadFile(liesDir + "/questions.jsonl"))(t)
	for line := range strings.Lines(string(text)) {
		var q lieQuestion
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		questions = append(questions, q)
	}
	return questions
}

// countLies asks every question once.
func (w *world) countLies(questions []lieQuestion) (n lieCount) {
	w.t.Helper()
	unmarked := map[string]bool{}
	for _, q := range questions {
		answer := must.Get(w.Recall(w.t.Context(), memory.RecallRequest{Prompt: q.Question}))(w.t)
		lines := strings.Split(answer.Context, "\n")
		at := func(text string) int {
			return slices.IndexFunc(lines, func(line string) bool { return text != "" && strings.Contains(line, text) })
		}
		for _, other := range questions {
			if i := at(other.untrusted()); i >= 0 && !strings.Contains(lines[i], "untrusted]") {
				unmarked[other.untrusted()] = true
				w.t.Logf("%s: %s", q.Question, lines[i])
			}
		}
		truth, untrusted := at(q.Truth), at(q.untrusted())
		if truth >= 0 {
			n.truths++
		} else if q.Truth != "" {
			w.t.Logf("%s: the block lacks %q", q.Question, q.Truth)
		}
		switch {
		case untrusted < 0:
		case q.Truth == "":
			n.unopposed++
		default:
			n.lies++
			if truth < 0 || untrusted < truth {
				n.beforeTruth++
			}
			w.t.Logf("%s: %s", q.Question, lines[untrusted])
		}
	}
	n.unmarked = len(unmarked)
	return n
}
