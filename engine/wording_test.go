package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const vaultCode = "The vault code of the zebraquux house is four seven one one"

// nearCopies are lines with the wording of vaultCode.
var nearCopies = []string{
	"- " + vaultCode + ".\n",
	"- the" + strings.TrimPrefix(vaultCode, "The") + "\n",
	"**" + vaultCode + "**\n",
	"- [ ] " + vaultCode + "\n",
	"- [x] " + vaultCode + "\n",
	"1. " + vaultCode + "\n",
	"- `" + vaultCode + "`\n",
	"> \u201c" + vaultCode + "\u201d\n",
	"- The vault  code of the **zebra**quux house\n  is four—seven -- one\u200b one!\n",
	"- - " + vaultCode + "\n",
	"| " + vaultCode + " |\n| --- |\n",
	"- [" + vaultCode + "](https://example.org)\n",
	"- The vault c&#111;de of the \\*zebraquux\\* house is four seven one&nbsp;one\n",
	"```text\n" + vaultCode + "\n```\n",
}

// visibleLines returns the texts that a list contains, without those of other tests.
func (w *world) visibleTexts() (texts []string) {
	w.t.Helper()
	for _, m := range w.list(memory.ListRequest{}) {
		if strings.Contains(strings.ToLower(m.Text), "quux") {
			texts = append(texts, m.Path+": "+m.Text)
		}
	}
	return texts
}

