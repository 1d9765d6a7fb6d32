package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
)

// decisionForms draws a decision about a memory in a shape that people, merges and other
// programs write. Most of them are outside the grammar.
type decisionForms struct {
	*rapid.T
	id, path, quote string
}

func (f decisionForms) of(options ...string) string {
	return rapid.SampledFrom(options).Draw(f.T, "form")
}

// pair draws a key with a value that protects.
func (f decisionForms) pair() (key, value string) {
	p := rapid.SampledFrom([][2]string{{"forgotten", "true"}, {"forgotten", "2026-11-20"}, {"private", "true"}, {"user", "zoe"}, {"trust", "quarantined"}, {"trust", "untrusted"}}).Draw(f.T, "decision")
	key = p[0]
	switch f.of("", "", "", "upper", "title", "quoted", "single") {
	case "upper":
		key = strings.ToUpper(key)
	case "title":
		key = strings.ToUpper(key[:1]) + key[1:]
	case "quoted":
		key = `"` + key + `"`
	case "single":
		key = "'" + key + "'"
	}
	return key, p[1]
}

// colon draws what is between a key and its value.
func (f decisionForms) colon() string {
	return f.of(": ", ": ", ": ", ":", " : ", " ", "=", " = ", "\t", "：")
}

// name draws a name of the memory.
func (f decisionForms) name(withPath bool) string {
	names := []string{f.id, f.id[:8], strings.ToUpper(f.id), f.id[:8] + "-" + f.id[8:]}
	if withPath {
		names = append(names, f.path, `"`+f.path+`"`)
	}
	return f.of(names...)
}

// line draws an item of the list, without its dash.
func (f decisionForms) line() string {
	key, value := f.pair()
	decision, name := key+f.colon()+value, f.name(true)
	fields := []string{f.of("id", "ID", "Id", "memory", "mem") + f.colon() + `"` + f.name(false) + `"`, f.of("path", "file") + ": " + f.path, f.of("quote", "text", "QUOTE") + `: "` + f.quote + `"`}
	fields = append([]string{fields[0]}, slices.DeleteFunc(fields[1:], func(string) bool { return rapid.Bool().Draw(f.T, "left out") })...)
	flow := strings.Join(append(fields, decision), ", ")
	block := strings.Join(append(fields, decision), "\n    ")
	nested := strings.Join(append(fields[1:len(fields):len(fields)], decision), ", ")
	return f.of("{"+flow+"}", "{"+flow, flow+"}", flow, "["+flow+"]", block, `"{`+strings.ReplaceAll(flow, `"`, "'")+`}"`, "'"+strings.ReplaceAll(flow, "'", `"`)+"'",
		name+": {"+nested+"}", `"`+f.name(false)+`": {`+nested+"}", name+": "+decision, "{"+name+": {"+nested+"}}", name+" "+decision, name+", "+decision,
		name+":\n      "+decision, decision+": "+name, decision+": ["+name+"]", key+": ["+name+"]", key+": "+name, "["+name+", "+decision+"]", "["+name+", {"+decision+"}]", "- "+flow, "- {"+flow+"}",
		"- - "+name+"\n    - "+decision, "!"+strings.Trim(key, `"'`)+" "+name, "&x {"+flow+"}", "{id: ["+name+"], "+decision+"}", "{id: {x: "+name+"}, "+decision+"}",
		"|\n    "+flow, ">\n    "+flow, "? "+name+"\n  : {"+decision+"}", "{"+flow+"} # mine", "{ "+strings.ReplaceAll(flow, ", ", ",\n      ")+" }",
		"{tier: {"+decision+"}, id: "+f.id+"}", "{"+flow+", quote: x", "**"+name+"** "+decision, "<"+name+"> "+decision, decision+" "+name)
}

