package engine_test

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

const (
	secretHalf = "Codeword for grandma is Feuersalamander"
	keyHalf    = "the spare key hangs behind the shed"
	wholeText  = secretHalf + " and " + keyHalf
)

// TestPartsOfASplitForgottenTextStayForgotten splits a forgotten text into two bullets,
// word for word. A clone has the same files and a new index.
func TestPartsOfASplitForgottenTextStayForgotten(t *testing.T) {
	for name, tt := range map[string]struct{ whole, first, second string }{
		"at a joining word":         {wholeText, secretHalf, keyHalf},
		"at a full stop":            {"Mona and the caterer met in Zadar in summer 2024. Nobody but Uwe knows about it yet.", "Mona and the caterer met in Zadar in summer 2024.", "Nobody but Uwe knows about it yet."},
		"with a capital and a stop": {wholeText, secretHalf + ".", "The spare key hangs behind the shed."},
		"one word":                  {"The password of the archive server: Feuersalamander", "The password of the archive server", "Feuersalamander"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + owl + "\n- " + tt.whole + "\n- " + heron + "\n"})
			w.decide(decideRequest(memory.ActionForget, w.idOf(tt.whole)))
			w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- "+tt.whole, "- "+tt.first+"\n- "+tt.second, 1))
			w.index()
			check := func(where string, forgotten bool) {
				t.Helper()
				for _, text := range []string{tt.first, tt.second} {
					if w.find(text).Forgotten != forgotten {
						t.Errorf("%s: %q is forgotten: %v", where, text, !forgotten)
					}
				}
				if w.find(owl).Forgotten || w.find(heron).Forgotten {
					t.Errorf("%s: another memory is forgotten", where)
				}
			}
			reopen := func() {
				t.Helper()
				must.Do(t, w.Close())
				w.db = filepath.Join(t.TempDir(), "tiered.db")
				w.open()
			}
			check("live", true)
			if rows := w.auditOf(memory.ActionForget); len(rows) != 2 || rows[0].Source != "file" && rows[1].Source != "file" {
				t.Errorf("audit: %+v", rows)
			}
			w.index()
			check("after another pass", true)
			reopen()
			check("in a clone", true)
			for _, text := range []string{tt.first, tt.second} {
				w.decide(decideRequest(memory.ActionRestore, w.idOf(text)))
			}
			w.index()
			check("restored", false)
			reopen()
			check("restored, in a clone", false)
		})
	}
}

func (w *world) auditOf(action memory.Action) []memory.AuditRow {
	w.t.Helper()
	answer := must.Get(w.Audit(w.t.Context(), memory.AuditRequest{Action: string(action)}))(w.t)
	return answer.Audit
}

// TestPartsOfACutForgottenTextStayForgotten cuts a forgotten text, saves, and pastes it
// back in two bullets.
func TestPartsOfACutForgottenTextStayForgotten(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + owl + "\n- " + wholeText + "\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf(wholeText)))
	withLine := w.read("MEMORY.md")
	w.write("MEMORY.md", strings.Replace(withLine, "- "+wholeText+"\n", "", 1))
	w.index()
	w.write("MEMORY.md", strings.Replace(withLine, "- "+wholeText, "- "+keyHalf+"\n- "+secretHalf, 1))
	w.index()
	if !w.find(secretHalf).Forgotten || !w.find(keyHalf).Forgotten {
		t.Errorf("visible: %q", w.read("MEMORY.md"))
	}
}

// TestSplitOfAForgottenTextIsInDoubtOnAClone splits a forgotten text where no index
// knows it. Its line matches no text, and withholds the file.
func TestSplitOfAForgottenTextIsInDoubtOnAClone(t *testing.T) {
	line := "---\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"" + secretHalf + " and the spare\", forgotten: 2026-11-20}\n---\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": line + "- " + secretHalf + "\n- " + keyHalf + "\n- the spare tyre is in the boot\n"})
	if !w.find(secretHalf).Forgotten {
		t.Error("the first half is visible")
	}
	if half := w.find(keyHalf); !half.Forgotten || half.InDoubt == "" {
		t.Errorf("the second half: %+v", half)
	}
	w.decide(decideRequest(memory.ActionRestore, w.idOf(keyHalf)))
	w.index()
	if w.find(keyHalf).Forgotten {
		t.Error("restored, and still withheld")
	}
}