// TestForgettingCoversEveryCopyOfTheWording forgets a text with copies that differ in
// case, punctuation and markup, written before and after.
func TestForgettingCoversEveryCopyOfTheWording(t *testing.T) {
	files := map[string]string{"MEMORY.md": "- " + vaultCode + "\n- " + heron + "\n"}
	for i, line := range nearCopies {
		files[fmt.Sprintf("memory/before%02d.md", i)] = line
	}
	w := newReopenable(t, files)
	id := w.idOf(vaultCode)
	if a := w.decide(decideRequest(memory.ActionForget, id)); len(a.Changed) != 1+len(nearCopies) {
		t.Errorf("forget changed %d memories", len(a.Changed))
	}
	for i, line := range nearCopies {
		w.write(fmt.Sprintf("memory/after%02d.md", i), line)
	}
	w.write("memory/other.md", "- "+vaultCode+" two quux\n")
	w.index()
	for _, when := range []string{"indexed", "opened again"} {
		if texts := w.visibleTexts(); len(texts) != 1 || !strings.HasPrefix(texts[0], "memory/other.md") {
			t.Errorf("%s: visible are %q", when, texts)
		}
		for i := range nearCopies {
			w.servedWithout(fmt.Sprintf("memory/after%02d.md", i), "quux", "ouse")
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		w.open()
	}
	w.write("memory/unindexed.md", nearCopies[2])
	w.servedWithout("memory/unindexed.md", "quux")

	for _, text := range []string{vaultCode, vaultCode + ".", "**" + vaultCode + "**", strings.ToUpper(vaultCode)} {
		_, err := w.Store(t.Context(), memory.StoreRequest{Text: text, Force: true})
		var refused *memory.Error
		if !errors.As(err, &refused) || refused.Kind != memory.ErrConflict || !strings.Contains(refused.Hint, "memory restore ") {
			t.Errorf("store %q: %v", text, err)
		}
		if _, err := w.SetContext(t.Context(), memory.ContextRequest{Text: text}); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("set-context %q: %v", text, err)
		}
	}
	w.decide(decideRequest(memory.ActionRestore, w.idOf(vaultCode+".")))
	if texts := w.visibleTexts(); len(texts) != 3+2*len(nearCopies) {
		t.Errorf("after restoring one copy, %d are visible of %d", len(texts), 3+2*len(nearCopies))
	}
	w.write("memory/later.md", nearCopies[0])
	w.index()
	if texts := w.visibleTexts(); len(texts) != 4+2*len(nearCopies) {
		t.Error("a copy that came after the restore is hidden")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	if texts := w.visibleTexts(); len(texts) != 1 {
		t.Errorf("after undoing the restore: %q", texts)
	}
}

// TestCaptureDropsTheWordingOfAForgottenText tells a forgotten text in other characters.
func TestCaptureDropsTheWordingOfAForgottenText(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- I prefer tabs over spaces in the Go code of Zebra\n"})
	c.decide(decideRequest(memory.ActionForget, c.idOf("I prefer tabs over spaces in the Go code of Zebra")))
	if a := c.tell("s1", "m1", "I prefer **tabs** over spaces in the Go code of ZEBRA!"); len(a.Stored) != 0 {
		t.Errorf("stored %+v", a.Stored)
	}
}

// TestShortTextIsForgottenUnderItsOwnHeadingOnly has copies of a short text with other
// characters under the same and under another heading.
func TestShortTextIsForgottenUnderItsOwnHeadingOnly(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "# Database\n\n- quux port 5432\n\n# Printer\n\n- **Quux** port 5432.\n",
		"memory/a.md": "# Database\n\n- [ ] Quux port: 5432!\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf("quux port 5432")))
	if texts := w.visibleTexts(); len(texts) != 1 || !strings.Contains(texts[0], "**Quux** port 5432.") {
		t.Errorf("visible: %q", texts)
	}
}

// TestTextWithoutSpacesIsForgottenUnderEveryHeading has copies in scripts without spaces, exact
// and with other characters.
func TestTextWithoutSpacesIsForgottenUnderEveryHeading(t *testing.T) {
	for _, text := range []string{"灯塔的备用钥匙在红色邮筒后面", "灯台の予備の鍵は赤い郵便箱の裏にあります", "กุญแจสำรองของประภาคารอยู่หลังตู้ไปรษณีย์สีแดง"} {
		w := newReopenable(t, map[string]string{"MEMORY.md": "# Home\n\n- " + text + "\n", "memory/a.md": "# Other\n\n- " + text + "\n"})
		w.decide(decideRequest(memory.ActionForget, w.listPath("MEMORY.md")[0].ID))
		w.write("memory/b.md", "# Later\n\n1. **"+text+"**。\n")
		w.index()
		if visible := w.list(memory.ListRequest{}); len(visible) != 0 {
			t.Errorf("visible: %+v", visible)
		}
	}
	w := newReopenable(t, map[string]string{"MEMORY.md": "# 数据库\n\n- 端口 5432\n\n# 打印机\n\n- 端口 5432\n"})
	w.decide(decideRequest(memory.ActionForget, w.listPath("MEMORY.md")[0].ID))
	if visible := w.list(memory.ListRequest{}); len(visible) != 1 {
		t.Errorf("visible of a short text: %+v", visible)
	}
}

// TestRestoreLiftsTheWordingsOfFormerTexts edits a forgotten memory before it is
// restored. Copies of its former text return as well.
func TestRestoreLiftsTheWordingsOfFormerTexts(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + vaultCode + "\n", "memory/a.md": "- *" + vaultCode + "*\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf(vaultCode)))
	edited := strings.Replace(vaultCode, "house", "home", 1)
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- "+vaultCode, "- "+edited, 1))
	w.write("memory/b.md", "- "+edited+".\n")
	w.index()
	if texts := w.visibleTexts(); len(texts) != 0 {
		t.Errorf("after the edit: %q", texts)
	}
	w.decide(decideRequest(memory.ActionRestore, w.idOf(edited)))
	w.write("memory/c.md", "- "+vaultCode+"!\n")
	w.index()
	if texts := w.visibleTexts(); len(texts) < 3 || !slices.Contains(texts, "memory/c.md: "+vaultCode+"!") {
		t.Errorf("after the restore: %q", texts)
	}
}

// TestRemovedLineRestoresOnlyWithoutALineOfACopy removes the line of one copy by hand.
// The line of the other copy still forgets the wording.
func TestRemovedLineRestoresOnlyWithoutALineOfACopy(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + vaultCode + "\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf(vaultCode)))
	line := strings.Split(w.read("MEMORY.md"), "\n")[2]
	w.write("memory/a.md", "---\nmemories:\n"+strings.NewReplacer(`{id: "`, `{id: "0`, vaultCode[:9], "the vault").Replace(line)+"\n---\n- "+strings.ToLower(vaultCode)+"\n")
	w.index()
	w.write("MEMORY.md", "- "+vaultCode+"\n")
	w.index()
	if texts := w.visibleTexts(); len(texts) != 0 {
		t.Errorf("one line is left, and visible are %q", texts)
	}
	w.write("memory/a.md", "- "+strings.ToLower(vaultCode)+"\n")
	w.index()
	if texts := w.visibleTexts(); len(texts) != 2 {
		t.Errorf("no line is left, and visible are %q", texts)
	}
}

// TestDestroyListsNearCopiesAndLeavesThem destroys a text of which others exist with
// other characters.
func TestDestroyListsNearCopiesAndLeavesThem(t *testing.T) {
	near := "- " + strings.ToUpper(vaultCode) + "\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + vaultCode + "\n- " + heron + "\n", "memory/a.md": "- " + vaultCode + "\n", "memory/b.md": near})
	r := destroyRequest(w.idOf(vaultCode))
	r.Preview, r.Confirm = true, false
	preview := w.decide(r)
	if len(preview.Changed) != 2 || len(preview.NearCopies) != 1 || preview.NearCopies[0].Path != "memory/b.md" {
		t.Fatalf("preview: %d changed, near copies %+v", len(preview.Changed), preview.NearCopies)
	}
	a := w.decide(destroyRequest(w.idOf(vaultCode)))
	if len(a.Changed) != 2 || len(a.NearCopies) != 1 || a.Scan.Found != 0 {
		t.Errorf("destroyed %d, near copies %d, found %d", len(a.Changed), len(a.NearCopies), a.Scan.Found)
	}
	if w.read("memory/b.md") != near || strings.Contains(w.read("MEMORY.md")+w.read("memory/a.md"), "vault") {
		t.Errorf("files: %q %q %q", w.read("MEMORY.md"), w.read("memory/a.md"), w.read("memory/b.md"))
	}
	if texts := w.visibleTexts(); len(texts) != 0 {
		t.Errorf("the near copy is not forgotten: %q", texts)
	}
	w.decide(decideRequest(memory.ActionRestore, a.NearCopies[0].ID))
	if m := w.find(strings.ToUpper(vaultCode)); m.Forgotten {
		t.Error("the near copy cannot be restored")
	}
}

// TestForgottenTextBehindMarkersIsOnNoRoute forgets a text that a file repeats behind the
// marks of lists, in a callout and with anchors.
func TestForgottenTextBehindMarkersIsOnNoRoute(t *testing.T) {
	const text = "The vault code of the zebraquux house is four seven one one"
	w := newWorld(t, map[string]string{"MEMORY.md": "# House\n\n- " + text + "\n\na) " + text + "\n\niv. " + text + "\n\n3.2.1 " + text + "\n\n> [!note] " + text +
		"\n\n{#code} " + text + "\n\n" + text + " {#code}\n\nThe ferry leaves at nine\n"})
	a := w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(text))}})
	if len(a.Changed) != 7 {
		t.Errorf("%d memories were forgotten", len(a.Changed))
	}
	if left := w.visibleTexts(); len(left) != 0 {
		t.Errorf("visible: %q", left)
	}
	w.servedWithout("MEMORY.md", "zebraquux")
	if _, err := w.Store(t.Context(), memory.StoreRequest{Text: "b) " + text}); err == nil {
		t.Error("the text is stored behind another marker")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: []string{string(w.idOf("iv. " + text))}})
	if left := w.visibleTexts(); len(left) != 7 {
		t.Errorf("visible after restore: %q", left)
	}
}
