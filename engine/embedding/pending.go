package embedding

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// EmbedPending embeds chunks that have no vector, in small batches: a reader sees
// each batch at once, and a batch that fails loses little. With limit > 0 it stops
// after that time, and the rest is embedded later.
func (m *Models) EmbedPending(ctx context.Context, now time.Time, limit time.Duration, progress func(memory.Progress)) (done int, err error) {
	e := m.serving.Load().Embedder
	if _, isUnavailable := e.(unavailable); isUnavailable || e.Dim() == 0 || m.isOff {
		return 0, nil
	}
	defer func() { m.noteEmbedding(context.WithoutCancel(ctx), now, done, err) }()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, &embedLimitError{e.Model(), limit})
		defer cancel()
		m.mu.Lock()
		m.embedBatches.startSmall() // a slow server finishes a small batch in time
		m.mu.Unlock()
	}
	if kept := m.KeptEmbedder(); kept != nil {
		done, err = m.fillKept(ctx, kept, true)
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil || !isChosen(e) { // ChangeModel embeds with the serving one
			return done, err
		}
	}
	n, err := m.embedAll(ctx, e, progress)
	return max(done, n), err
}

// isChosen reports whether a person chose a gradual model, and so waits for its vectors.
func isChosen(e embed.Embedder) bool {
	g, isGradual := e.(embed.Gradual)
	return isGradual && g.IsChosen()
}

// embedAll embeds all chunks that have no vector of the serving model e.
func (m *Models) embedAll(ctx context.Context, e embed.Embedder, progress func(memory.Progress)) (done int, err error) {
	total, err := m.unembedded(ctx, e)
	if err != nil || total == 0 {
		return 0, err
	}
	for ctx.Err() == nil {
		n, err := m.embedNext(ctx, e)
		if err != nil && ctx.Err() != nil {
			return done, context.Cause(ctx)
		}
		if n == 0 || err != nil {
			return done, err
		}
		done += n
		progress(memory.Progress{Stage: "embed", Done: done, Total: max(total, done)})
	}
	return done, context.Cause(ctx)
}

// pendingCount counts the chunks whose vector is yet to be made. While another model answers,
// those count that it lacks, unless a person waits for the serving one.
func (m *Models) pendingCount(ctx context.Context, e embed.Embedder) (int, error) {
	if kept := m.KeptEmbedder(); kept != nil && !isChosen(e) {
		lacking, err := m.db.LackingKept(ctx, kept.Model(), true, maxBatch, !kept.Remote())
		return len(lacking), err
	}
	return m.unembedded(ctx, e)
}

// unembedded counts the chunks that the embedder has yet to embed.
func (m *Models) unembedded(ctx context.Context, e embed.Embedder) (int, error) {
	return m.db.PendingCount(ctx, e.Model(), !e.Remote())
}

// embedNext embeds a batch while no other caller does: two would embed the same texts.
func (m *Models) embedNext(ctx context.Context, e embed.Embedder) (int, error) {
	select {
	case m.embedToken <- struct{}{}:
		defer func() { <-m.embedToken }()
		return m.embedBatch(ctx, e)
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

func (m *Models) embedBatch(ctx context.Context, e embed.Embedder) (int, error) {
	start := time.Now()
	m.mu.Lock()
	size := m.embedBatches.size()
	m.mu.Unlock()
	chunks, err := m.db.Pending(ctx, e.Model(), size, !e.Remote()) // private texts never leave this machine
	if err != nil || len(chunks) == 0 {
		return 0, err
	}
	vectors, err := m.embedChunks(ctx, e, chunks)
	if err != nil {
		return 0, err
	}
	err = m.db.PutPending(ctx, e.Model(), vectors)
	m.mu.Lock()
	m.embedBatches.adjust(time.Since(start), e)
	m.mu.Unlock()
	return len(chunks), err
}

// batchSizer chooses how many texts to embed at once, so that a batch of any model
// takes about the wished time.
type batchSizer struct{ n int }

// A batch faster than shortStep could have been larger; one slower than longStep
// delays queries that share the processor with it. A sentence transformer embeds
// minBatch texts at once in no more time than one. maxBatch bounds the length of a
// batch's transaction: larger ones write fewer pages. maxServerBatch bounds what a
// server that fails loses.
const (
	shortStep      = 100 * time.Millisecond
	longStep       = 400 * time.Millisecond
	firstBatch     = 32
	minBatch       = 8
	maxServerBatch = 256
	maxBatch       = 2048
)

func (b *batchSizer) size() int {
	if b.n == 0 {
		b.n = firstBatch
	}
	return b.n
}

// startSmall makes the first batch the smallest, unless there was one already.
func (b *batchSizer) startSmall() {
	if b.n == 0 {
		b.n = minBatch
	}
}

func (b *batchSizer) adjust(d time.Duration, e embed.Embedder) {
	most := maxBatch
	if embed.UsesServer(e) {
		most = maxServerBatch
	}
	switch {
	case d < shortStep:
		b.n = min(2*b.n, most)
	case d > longStep:
		b.n = max(b.n/2, minBatch)
	}
}
