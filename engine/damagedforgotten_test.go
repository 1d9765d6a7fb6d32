package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/must"
)

// damageBoth changes the file of forgotten texts, and makes the database unreadable.
func (d *damageable) damageBoth(change func([]byte) []byte) (damaged []byte) {
	d.t.Helper()
	list := index.ForgottenFile(d.db)
	good := must.Get(os.ReadFile(list))(d.t)
	damaged = change(bytes.Clone(good))
	must.Do(d.t, os.WriteFile(list, damaged, 0o600))
	d.removeDatabase()
	must.Do(d.t, os.WriteFile(d.db, bytes.Repeat([]byte("x"), 5000), 0o600))
	return damaged
}

func (d *damageable) asides() []string {
	d.t.Helper()
	found := must.Get(filepath.Glob(index.ForgottenFile(d.db) + ".corrupt-*"))(d.t)
	return found
}

// newForgotten forgets a text whose decision is in the index alone.
func newForgotten(t *testing.T) *damageable {
	t.Helper()
	d := newDamageable(t, map[string]string{"MEMORY.md": "+++\ntier = \"warm\"\n+++\n- The alarm code of the house is zanzibar\n- Another note of the day\n"})
	must.Get(d.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(d.idOf("The alarm code of the house is zanzibar"))}}))(t)
	return d
}

func (d *damageable) shows(text string) bool {
	return strings.Contains(joinTexts(d.list(memory.ListRequest{})), text)
}

// TestDamagedListOfForgottenTextsIsReported loses the database and the list of forgotten
// texts together. The list is kept and reported.
func TestDamagedListOfForgottenTextsIsReported(t *testing.T) {
	d := newForgotten(t)
	d.closeNow()
	damaged := d.damageBoth(func(list []byte) []byte { return list[:100] })
	d.open()
	d.index()
	if !d.shows("zanzibar") {
		t.Fatal("the text is still forgotten, so that this test tests nothing")
	}
	asides := d.asides()
	if len(asides) != 1 {
		t.Fatalf("set aside: %q", asides)
	}
	if kept, err := os.ReadFile(asides[0]); err != nil || !bytes.Equal(kept, damaged) {
		t.Errorf("the damaged list is not kept: %q, %v", kept, err)
	}
	if !d.hasNotice(asides[0]) || !strings.Contains(strings.Join(d.Notices(), "\n"), asides[0]) {
		t.Error("neither status nor the notices report the damaged list")
	}
	report, err := d.Doctor(t.Context(), memory.DoctorRequest{}, nil)
	if err != nil || !slices.ContainsFunc(report.Findings, func(f memory.Finding) bool { return f.Check == "forgotten" && strings.Contains(f.Message, asides[0]) }) {
		t.Errorf("the doctor finds %+v, %v", report.Findings, err)
	}
	must.Get(d.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(d.idOf("The alarm code of the house is zanzibar"))}}))(t)
	d.closeNow()
	must.Do(t, os.Remove(asides[0]))
	d.open()
	defer d.closeNow()
	if d.shows("zanzibar") || d.hasNotice("corrupt") && d.hasNotice(asides[0]+": texts") {
		t.Error("after the damaged list was deleted, a text is visible or the list is still reported")
	}
}

// TestForgottenTextsOfTheBackupHold loses the database and the list of forgotten texts
// together, after a backup.
func TestForgottenTextsOfTheBackupHold(t *testing.T) {
	for name, test := range map[string]struct {
		change func([]byte) []byte
	}{
		"cut":     {func(list []byte) []byte { return list[:100] }},
		"empty":   {func([]byte) []byte { return nil }},
		"a digit": {func(list []byte) []byte { list[len(`{"key":"`)+70] ^= 1; return list }},
	} {
		t.Run(name, func(t *testing.T) {
			d := newForgotten(t)
			must.Do(t, d.Backup(t.Context()))
			d.closeNow()
			d.damageBoth(test.change)
			d.open()
			defer d.closeNow()
			d.index()
			if d.shows("zanzibar") {
				t.Error("the forgotten text is visible")
			}
			if !d.shows("Another note") {
				t.Error("another text is hidden")
			}
			if asides := d.asides(); len(asides) != 1 || !d.hasNotice(asides[0]) {
				t.Errorf("set aside: %q; status reports it: %v", asides, len(asides) == 1 && d.hasNotice(asides[0]))
			}
		})
	}
}
