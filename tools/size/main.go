// Command size counts what the program weighs: lines of Go, packages, lists of words and
// regular expressions in Go, and words of the pages. Tests and generated files do not count.
//
//	go -C tools run ./size              prints the counts of the repository
//	go -C tools run ./size -check       fails if a count is over size/limits.json
//	go -C tools run ./size -lower       writes the counts that fell into size/limits.json
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	root := flag.String("root", "..", "the repository")
	check := flag.Bool("check", false, "fail if a count is over its limit")
	lower := flag.Bool("lower", false, "write the counts that fell as new limits")
	flag.Parse()
	if err := run(os.Stdout, *root, *check, *lower); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, root string, check, lower bool) error {
	counts, err := count(root)
	if err != nil {
		return err
	}
	limitsFile := filepath.Join(root, "tools", "size", "limits.json")
	limits, err := readLimits(limitsFile)
	if err != nil {
		return err
	}
	for _, name := range names {
		limit := ""
		if most, limited := limits[name]; limited {
			limit = fmt.Sprintf("   limit %d", most)
		}
		fmt.Fprintf(out, "%-22s %8d%s\n", name, counts[name], limit)
	}
	switch {
	case check:
		return compare(counts, limits)
	case lower:
		return writeLimits(limitsFile, lowest(counts, limits))
	}
	return nil
}

// compare returns an error for each count over its limit.
func compare(counts, limits map[string]int) error {
	var over []error
	for _, name := range names {
		if limit, limited := limits[name]; limited && counts[name] > limit {
			over = append(over, fmt.Errorf("%s: %d, and the limit is %d: a case belongs to a mechanism or to a table of data", name, counts[name], limit))
		}
	}
	return errors.Join(over...)
}

// lowest returns the lower one of count and limit for each limited name.
func lowest(counts, limits map[string]int) map[string]int {
	lowered := map[string]int{}
	for name, limit := range limits {
		lowered[name] = min(limit, counts[name])
	}
	return lowered
}

func readLimits(path string) (map[string]int, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	limits := map[string]int{}
	if err := json.Unmarshal(content, &limits); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for name := range limits {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%s: nothing counts %q", path, name)
		}
	}
	return limits, nil
}

func writeLimits(path string, limits map[string]int) error {
	content, err := json.MarshalIndent(limits, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(content, '\n'), 0o644)
}
