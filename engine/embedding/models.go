// Package embedding gives the texts of one index their vectors. It selects the model that
// serves, changes the model without a pause, and decides which model answers a query while
// another one lacks vectors.
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

// Models are the embedding models of one index: the one that serves, and the one that it
// is being changed to.
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

	changeMu      sync.Mutex // held during a step of a model change
	changeBatches batchSizer
	keptChecked   bool  // each text has been found to have a vector of the kept model
	stagedUpTo    int64 // how far the model change has come, as index.DB.PendingStaged counts

	mu           sync.Mutex
	embedBatches batchSizer         // of EmbedPending
	nextModel    embed.Embedder     // the model being changed to; nil: no change
	health       map[string]*health // by model
	state        modelState
}

// modelState is what keeps the models from their work.
type modelState struct {
	embedErr       error  // why the last embedding failed
	embedderErr    error  // why the configured embedder is unavailable
	modelChangeErr error  // why the model change does not proceed
	modelWaits     string // why the work of a gradual model waits
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

// NextEmbedder returns the embedder of the model being changed to; nil: no change.
func (m *Models) NextEmbedder() embed.Embedder {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.nextModel
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
