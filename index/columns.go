package index

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
)

// millis is a time as the tables hold it: milliseconds since 1970 in UTC. Zero
// is NULL, which costs the one millisecond that is really zero.
type millis int64

func toMillis(t time.Time) millis {
	if t.IsZero() {
		return 0
	}
	return millis(t.UnixMilli())
}

func (m millis) time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// pointer is nil for a time that never was.
func (m millis) pointer() *time.Time {
	if m == 0 {
		return nil
	}
	t := m.time()
	return &t
}

// Value writes zero as NULL.
func (m millis) Value() (driver.Value, error) {
	if m == 0 {
		return nil, nil
	}
	return int64(m), nil
}

// Scan reads NULL as zero.
func (m *millis) Scan(v any) error {
	n, _ := v.(int64)
	*m = millis(n)
	return nil
}

// hash is a 32-byte BLOB; all zero is NULL.
type hash [32]byte

// Value writes all zeros as NULL.
func (h hash) Value() (driver.Value, error) {
	if h == (hash{}) {
		return nil, nil
	}
	return h[:], nil
}

// Scan reads NULL as all zeros.
func (h *hash) Scan(v any) error {
	*h = hash{}
	b, _ := v.([]byte)
	if v != nil && len(b) != len(h) {
		return fmt.Errorf("a hash of %d bytes", len(b))
	}
	copy(h[:], b)
	return nil
}

// text is a TEXT column where the empty string is NULL.
type text string

// Value writes the empty string as NULL.
func (t text) Value() (driver.Value, error) {
	if t == "" {
		return nil, nil
	}
	return string(t), nil
}

// Scan reads NULL as the empty string.
func (t *text) Scan(v any) error {
	s, _ := v.(string)
	*t = text(s)
	return nil
}

// list writes ids, paths or other words for json_each, which would make a row of
// a null.
func list[S ~string](words []S) string {
	if len(words) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(words) // strings cannot fail
	return string(b)
}

// numbers writes numbers for json_each.
func numbers(all []int64) string {
	b, _ := json.Marshal(append([]int64{}, all...)) // numbers cannot fail
	return string(b)
}

func fingerprintList(fps []memory.Fingerprint) string {
	hex := make([]string, len(fps))
	for i, f := range fps {
		hex[i] = f.String()
	}
	return list(hex)
}

// words reads a JSON list of strings, as list wrote it.
func words(s string) []string {
	if s == "" || s == "[]" {
		return nil
	}
	var out []string
	if json.Unmarshal([]byte(s), &out) != nil {
		return nil
	}
	return out
}

// toJSON writes a declaration or a list of faults. It fails on what JSON does
// not know, as a time after the year 9999.
func toJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

func declared(s string) (d memory.Declared, err error) {
	if s == "" || s == "{}" {
		return d, nil
	}
	err = json.Unmarshal([]byte(s), &d)
	return d, err
}
