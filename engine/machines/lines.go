package machines

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// extension ends the name of a log.
const extension = ".jsonl"

// nameBytes is the number of bytes of a machine's name.
const nameBytes = 4

// Bounds of what is read. A log has some 4 MB at most, unless 20,000 texts were forgotten.
const (
	maxFiles = 32
	maxBytes = 16 << 20
	maxLine  = 1000
)

// maxAhead is how far the clock of another machine may be ahead. A line that hides a text may be
// later, up to maxYears.
const (
	maxAhead = 24 * time.Hour
	maxYears = 100
)

// encode returns a log as its file has it.
func encode(log index.MachineLog) (text []byte) {
	for _, l := range log {
		line, _ := json.Marshal(l) // strings and numbers never fail
		text = append(append(text, line...), '\n')
	}
	return text
}

// decode reads a log. A last line without its end is still being copied. damaged is the number of
// the first line that is not valid; 0: all are. Then no line restores a text: the damaged one may
// have hidden it again. A line that follows a torn one, without an end between, is read.
func decode(text []byte, now time.Time) (log index.MachineLog, damaged int) {
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	read := func(line []byte) bool {
		var l index.MachineLine
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		isRead := len(line) <= maxLine && d.Decode(&l) == nil && !d.More() && isValid(l, len(log) == 0, now)
		if isRead {
			log = append(log, l)
		}
		return isRead
	}
	for n, line := range slices.Collect(bytes.Lines(text)) {
		if !read(line) {
			read(line[max(0, bytes.LastIndexByte(line, '{')):])
			damaged = cmp.Or(damaged, n+1)
		}
	}
	if damaged > 0 {
		log = slices.DeleteFunc(log, func(l index.MachineLine) bool { return l.Mark != "" && l.Kind == 0 })
	}
	return log, damaged
}

// isValid reports whether a line has the values that a machine writes. Only a line that hides a
// text may be of the future.
func isValid(l index.MachineLine, isFirst bool, now time.Time) bool {
	latest := now.Add(maxAhead)
	isPresent := l.At > 0 && l.At <= latest.UnixMilli() && l.Day <= latest.Format(time.DateOnly)
	_, dayErr := time.Parse(time.DateOnly, l.Day)
	isOf := func(fields index.MachineLine) bool { // no other field is set
		fields.Kind, fields.At = l.Kind, l.At
		return l == fields && l.Kind >= 0 && l.Kind <= int(index.UseRequested)
	}
	switch {
	case isFirst:
		return isHash(l.Machine, nameBytes) && isHash(l.Key, 32) && isOf(index.MachineLine{Machine: l.Machine, Key: l.Key})
	case l.Session != "":
		return isHash(l.Text, 8) && isHash(l.Session, 8) && dayErr == nil && isPresent && isOf(index.MachineLine{Text: l.Text, Session: l.Session, Day: l.Day})
	case l.Tier != "":
		return isHash(l.Text, 8) && slices.Contains(memory.Tiers, memory.Tier(l.Tier)) && slices.Contains(memory.Tiers, memory.Tier(l.Was)) && isPresent &&
			isOf(index.MachineLine{Text: l.Text, Was: l.Was, Tier: l.Tier})
	}
	return isHash(l.Mark, 32) && (l.Wording == "" || isHash(l.Wording, 32)) && (isPresent || l.At > 0 && l.At <= now.AddDate(maxYears, 0, 0).UnixMilli() && l.Kind > 0) && isOf(index.MachineLine{Mark: l.Mark, Wording: l.Wording})
}

// isHash reports whether a text is so many bytes in hexadecimal digits.
func isHash(s string, size int) bool {
	return len(s) == 2*size && strings.Trim(s, "0123456789abcdef") == ""
}