// list draws a whole list.
func (f decisionForms) list() string {
	line, other := f.line(), "  - {id: \"000000000000\", quote: \"Nobody has this\", pinned: true}\n"
	key, value := f.pair()
	return f.of("memories:\n  - "+line+"\n", "memories:\n"+other+"  - "+line+"\n", "memories:\n  - "+line+"\n"+other, "memories:\n- "+line+"\n", "- "+line+"\n", "memories: "+line+"\n", "memories:\n  "+line+"\n",
		"Memories:\n  - "+line+"\n", "memory:\n  - "+line+"\n", "entries:\n  - "+line+"\n", "---\nmemories:\n  - "+line+"\n", "memories:\n"+other+"---\nmemories:\n  - "+line+"\n",
		"memories: ["+line+"]\n", "memories:\n  - "+line+"\n  - [x\n", "x: [\nmemories:\n  - "+line+"\n", "\ufeffmemories:\r\n  - "+line+"\r\n", "{memories: ["+line+"]}\n",
		key+": ["+f.name(true)+"]\n", f.name(true)+": {"+key+": "+value+"}\n", key+":\n  - "+f.name(true)+"\n", "memories: []\n"+key+": "+f.name(true)+"\n",
		"memories:\n<<<<<<< a\n"+other+"=======\n  - "+line+"\n>>>>>>> b\n", "memories:\n  "+f.name(false)+":\n    "+key+": "+value+"\n", "* "+line+"\n", "memories:\n  * "+line+"\n", "memories:\n\t- "+line+"\n")
}

// TestDecisionInAnyFormHoldsOrWithholds has decisions in a decisions file and at the head of the
// memory's file, read by a new index. The memory is never visible as if nothing were
// declared, and a fault names the line, or the decision itself is effective.
func TestDecisionInAnyFormHoldsOrWithholds(t *testing.T) {
	root, n := t.TempDir(), 0
	property.Check(t, func(t *rapid.T) {
		n++
		dir, state := filepath.Join(root, fmt.Sprint(n), "notes"), filepath.Join(root, fmt.Sprint(n), "state")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		w := openWorld(t, dir, state)
		defer w.close()
		secret := "The yacht Zephyrine is registered under a false name in Piraeus"
		w.write("memory/boats.md", "# Boats", "", "- "+secret, "- The dinghy leaks at the stern")
		w.write("memory/soup.md", "- The soup is hot today")
		w.scan()
		f := decisionForms{t, w.memory(secret).ID.InFile(), "memory/boats.md", quote(secret)}
		list := f.list()
		isOurs := strings.Contains(strings.ToLower(list), "memories") // else another program's, or a list between two rules
		if isOurs && rapid.Bool().Draw(t, "in the head") {
			w.write("memory/boats.md", strings.Split("---\n"+list+"---\n# Boats\n\n- "+secret+"\n- The dinghy leaks at the stern", "\n")...)
		} else {
			w.write(memory.DecisionsFile, strings.Split(list, "\n")...)
		}
		if rapid.Bool().Draw(t, "a new index") {
			w.loseDatabase()
		}
		w.scan()
		found := w.list(memory.Predicate{})
		hidden := func(m memory.Memory) bool {
			return m.Forgotten || m.Private || m.User != "" || m.Trust != memory.TrustTrusted
		}
		all := fmt.Sprint(w.faults())
		for _, m := range found {
			if m.Text == secret && !hidden(m) || m.Path == "memory/soup.md" && hidden(m) != strings.Contains(all, "the whole workspace counts") {
				t.Fatalf("%q is hidden: %v with\n%s\nfaults %q", m.Text, hidden(m), list, w.faults())
			}
		}
		if strings.Contains(all, "counts as private") && !slices.ContainsFunc(found, func(m memory.Memory) bool { return m.Private }) {
			t.Fatalf("%s\nfaults %q, and nothing is private", list, w.faults())
		}
	})
}

// TestLineThatNamesNothingWithholdsTheWorkspace adds a file while the line is there, and then
// corrects the line.
func TestLineThatNamesNothingWithholdsTheWorkspace(t *testing.T) {
	for name, decisions := range map[string]string{"no name": "memories:\n  - all of it private", "an unknown name": "memories:\n  - {forgotten: [memory/gone.md]}",
		"no path, and a wrong quote": "memories:\n  - {quote: \"Nobody wrote this\", private: true}", "no text": "m\x00e\x00m\x00"} {
		w := newWorld(t)
		w.write("memory/soup.md", "- The soup is hot today")
		w.write(memory.DecisionsFile, decisions)
		w.scan()
		w.write("memory/late.md", "- The bread is late today")
		w.scan()
		w.scan()
		for _, m := range w.list(memory.Predicate{}) {
			if !m.Private || len(w.faults()) == 0 {
				t.Errorf("%s: %q is private: %v, faults %q", name, m.Text, m.Private, w.faults())
			}
		}
		w.write(memory.DecisionsFile, "memories: []")
		w.scan()
		for _, m := range w.list(memory.Predicate{}) {
			if m.Private || len(w.faults()) > 0 {
				t.Errorf("%s: corrected: %q is private: %v, faults %q", name, m.Text, m.Private, w.faults())
			}
		}
	}
}
