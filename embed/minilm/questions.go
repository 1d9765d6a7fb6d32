package minilm

import (
	"container/list"
	"slices"
	"sync"
)

// maxQuestions is the number of questions whose vectors are kept: those of a day's work,
// in 0.4 MB.
const maxQuestions = 256

// questionCache keeps the vectors of the last questions. A host asks some questions
// again within seconds: a recall is followed by a search, and a page is loaded again.
type questionCache struct {
	mu     sync.Mutex
	byText map[string]*list.Element
	order  *list.List // of *cachedQuestion, the last used first
}

type cachedQuestion struct {
	text   string
	vector []float32
}

func newQuestionCache() *questionCache {
	return &questionCache{byText: map[string]*list.Element{}, order: list.New()}
}

// get returns a copy of the vector of a question, or nil.
func (c *questionCache) get(text string) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known := c.byText[text]
	if !known {
		return nil
	}
	c.order.MoveToFront(at)
	return slices.Clone(at.Value.(*cachedQuestion).vector)
}

// maxQuestionBytes is the length up to which a question is kept. Longer texts are pasted
// pages, which nobody asks twice.
const maxQuestionBytes = 4 << 10

// put keeps the vector of a question, and drops the one that was not used for longest.
func (c *questionCache) put(text string, vector []float32) {
	if len(text) > maxQuestionBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, known := c.byText[text]; known {
		c.order.MoveToFront(at)
		return
	}
	c.byText[text] = c.order.PushFront(&cachedQuestion{text, slices.Clone(vector)})
	if c.order.Len() > maxQuestions {
		oldest := c.order.Back()
		c.order.Remove(oldest)
		delete(c.byText, oldest.Value.(*cachedQuestion).text)
	}
}
