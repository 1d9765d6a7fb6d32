package recall

import (
	"path"
	"strings"

	"github.com/memory-tiered/memory"
)

// eligible drops what may never be injected, whatever the source let through,
// and what the prompt holds already.
func eligible(found []*candidate, inPrompt []string) (kept []*candidate, left []Rejection) {
	said := map[string]bool{}
	for _, p := range inPrompt {
		said[relativePath(p)] = true
	}
	for _, c := range found {
		switch {
		case isHidden(c.Memory):
			left = append(left, c.reject(RejectedHidden))
		case c.Tier == memory.TierArchive:
			left = append(left, c.reject(RejectedArchived))
		case said[relativePath(c.Path)]:
			left = append(left, c.reject(RejectedInPrompt))
		default:
			kept = append(kept, c)
		}
	}
	return kept, left
}

func isHidden(m *memory.Memory) bool {
	return m.Forgotten || m.Missing || m.Private || m.Trust == memory.TrustQuarantined || m.SupersededBy != nil
}

// relativePath writes a path as memories have theirs.
func relativePath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}

// aboveFloor drops what has too little to do with the question.
func aboveFloor(found []*candidate, s Settings) (kept []*candidate, left []Rejection) {
	for _, c := range found {
		if floor := s.floorFor(c.Memory); c.similarity < floor {
			below := c.reject(RejectedBelowFloor)
			below.Floor = floor
			left = append(left, below)
			continue
		}
		kept = append(kept, c)
	}
	return kept, left
}
