package memory

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// dayLayouts are dates without a time, timeLayouts dates with one.
var (
	dayLayouts  = []string{"2006-01-02", "2006-1-2", "2006/01/02"}
	timeLayouts = []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700",
		"2006-01-02 15:04", "2006-01-02 15:04 Z07:00", "2006-01-02t15:04:05Z07:00",
	}
)

// ReadTime parses a date that a person wrote in Markdown. day reports that it
// has no time. zone applies to a date without a time zone; nil is UTC.
func ReadTime(s string, zone *time.Location) (at time.Time, day bool, err error) {
	if zone == nil {
		zone = time.UTC
	}
	for i, layout := range slices.Concat(dayLayouts, timeLayouts) {
		if at, err = time.ParseInLocation(layout, s, zone); err == nil && !at.IsZero() {
			return at, i < len(dayLayouts), nil
		}
	}
	return time.Time{}, false, fmt.Errorf("%q is not a date (write it as 2026-11-20 or 2026-11-20T14:05:00Z)", Shorten(s))
}

// ReadBool parses a boolean that a person wrote in Markdown: the booleans of
// all versions of YAML, in any case.
func ReadBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "y", "1":
		return true, nil
	case "false", "no", "off", "n", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", Shorten(s))
}

// Shorten shortens a value for an error message.
func Shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// separators are the characters between the words of a key.
var separators = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

// lookalikes are words that resemble a key of ours and mean something else, one a line.
//
//go:embed lookalikes.txt
var lookalikes string

var notMisspelled = strings.Fields(lookalikes)

// SuggestKey returns the word of known that a key probably misspells, or writes in
// full-width letters or with other quotation marks, or "". A key of fewer than four letters
// is too short to tell, and a known word is no near miss.
func SuggestKey(key string, known []string) string {
	lower := strings.Trim(strings.ToLower(norm.NFKC.String(key)), "\"'`“”„‘’‚«»‹›「」")
	if lower != strings.ToLower(key) && slices.Contains(known, lower) {
		return lower // in full-width letters, or in quotation marks of a word processor
	}
	if slices.Contains(known, lower) || slices.Contains(notMisspelled, lower) || len(key) > 2*len("importance_label") {
		return ""
	}
	bare := separators.Replace(lower)
	for _, k := range known {
		if bare == separators.Replace(k) {
			return k
		}
	}
	if len(bare) < len("tier") {
		return ""
	}
	best, distance := "", 1+1
	for _, k := range known {
		target := separators.Replace(k)
		limit := 1
		if len(target) >= len("category") {
			limit = 2
		}
		if len(target) < len("tier") {
			continue
		}
		if n := editDistance(bare, target); n <= limit && (best == "" || n < distance) {
			best, distance = k, n
		}
	}
	if best == "" && strings.HasPrefix("private", bare) && slices.Contains(known, "private") {
		return "private" // priv
	}
	return best
}

// MeansUser reports whether a key is user, or a probable misspelling of it: one letter
// differs, and its value is no number. used and uses are words of other programs.
func MeansUser(key, value string) bool {
	key = strings.ToLower(strings.TrimSpace(key))
	_, notNumber := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return key == "user" || key == "users" && notNumber != nil ||
		notNumber != nil && len(key) <= len("users") && !slices.Contains(notMisspelled, key) && editDistance(key, "user") <= 1
}

// editDistance counts the letters to insert, remove, replace or swap with the
// next one that turn a into b.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			replace := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replace)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
