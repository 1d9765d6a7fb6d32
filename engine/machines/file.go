// Package machines shares the uses, tiers and forgotten texts of a workspace between the machines
// of one person. Each machine writes a log of its own into the folder, which git or another program
// carries, and reads the logs of the others. A log is a file of lines of JSON: the first one has the
// name of the machine and the key of its hashes. Lines are merged as a set, so their order, copies
// and old versions of a file do no harm. A log that is not there decides nothing.
package machines

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Bounds of what is read. A log has at most some 4 MB: its last uses, and a mark a forgotten text.
const (
	maxFiles = 32
	maxBytes = 16 << 20
	maxLines = 100_000
	maxLine  = 1000
)

// nameBytes is the number of bytes of a machine's name, which is random.
const nameBytes = 4

// maxAhead is how far the clock of another machine may be ahead.
const maxAhead = 24 * time.Hour

// header is the first line of a log.
type header struct {
	Machine string `json:"machine"`
	Key     string `json:"key"`
}

// encode returns the lines of a log.
func encode(log index.MachineLog) (lines [][]byte, err error) {
	first, err := json.Marshal(header{log.Machine, hex.EncodeToString(log.Key)})
	lines = append(lines, first)
	for _, l := range log.Lines {
		line, lineErr := json.Marshal(l)
		lines, err = append(lines, line), cmp.Or(err, lineErr)
	}
	return lines, err
}

// split returns the lines of a file. A last one without its end is being written, and left out.
func split(src []byte) [][]byte {
	end := bytes.LastIndexByte(src, '\n')
	if end < 0 {
		return nil
	}
	return slices.Collect(func(yield func([]byte) bool) {
		for line := range bytes.SplitSeq(src[:end], []byte("\n")) {
			if !yield(bytes.TrimSuffix(line, []byte("\r"))) {
				return
			}
		}
	})
}

// decode reads a log. damaged is the number of its first line that cannot be read; 0: all can. Then
// no line restores a text: the damaged one may have hidden it again.
func decode(src []byte, now time.Time) (log index.MachineLog, damaged int) {
	lines := split(src)
	if len(lines) == 0 {
		return log, 0
	}
	var h header
	if err := strict(lines[0], &h); err != nil {
		return log, 1
	}
	key, err := hex.DecodeString(h.Key)
	if err != nil || len(key) != 32 || !isHash(h.Machine, nameBytes) {
		return log, 1
	}
	log.Machine, log.Key = h.Machine, key
	for i, line := range lines[1:] {
		var l index.MachineLine
		if i < maxLines && len(line) <= maxLine && strict(line, &l) == nil && isValid(l, now) {
			log.Lines = append(log.Lines, l)
		} else if damaged == 0 {
			damaged = i + 2
		}
		if i >= maxLines {
			break
		}
	}
	if damaged > 0 || len(src) >= maxBytes {
		log.Lines = slices.DeleteFunc(log.Lines, func(l index.MachineLine) bool { return l.Restore != "" })
	}
	return log, damaged
}

// strict decodes a line that has nothing else.
func strict(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("more than one value")
	}
	return nil
}

// isValid reports whether a line says one thing, in values that a machine writes.
func isValid(l index.MachineLine, now time.Time) bool {
	latest := now.Add(maxAhead)
	isSoon := l.At <= latest.UnixMilli()
	prefix, err := memory.ParseIDPrefix(l.ID)
	isAbout := err == nil && prefix == l.ID && isHash(l.Text, 8) && isSoon && l.Forget+l.Restore+l.Wording == "" && !l.Gone
	switch {
	case l.At <= 0:
		return false
	case l.Use != "":
		_, err := time.Parse(time.DateOnly, l.Day)
		return isAbout && isHash(l.Use, 8) && err == nil && l.Day <= latest.Format(time.DateOnly) && l.Kind >= 0 && l.Kind <= int(index.UseRequested) && l.Tier == ""
	case l.Tier != "":
		return isAbout && slices.Contains(memory.Tiers, memory.Tier(l.Tier)) && slices.Contains(memory.Tiers, memory.Tier(l.Was))
	case l.Forget != "":
		return isHash(l.Forget, 32) && (l.Wording == "" || isHash(l.Wording, 32)) && l.Restore == ""
	}
	return isHash(l.Restore, 32) && isSoon
}

// isHash reports whether a text is so many bytes in hexadecimal digits.
func isHash(s string, size int) bool {
	return len(s) == 2*size && strings.Trim(s, "0123456789abcdef") == ""
}
