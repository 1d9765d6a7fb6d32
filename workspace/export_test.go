package workspace

import "github.com/memory-tiered/memory"

// ChangedJustNow lets tests choose the times of the file system and of the clock.
var ChangedJustNow = changedJustNow

// Ignored reports which names a text of [IgnoreFile] ignores, and its faults.
func Ignored(text string, folder bool, names ...string) (ignored []bool, faults []memory.Fault) {
	rules := parseIgnore(text)
	for _, name := range names {
		ignored = append(ignored, rules.match(name, folder))
	}
	return ignored, rules.faults
}
