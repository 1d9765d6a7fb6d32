package glob

import "sync"

// cached are compiled patterns. People write them, so there are few; at maxCached the
// cache starts anew.
var cached struct {
	sync.Mutex
	patterns map[string]Pattern
}

const maxCached = 128

// Cached compiles a pattern as Compile does, and keeps it: SQLite asks for each row.
func Cached(pattern string) Pattern {
	cached.Lock()
	defer cached.Unlock()
	p, known := cached.patterns[pattern]
	if !known {
		p = Compile(pattern)
		if cached.patterns == nil || len(cached.patterns) >= maxCached {
			cached.patterns = map[string]Pattern{}
		}
		cached.patterns[pattern] = p
	}
	return p
}
