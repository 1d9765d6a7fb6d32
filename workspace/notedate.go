package workspace

import (
	"path"
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

var (
	// dashedDay matches 2026-11-20 and 2026-11-20-slug, whatever follows.
	dashedDay = lazyregexp.New(`^(\d{4})-(\d\d)-(\d\d)(?:[-_ .]|$)`)

	// otherDay matches 20261120, 2026_11_20 and 2026.11.20, also with a slug. A number
	// after it makes it a version, a telephone number or an id.
	otherDay = lazyregexp.New(`^((?:19|20)\d\d)(?:(\d\d)(\d\d)|_(\d\d)_(\d\d)|\.(\d\d)\.(\d\d))(?:[-_ ]+[^-_ \d]|$)`)

	// dayInMonth matches the folders 2026/11 and 2026-11 before 20.md.
	dayInMonth = lazyregexp.New(`(?:^|/)((?:19|20)\d\d)[/-](\d\d)/(\d\d)$`)
)

// DateOf returns the day in the name of a daily note, as the start of that day in zone:
// memory/2026-11-20.md or memory/2026-11-20-slug.md in any folder. Other tools write
// 20261120.md, 2026_11_20.md, 2026.11.20.md, 2026/11/20.md and 2026-11/20.md.
func DateOf(name string, zone *time.Location) (time.Time, bool) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	base := path.Base(stem)
	found := dashedDay().FindStringSubmatch(base)
	if found == nil {
		found = otherDay().FindStringSubmatch(base)
	}
	if found == nil {
		found = dayInMonth().FindStringSubmatch(stem)
	}
	if found != nil {
		at, err := time.ParseInLocation("20060102", strings.Join(found[1:], ""), zone)
		return at, err == nil
	}
	return time.Time{}, false
}
