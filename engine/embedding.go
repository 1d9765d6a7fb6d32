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

// fixed is the one embedder of an engine whose configuration does not change.
type fixed struct{ embed.Embedder }

func (f fixed) Configured(context.Context) (embed.Embedder, error) { return f.Embedder, nil }

func (f fixed) Previous(_ context.Context, model string) (embed.Embedder, error) {
	if model == f.Model() {
		return f.Embedder, nil
	}
	return nil, memory.Unavailable(nil, "the model %s is not known any more", model)
}

// absent stands for an embedder that cannot be had: each question says why.
type absent struct {
	model string
	dim   int
	why   error
}

func (a absent) Model() string { return a.model }
func (a absent) Dim() int      { return a.dim }
func (a absent) Remote() bool  { return false }
func (a absent) Embed(ctx context.Context, _ embed.Kind, _ []string) ([][]float32, error) {
	return nil, errors.Join(ctx.Err(), a.why)
}

// serving is what answers questions by vectors: an embedder, and the recaller
// that asks it. It is exchanged as a whole, so that a question's vector and the
// ranking that it meets are of one model.
type serving struct {
	embed.Embedder
	recaller *recall.Recaller
	chooser  *recall.Recaller // for decisions: by what a memory says itself, whatever stands beside it
}

func (s *space) serve(e embed.Embedder) {
	itself := s.settings
	itself.Fusion = recall.FusionWeighted
	src := overlay{s.db, s.uses}
	s.serves.Store(&serving{e, recall.New(src, e, s.settings), recall.New(src, e, itself)})
}

// recaller answers questions as things are now.
func (s *space) recaller() *recall.Recaller { return s.serves.Load().recaller }

// chooser finds what a decision is about, as things are now.
func (s *space) chooser() *recall.Recaller { return s.serves.Load().chooser }

// asking runs a question, again where the model was exchanged beneath it.
func (s *space) asking(run func(*recall.Recaller) error) error {
	for {
		at := s.serves.Load()
		err := run(at.recaller)
		s.swapping.RLock() // an exchange under way is over in a moment
		same := s.serves.Load() == at
		s.swapping.RUnlock()
		if same {
			return err
		}
	}
}

// chooseModel settles which model serves, and which it is being changed to.
// wanted is nil where it cannot be had; why says so.
func (s *space) chooseModel(ctx context.Context, from Embedders, wanted embed.Embedder, why error, readOnly bool) error {
	name, dim, err := s.db.Model(ctx)
	if err != nil {
		return err
	}
	next := embed.Embedder(nil)
	switch serves := s.servesAs(ctx, name, from, wanted); {
	case wanted != nil && wanted.Model() == name:
		err = s.giveUpNext(ctx, readOnly)
		s.serve(wanted)
	case wanted == nil && serves != nil:
		s.serve(serves)
	case wanted == nil:
		s.serve(absent{name, max(dim, 1), why}) // with a dimension, so that questions are told why
	case readOnly && serves != nil:
		s.serve(serves)
	case readOnly:
		s.serve(absent{name, max(dim, 1), memory.Unavailable(nil, "the index holds vectors of another model")})
	case serves == nil || wanted.Dim() == 0 || s.hasNoVectors(ctx, name):
		s.swapping.Lock()
		if err = s.db.SetModel(ctx, wanted.Model(), wanted.Dim()); err == nil {
			s.serve(wanted)
		}
		s.swapping.Unlock()
	default:
		if err = s.db.StageModel(ctx, wanted.Model(), wanted.Dim()); err == nil {
			s.serve(serves)
			next = wanted
		}
	}
	s.mu.Lock()
	s.next, s.health.unwanted = next, why
	if next == nil {
		s.health.unchanged = nil
	}
	s.mu.Unlock()
	return err
}

// servesAs is the embedder of the model whose vectors the index holds; nil where
// it cannot be had.
func (s *space) servesAs(ctx context.Context, name string, from Embedders, wanted embed.Embedder) embed.Embedder {
	if name == "" {
		return nil
	}
	for _, e := range []embed.Embedder{s.current(), wanted} {
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

// current is the embedder that serves, if one that answers does.
func (s *space) current() embed.Embedder {
	if at := s.serves.Load(); at != nil {
		if _, gone := at.Embedder.(absent); !gone {
			return at.Embedder
		}
	}
	return nil
}

func (s *space) hasNoVectors(ctx context.Context, model string) bool {
	_, total, err := s.db.StagedProgress(ctx, true)
	if err != nil {
		return false
	}
	pending, err := s.db.PendingCount(ctx, model)
	return err == nil && pending == total
}

func (s *space) giveUpNext(ctx context.Context, readOnly bool) error {
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
	for _, s := range e.all() {
		if s.failed != nil || s.isFrozen() || !s.considers(ctx, wanted) {
			continue
		}
		errs = append(errs, s.chooseModel(ctx, e.o.Embedders, wanted, why, e.o.ReadOnly))
	}
	return errors.Join(errs...)
}

// considers says whether there is anything to settle.
func (s *space) considers(ctx context.Context, wanted embed.Embedder) bool {
	s.mu.Lock()
	next, why := s.next, s.health.unwanted
	s.mu.Unlock()
	if wanted == nil || why != nil {
		return true
	}
	serves := s.serves.Load().Embedder
	if next == nil {
		return serves.Model() != wanted.Model()
	}
	// A rebuilt index has forgotten that it was being changed.
	name, _, err := s.db.StagedModel(ctx)
	return err != nil || next.Model() != wanted.Model() || name != wanted.Model()
}

// pace is how many texts are embedded in a step: so many that a step takes
// about as long as wished, whatever model there is.
type pace struct{ n int }

// A step that is over within short could have held more, one beyond long holds
// up questions that share the processor with it. fewest is what a sentence
// transformer runs at once, in no more time than one; embedBatch bounds what is
// lost when a step fails, and how long its transaction takes.
const (
	short      = 100 * time.Millisecond
	long       = 400 * time.Millisecond
	firstBatch = 32
	fewest     = 8
	embedBatch = 256
)

func (p *pace) size() int {
	if p.n == 0 {
		p.n = firstBatch
	}
	return p.n
}

func (p *pace) took(d time.Duration) {
	switch {
	case d < short:
		p.n = min(2*p.n, embedBatch)
	case d > long:
		p.n = max(p.n/2, fewest)
	}
}
