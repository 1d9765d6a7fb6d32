package index

import "database/sql/driver"

// What a value is; NULL is nothing.
func textIn(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func numberIn(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func hashIn(v driver.Value) (h hash) {
	b, _ := v.([]byte)
	copy(h[:], b)
	return h
}
