package sqldb

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// Millis is a time in a column: milliseconds since 1970 in UTC. Zero is NULL, so
// the one millisecond that really is zero is stored as the next one.
type Millis int64

// ToMillis returns a time as a column stores it. The zero time is NULL.
func ToMillis(t time.Time) Millis {
	if t.IsZero() {
		return 0
	}
	if ms := t.UnixMilli(); ms != 0 {
		return Millis(ms)
	}
	return 1
}

// Time returns the time in UTC, or the zero time for NULL.
func (m Millis) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// Pointer returns the time in UTC, or nil for NULL.
func (m Millis) Pointer() *time.Time {
	if m == 0 {
		return nil
	}
	t := m.Time()
	return &t
}

// Value writes zero as NULL.
func (m Millis) Value() (driver.Value, error) {
	if m == 0 {
		return nil, nil
	}
	return int64(m), nil
}

// Scan reads NULL as zero.
func (m *Millis) Scan(v any) error {
	n, _ := v.(int64)
	*m = Millis(n)
	return nil
}

// Hash is a BLOB of 32 bytes. All zeros is NULL.
type Hash [32]byte

// Value writes all zeros as NULL.
func (h Hash) Value() (driver.Value, error) {
	if h == (Hash{}) {
		return nil, nil
	}
	return h[:], nil
}

// Scan reads NULL as all zeros.
func (h *Hash) Scan(v any) error {
	*h = Hash{}
	b, _ := v.([]byte)
	if v != nil && len(b) != len(h) {
		return fmt.Errorf("a hash of %d bytes", len(b))
	}
	copy(h[:], b)
	return nil
}

// NullText is a TEXT column in which the empty string is NULL.
type NullText string

// Value writes the empty string as NULL.
func (t NullText) Value() (driver.Value, error) {
	if t == "" {
		return nil, nil
	}
	return string(t), nil
}

// Scan reads NULL as the empty string.
func (t *NullText) Scan(v any) error {
	s, _ := v.(string)
	*t = NullText(s)
	return nil
}

// JSONList writes strings as a JSON array, for a column or for json_each. No
// strings are an empty array, because json_each returns a row for null.
func JSONList[S ~string](words []S) string {
	if len(words) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(words) // strings cannot fail
	return string(b)
}

// JSONNumbers writes numbers as a JSON array, for json_each.
func JSONNumbers(numbers []int32) string {
	b, _ := json.Marshal(append([]int32{}, numbers...)) // numbers cannot fail
	return string(b)
}

// ParseJSONList reads what [JSONList] wrote. Anything else is an empty list.
func ParseJSONList(s string) []string {
	if s == "" || s == "[]" {
		return nil
	}
	var words []string
	if json.Unmarshal([]byte(s), &words) != nil {
		return nil
	}
	return words
}
