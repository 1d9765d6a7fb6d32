package transfer_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/transfer"
	"github.com/memory-tiered/memory/internal/exportlines"
)

// FuzzOpen reads any lines as an export. With sealed, the last line is one that fits. What
// is accepted has as many memories as its header says, each once, and is written again as
// an export with the same memories.
func FuzzOpen(f *testing.F) {
	whole := export(f, "Tea", "Coffee, black")
	lines := strings.SplitAfter(whole, "\n")
	f.Add([]byte(whole), false)
	f.Add([]byte(strings.Join(lines[:2], "")), false)
	f.Add([]byte(strings.ReplaceAll(whole, "Tea", "Pea")), false)
	f.Add([]byte(lines[0]+lines[2]+lines[1]), true)
	f.Add([]byte(lines[0]+lines[1]+lines[1]), true)
	f.Add([]byte(strings.Replace(whole, `"memories":2`, `"memories":3`, 1)), true)
	f.Add([]byte(`{"format":"other"}`+"\n"), true)
	f.Add([]byte(lines[0]+`{"n":1,"memory":{"id":"x"}}`+"\n"), true)
	f.Add([]byte(lines[0]+lines[1]+strings.Replace(lines[2], `"n":2`, `"n": 2e0`, 1)), true)
	f.Add([]byte("{}\n"), true)
	f.Add([]byte("\n"), false)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, src []byte, sealed bool) {
		if sealed {
			src = seal(src)
		}
		ids, header, lines := read(t, dir, src)
		if header == nil {
			return
		}
		if len(ids) != header.Memories {
			t.Fatalf("%q has %d memories, and its header says %d", src, len(ids), header.Memories)
		}
		seen := map[memory.ID]bool{}
		for _, id := range ids {
			if seen[id] {
				t.Fatalf("%q has %s twice", src, id)
			}
			seen[id] = true
		}
		var again bytes.Buffer
		w := exportlines.New(&again)
		err := w.Begin(*header)
		for _, row := range lines {
			err = errors.Join(err, w.Add(row))
		}
		if _, endErr := w.End(); errors.Join(err, endErr) != nil {
			t.Fatalf("%q cannot be written: %v", src, errors.Join(err, endErr))
		}
		if same, header, _ := read(t, dir, again.Bytes()); header == nil || fmt.Sprint(same) != fmt.Sprint(ids) {
			t.Fatalf("%q has %v, and is written as %q with %v", src, ids, again.Bytes(), same)
		}
	})
}

// read returns the memories of an export, or no header if it is refused.
func read(t *testing.T, dir string, src []byte) (ids []memory.ID, header *memory.ExportHeader, all []memory.ExportRow) {
	t.Helper()
	file, err := transfer.Open(t.Context(), bytes.NewReader(src), dir)
	if err != nil {
		if !errors.Is(err, memory.ErrInvalid) {
			t.Fatalf("%q: %v", src, err)
		}
		return nil, nil, nil
	}
	defer file.Close()
	err = file.Rows(func(rows []memory.ExportRow) error {
		for _, row := range rows {
			ids, all = append(ids, row.Memory.ID), append(all, row)
			if file.Lines[row.Memory.ID] != len(ids)+1 {
				t.Fatalf("%s is on line %d, want %d", row.Memory.ID, file.Lines[row.Memory.ID], len(ids)+1)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return ids, &file.Header, all
}

// seal returns lines with the last line that fits them.
func seal(src []byte) []byte {
	end := memory.ExportEnd{End: true, Rows: max(0, bytes.Count(src, []byte("\n"))-1)}
	sum := sha256.Sum256(src)
	end.SHA256 = hex.EncodeToString(sum[:])
	line, _ := json.Marshal(end) // three fields without a marshaller of their own
	return append(append(bytes.Clone(src), line...), '\n')
}

// export returns an export of memories with these texts.
func export(f *testing.F, texts ...string) string {
	f.Helper()
	var out bytes.Buffer
	w := exportlines.New(&out)
	err := w.Begin(memory.ExportHeader{Workspace: "main", Memories: len(texts), WithText: true})
	for i, text := range texts {
		fingerprint := chunker.Fingerprint(text)
		row := memory.ExportRow{Fingerprint: hex.EncodeToString(fingerprint[:]), Tables: memory.TableRows{"memories": {{"id": i}}}}
		row.Memory.ID, row.Memory.Path, row.Memory.Text = memory.ID(fmt.Sprintf("3f8a91c2-0d4e-8b7a-9c15-6e2f0a4b8d3%d", i)), "MEMORY.md", &text
		err = errors.Join(err, w.Add(row))
	}
	if _, endErr := w.End(); errors.Join(err, endErr) != nil {
		f.Fatal(err, endErr)
	}
	return out.String()
}
