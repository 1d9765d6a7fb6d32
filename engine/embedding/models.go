// Package embedding gives the texts of one index their vectors. It selects the model that
// serves, and which other one answers queries as long as that lacks vectors. So the model
// changes without a pause.
package embedding

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// metaEmbedErr is the key of the index's meta table for why the last embedding failed.
const metaEmbedErr = "embed_error"

// Models are the embedding models of one index: the one that serves, and the one that answers
// while that lacks vectors.
type Models struct {
	db    *index.DB
	zone  *time.Location // of times in questions
	isOff bool           // nothing can be written

	settingsMu sync.Mutex      // held while serving is replaced
	settings   recall.Settings // guarded by settingsMu

	serving    atomic.Pointer[servingModel]
	swapMu     sync.RWMutex  // held for writing while another model begins to serve
	embedToken chan struct{} // holds one token, so that one caller embeds at a time
	topics     topicVectors
	made       atomic.Int64 // see Made

	changeMu sync.Mutex // held while the serving model gets the vectors that it lacks

	mu           sync.Mutex
	embedBatches batchSizer
	health       map[string]*health // by model
	state        modelState
}

// modelState is what keeps the models from their work.
type modelState struct {
	embedErr       error  // why the last embedding failed
	embedderErr    error  // why the configured embedder is unavailable
	modelChangeErr error  // why the model change does not proceed
	modelWaits     string // why the work of a gradual model waits
	keptChecked    bool   // each text has been found to have a vector of the kept model
}

// New returns the models of an index, of which none is selected yet.
func New(db *index.DB, settings recall.Settings, zone *time.Location) *Models {
	settings.Zone = zone
	return &Models{db: db, settings: settings, zone: zone, embedToken: make(chan struct{}, 1)}
}

// StopEmbedding lets the models answer only, because nothing can be written.
func (m *Models) StopEmbedding() { m.isOff = true }

// Embedder returns the embedder that serves.
func (m *Models) Embedder() embed.Embedder { return m.serving.Load().Embedder }

// KeptEmbedder returns the embedder that answers while the serving one lacks vectors; nil: none.
func (m *Models) KeptEmbedder() embed.Embedder {
	if model := m.serving.Load(); model != nil && model.meanwhile != nil {
		return model.meanwhile.Embedder
	}
	return nil
}

// ClearTopics forgets the vectors of topics: one may repeat a text that was destroyed.
func (m *Models) ClearTopics() { m.topics.clear() }

func (m *Models) updateState(change func(*modelState)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.state)
}

func (m *Models) currentState() modelState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}