// TestPartsOfASplitPrivateTextStayPrivate splits a text that a line makes private, or
// lowers the trust of.
func TestPartsOfASplitPrivateTextStayPrivate(t *testing.T) {
	const first, second = "Interview with Novozymes on 3 December", "The salary is 720,000 kroner"
	const whole = first + " and the salary is 720,000 kroner"
	for declared, protects := range map[string]func(memory.Memory) bool{
		"private: true":      func(m memory.Memory) bool { return m.Private },
		"trust: quarantined": func(m memory.Memory) bool { return m.Trust == memory.TrustQuarantined },
		"user: anna":         func(m memory.Memory) bool { return m.User == "anna" },
	} {
		w := newReopenable(t, map[string]string{"MEMORY.md": "---\nmemories:\n  - {id: \"000000000001\", quote: \"Interview with Novozymes on\", " + declared + "}\n---\n- " + whole + "\n- " + owl + "\n"})
		w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), whole, first+"\n- "+second, 1))
		w.index()
		for range 2 {
			if !protects(w.find(first)) || !protects(w.find(second)) || protects(w.find(owl)) {
				t.Errorf("%s: %+v, %+v", declared, w.find(first), w.find(second))
			}
			must.Do(t, w.Close())
			w.db = filepath.Join(t.TempDir(), "tiered.db")
			w.open()
		}
	}
}

// TestWhatIsNoPartOfASplitTextStaysVisible edits a file with a forgotten text, and adds
// texts that are no parts of it, or that were public before.
func TestWhatIsNoPartOfASplitTextStaysVisible(t *testing.T) {
	for name, tt := range map[string]struct{ edited, added, other string }{
		"it shares words":                     {secretHalf, "the spare key of grandma hangs behind the door", ""},
		"it has the words in another order":   {secretHalf, "behind the shed hangs the spare key", ""},
		"it was in another file before":       {keyHalf, secretHalf, secretHalf},
		"the forgotten text has it still":     {wholeText + " of Uwe", "hangs behind the shed", ""},
		"the forgotten text is there as ever": {wholeText, "hangs behind the shed", ""},
		"a word of a text that went long ago": {"", "shed", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + owl + "\n- " + wholeText + "\n", "memory/b.md": "- " + cmp.Or(tt.other, "Gardens need water") + "\n- " + heron + "\n"})
			w.decide(decideRequest(memory.ActionForget, w.idOf(wholeText)))
			before := w.read("MEMORY.md")
			if tt.edited == "" {
				before = strings.Replace(before, "- "+wholeText+"\n", "", 1)
				w.write("MEMORY.md", before)
				w.index()
			}
			w.write("MEMORY.md", strings.Replace(before, wholeText, tt.edited, 1)+"- "+tt.added+"\n")
			w.index()
			visible := 0
			for _, m := range w.listPath("MEMORY.md") {
				if m.Text == tt.added {
					visible++
				}
			}
			if visible != 1 || len(w.listPath("memory/b.md")) != 2 {
				t.Errorf("%q is shown %d times: %q, %+v", tt.added, visible, w.read("MEMORY.md"), w.listPath("memory/b.md"))
			}
		})
	}
}

// TestRestoringBySplittingAndRemovingTheLine removes the line that forgets a text in the
// save that splits it. Both parts are visible.
func TestRestoringBySplittingAndRemovingTheLine(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + owl + "\n- " + wholeText + "\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf(wholeText)))
	w.write("MEMORY.md", "- "+owl+"\n- "+secretHalf+"\n- "+keyHalf+"\n")
	w.index()
	if w.find(secretHalf).Forgotten || w.find(keyHalf).Forgotten {
		t.Errorf("withheld: %q", w.read("MEMORY.md"))
	}
}
