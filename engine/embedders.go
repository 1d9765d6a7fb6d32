package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// Embedders gives what turns text into vectors. The configuration may change
// while an engine runs, and what it names may be out of reach.
type Embedders interface {
	// Configured is the one that the configuration names now. Asked again after an
	// error, it may succeed.
	Configured(ctx context.Context) (embed.Embedder, error)
	// Previous is one that has served, by its model: it answers until the vectors
	// of the wanted one are whole.
	Previous(ctx context.Context, model string) (embed.Embedder, error)
}

// fixedEmbedder is the one embedder of an engine whose configuration does not change.
type fixedEmbedder struct{ embed.Embedder }

func (f fixedEmbedder) Configured(context.Context) (embed.Embedder, error) { return f.Embedder, nil }

func (f fixedEmbedder) Previous(_ context.Context, model string) (embed.Embedder, error) {
	if model == f.Model() {
		return f.Embedder, nil
	}
	return nil, memory.Unavailable(nil, "the model %s is not known any more", model)
}

// unavailable stands for an embedder that cannot be had: each question says why.
type unavailable struct {
	model string
	dim   int
	cause error
}

func (a unavailable) Model() string { return a.model }
func (a unavailable) Dim() int      { return a.dim }
func (a unavailable) Remote() bool  { return false }
func (a unavailable) Embed(ctx context.Context, _ embed.Kind, _ []string) ([][]float32, error) {
	return nil, errors.Join(ctx.Err(), a.cause)
}

// servingModel is what answers questions by vectors: an embedder, and the recaller
// that asks it. It is exchanged as a whole, so that a question's vector and the
// ranking that it meets are of one model.
type servingModel struct {
	embed.Embedder
	recaller         *recall.Recaller
	decisionRecaller *recall.Recaller // for decisions: by what a memory says itself, whatever stands beside it
}

func (s *workspaceState) setServing(e embed.Embedder) {
	itself := s.settings
	itself.Fusion = recall.FusionWeighted
	src := sourceWithUses{s.db, s.uses}
	s.serving.Store(&servingModel{e, recall.New(src, e, s.settings), recall.New(src, e, itself)})
}

// recaller answers questions as things are now.
func (s *workspaceState) recaller() *recall.Recaller { return s.serving.Load().recaller }

// decisionRecaller finds what a decision is about, as things are now.
func (s *workspaceState) decisionRecaller() *recall.Recaller {
	return s.serving.Load().decisionRecaller
}

// withModel runs a question, again where the model was exchanged beneath it.
func (s *workspaceState) withModel(run func(*recall.Recaller) error) error {
	for {
		at := s.serving.Load()
		err := run(at.recaller)
		s.swapMu.RLock() // an exchange under way is over in a moment
		same := s.serving.Load() == at
		s.swapMu.RUnlock()
		if same {
			return err
		}
	}
}

// selectModel settles which model serves, and which it is being changed to.
// wanted is nil where it cannot be had; why says so.
func (s *workspaceState) selectModel(ctx context.Context, from Embedders, wanted embed.Embedder, why error, readOnly bool) error {
	name, dim, err := s.db.Model(ctx)
	if err != nil {
		return err
	}
	next := embed.Embedder(nil)
	switch serves := s.embedderOf(ctx, name, from, wanted); {
	case wanted != nil && wanted.Model() == name:
		err = s.abandonModelChange(ctx, readOnly)
		s.setServing(wanted)
	case wanted == nil && serves != nil:
		s.setServing(serves)
	case wanted == nil:
		s.setServing(unavailable{name, max(dim, 1), why}) // with a dimension, so that questions are told why
	case readOnly && serves != nil:
		s.setServing(serves)
	case readOnly:
		s.setServing(unavailable{name, max(dim, 1), memory.Unavailable(nil, "the index holds vectors of another model")})
	case serves == nil || wanted.Dim() == 0 || s.hasNoVectors(ctx, name):
		s.swapMu.Lock()
		if err = s.db.SetModel(ctx, wanted.Model(), wanted.Dim()); err == nil {
			s.setServing(wanted)
		}
		s.swapMu.Unlock()
	default:
		if err = s.db.StageModel(ctx, wanted.Model(), wanted.Dim()); err == nil {
			s.setServing(serves)
			next = wanted
		}
	}
	s.mu.Lock()
	s.nextModel, s.health.embedderErr = next, why
	if next == nil {
		s.health.modelChangeErr = nil
	}
	s.mu.Unlock()
	return err
}

