package marks

import (
	"fmt"
	"sync"

	"github.com/memory-tiered/memory"
)

// Cache keeps what views hide until it is cleared. Its zero value is empty.
type Cache struct {
	mu      sync.Mutex
	version int // counts how often it was cleared
	of      map[string]*Hidden
}

// maxViews is the number of views that are kept: those of the users who ask at the same time.
const maxViews = 8

// Clear forgets everything. It must be called after marks, memories or lines changed.
func (c *Cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	clear(c.of)
}

// Get returns what a view hides. read reads it after a change.
func (c *Cache) Get(v memory.View, read func() (*Hidden, error)) (*Hidden, error) {
	key := fmt.Sprint(v.Model, v.Users)
	c.mu.Lock()
	version, hidden := c.version, c.of[key]
	c.mu.Unlock()
	if hidden != nil {
		return hidden, nil
	}
	hidden, err := read()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && version == c.version {
		if c.of == nil || len(c.of) >= maxViews {
			c.of = map[string]*Hidden{}
		}
		c.of[key] = hidden
	}
	return hidden, err
}
