package embedding

import (
	"context"
	"maps"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// embedChunks returns the vectors of some chunks by a model. The vector of a note
// contains that of its topic. A server gets texts alone: a topic may be the line above a
// list, which may be private.
func (m *Models) embedChunks(ctx context.Context, e embed.Embedder, chunks []index.PendingChunk) (map[memory.Fingerprint][]float32, error) {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Text
	}
	known, topics := m.topics.of(e, chunks)
	made, err := EmbedTexts(ctx, e, append(texts, topics...))
	if err != nil {
		return nil, err
	}
	vectors := make(map[memory.Fingerprint][]float32, len(chunks))
	for i, c := range chunks {
		vectors[c.Fingerprint] = made[i]
	}
	for i, topic := range topics {
		known[topic] = made[len(texts)+i]
	}
	m.topics.add(e, known)
	for _, c := range chunks {
		if topic := known[c.Topic]; topic != nil {
			vectors[c.Fingerprint] = embed.Mix(vectors[c.Fingerprint], topic)
		}
	}
	return vectors, nil
}

// makerOf returns what makes the vectors of new texts while these are written, or nil: one of
// the models in use, if it is immediate.
func (m *Models) makerOf(inUse ...embed.Embedder) *index.VectorMaker {
	for _, e := range inUse {
		if e, isImmediate := e.(embed.Immediate); isImmediate {
			return &index.VectorMaker{Model: e.Model(), Make: func(chunks []index.PendingChunk) (map[memory.Fingerprint][]float32, error) {
				m.made.Add(int64(len(chunks)))
				return m.embedChunks(context.Background(), e, chunks)
			}}
		}
	}
	return nil
}

// Made returns how many texts got their vectors while they were written.
func (m *Models) Made() int { return int(m.made.Load()) }

// EmbedTexts embeds some texts and refuses vectors of the wrong number or
// dimension.
func EmbedTexts(ctx context.Context, e embed.Embedder, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := e.Embed(ctx, embed.Passage, texts)
	if err == nil {
		err = embed.Check(vectors, len(texts), e.Dim())
	}
	if err != nil {
		return nil, memory.Unavailable(err, "embed %d texts", len(texts))
	}
	return vectors, nil
}

// maxTopics is the number of topics of which a model's vectors are kept in memory. A
// workspace has some hundred headings.
const maxTopics = 2048

// topicVectors keeps the vectors of topics, which many notes share. The zero value is
// empty. It is safe for concurrent use.
type topicVectors struct {
	mu      sync.Mutex
	byModel map[string]map[string][]float32
}

// of returns the vectors of the topics of chunks, and the topics that a model has not
// embedded yet. A server has none.
func (t *topicVectors) of(e embed.Embedder, chunks []index.PendingChunk) (known map[string][]float32, missing []string) {
	known = map[string][]float32{}
	if e.Remote() {
		return known, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	listed := map[string]bool{"": true}
	for _, c := range chunks {
		if listed[c.Topic] {
			continue
		}
		listed[c.Topic] = true
		if v := t.byModel[e.Model()][c.Topic]; v != nil {
			known[c.Topic] = v
		} else {
			missing = append(missing, c.Topic)
		}
	}
	return known, missing
}

// add keeps the vectors of topics.
func (t *topicVectors) add(e embed.Embedder, vectors map[string][]float32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byModel == nil {
		t.byModel = map[string]map[string][]float32{}
	}
	if kept := t.byModel[e.Model()]; kept == nil || len(kept) > maxTopics {
		t.byModel[e.Model()] = map[string][]float32{}
	}
	maps.Copy(t.byModel[e.Model()], vectors)
}

// clear forgets all topics: one may repeat a text that was destroyed.
func (t *topicVectors) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byModel = nil
}