// embedderOf is the embedder of the model whose vectors the index holds; nil where
// it cannot be had.
func (s *workspaceState) embedderOf(ctx context.Context, name string, from Embedders, wanted embed.Embedder) embed.Embedder {
	if name == "" {
		return nil
	}
	for _, e := range []embed.Embedder{s.currentEmbedder(), wanted} {
		if e != nil && e.Model() == name {
			return e
		}
	}
	e, err := from.Previous(ctx, name)
	if err != nil || e.Model() != name {
		return nil
	}
	return e
}

// currentEmbedder is the embedder that serves, if one that answers does.
func (s *workspaceState) currentEmbedder() embed.Embedder {
	if at := s.serving.Load(); at != nil {
		if _, gone := at.Embedder.(unavailable); !gone {
			return at.Embedder
		}
	}
	return nil
}

func (s *workspaceState) hasNoVectors(ctx context.Context, model string) bool {
	_, total, err := s.db.StagedProgress(ctx, true)
	if err != nil {
		return false
	}
	pending, err := s.db.PendingCount(ctx, model)
	return err == nil && pending == total
}

func (s *workspaceState) abandonModelChange(ctx context.Context, readOnly bool) error {
	if readOnly {
		return nil
	}
	if err := s.db.StageModel(ctx, "", 0); err != nil {
		return err
	}
	return s.db.DropOldModel(ctx)
}

// RefreshEmbedder asks again which embedder is wanted, and begins to change to it
// where it is another one than what serves. It is cheap where nothing changed.
func (e *Engine) RefreshEmbedder(ctx context.Context) error {
	wanted, why := e.o.Embedders.Configured(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	errs := []error{why}
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || !s.needsSelection(ctx, wanted) {
			continue
		}
		errs = append(errs, s.selectModel(ctx, e.o.Embedders, wanted, why, e.o.ReadOnly))
	}
	return errors.Join(errs...)
}

// needsSelection says whether there is anything to settle.
func (s *workspaceState) needsSelection(ctx context.Context, wanted embed.Embedder) bool {
	s.mu.Lock()
	next, why := s.nextModel, s.health.embedderErr
	s.mu.Unlock()
	if wanted == nil || why != nil {
		return true
	}
	serves := s.serving.Load().Embedder
	if next == nil {
		return serves.Model() != wanted.Model()
	}
	// A rebuilt index has forgotten that it was being changed.
	name, _, err := s.db.StagedModel(ctx)
	return err != nil || next.Model() != wanted.Model() || name != wanted.Model()
}

// batchSizer is how many texts are embedded in a step: so many that a step takes
// about as long as wished, whatever model there is.
type batchSizer struct{ n int }

// A step that is over within short could have held more, one beyond long holds
// up questions that share the processor with it. fewest is what a sentence
// transformer runs at once, in no more time than one; embedBatch bounds what is
// lost when a step fails, and how long its transaction takes.
const (
	shortStep  = 100 * time.Millisecond
	longStep   = 400 * time.Millisecond
	firstBatch = 32
	minBatch   = 8
	maxBatch   = 256
)

func (p *batchSizer) size() int {
	if p.n == 0 {
		p.n = firstBatch
	}
	return p.n
}

func (p *batchSizer) adjust(d time.Duration) {
	switch {
	case d < shortStep:
		p.n = min(2*p.n, maxBatch)
	case d > longStep:
		p.n = max(p.n/2, minBatch)
	}
}
