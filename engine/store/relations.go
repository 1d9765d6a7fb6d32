package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/wording"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/recall/notation"
	"github.com/memory-tiered/memory/recall/question"
)

// Related is a known memory that a new text may repeat or replace.
type Related struct {
	memory.Memory
	capture.Relation
	Exact      bool   // it says the same in the same words
	Holds      bool   // it is superseded by a memory that no request of the author gets
	Unrecalled string // why no recall gives it any more; see [unrecalledReason]
	Similarity *float64
}

// Found is the memories that are most like a text.
type Found struct {
	List    []Related // those in the same words first
	NoEmbed string    // why vectors were not compared; empty: they were
}

// SameAs returns the first memory that says the same, but for one. A memory that no recall
// gives any more is none: what is said again holds again.
func (f Found) SameAs(except memory.ID) (Related, bool) {
	return f.first(func(m Related) bool { return m.Same && m.ID != except && m.Unrecalled == "" })
}

// ForgottenSame returns the first forgotten memory that says the same.
func (f Found) ForgottenSame() (Related, bool) {
	return f.first(func(m Related) bool { return m.Same && m.Forgotten })
}

// UnrecalledSame returns the first memory that says the same, and that no recall gives any more.
func (f Found) UnrecalledSame() (Related, bool) {
	return f.first(func(m Related) bool { return m.Same && m.Unrecalled != "" })
}

func (f Found) first(accept func(Related) bool) (Related, bool) {
	i := slices.IndexFunc(f.List, accept)
	if i < 0 {
		return Related{}, false
	}
	return f.List[i], true
}

// unrecalledReason returns why no recall gives a memory any more, unless it is asked to: it is
// expired, archived, or marked as outdated. Otherwise it returns "".
func unrecalledReason(m memory.Memory, now time.Time) string {
	switch {
	case m.Forgotten || m.Missing:
		return ""
	case m.SourceHidden != "":
		return "hidden with its source"
	case m.ExpiresAt != nil && !m.ExpiresAt.After(now):
		return memory.ReasonExpired
	case m.Tier == memory.TierArchive:
		return memory.ReasonArchived
	case notation.Marks{}.Of(&m) == notation.Outdated:
		return memory.ReasonOutdated
	}
	return ""
}

// Replaced returns the memories that a new text of an author replaces. They give another value
// to the same subject, nobody wrote them by hand or pinned them, and they have the same
// user.
func (f Found) Replaced(trust memory.TrustTier, author lookup.Author) (old []memory.Memory) {
	for _, m := range f.List {
		if m.Replaces && !m.Same && !m.Forgotten && !m.Pinned && (m.SupersededBy == nil || m.Holds) && author.Owns(m.Memory) &&
			mayReplace(trust, m.Memory) {
			old = append(old, m.Memory)
		}
	}
	return old
}

// mayReplace reports whether a text of this trust may change a memory without a
// person's decision.
func mayReplace(trust memory.TrustTier, m memory.Memory) bool {
	rank := func(t memory.TrustTier) int { return slices.Index(memory.TrustTiers, t) }
	return (m.Source == memory.SourceAutoCapture || m.Source == memory.SourceTool) && m.Trust != memory.TrustQuarantined && rank(trust) <= rank(m.Trust)
}

// ComparePreference puts the memory first that should stay of two that say the
// same. That is the more trusted one, then a person's own, then the longer one.
func ComparePreference(a, b memory.Memory) int {
	byHand := func(m memory.Memory) int {
		if m.Source == memory.SourceFile {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(slices.Index(memory.TrustTiers, a.Trust), slices.Index(memory.TrustTiers, b.Trust)),
		cmp.Compare(byHand(a), byHand(b)), cmp.Compare(len(b.Text), len(a.Text)))
}

// compareWithin is how long the model may take for the vector of a text.
const compareWithin = 2 * time.Second

// Finder compares new texts with the memories of an index.
type Finder struct {
	DB           *index.DB
	Models       *embedding.Models
	Deduplicator capture.SemanticDeduplicator
}

// similarLimit is the number of memories of each lane to compare with.
const similarLimit = 20

// Find returns the memories that are most like a text of an author. It includes
// forgotten ones, so that a paraphrase of a forgotten text does not come back. Against
// those it errs towards the same: a text with one word more is a copy.
func (f Finder) Find(ctx context.Context, now time.Time, text string, by lookup.Author) (found Found, err error) {
	line := wording.Visible(text)
	query := question.Parse(line)
	model := f.Models.AnsweringEmbedder(ctx)
	query.Vector, found.NoEmbed = embedCandidate(ctx, model, line)
	if query.Vector != nil {
		query.Model = model.Model()
	}
	p := memory.Predicate{View: memory.View{Users: by.Compared(), Scope: by.Scope}, Archive: true, Forgotten: memory.Include}
	similar, err := f.DB.Search(ctx, query, p, 2*similarLimit, true)
	if errors.Is(similar.VectorError, memory.ErrUnavailable) {
		found.NoEmbed = similar.VectorError.Error()
	} else {
		err = cmp.Or(err, similar.VectorError)
	}
	if err != nil {
		return found, err
	}
	cosines, ids := map[memory.ID]float64{}, []memory.ID{}
	for _, n := range similar.Nearest[:min(similarLimit, len(similar.Nearest))] {
		cosines[n.ID] = n.Raw
		ids = append(ids, n.ID)
	}
	for _, n := range similar.ByWords(similarLimit) {
		if _, listed := cosines[n.ID]; !listed {
			ids = append(ids, n.ID)
		}
	}
	equal, err := f.presentWithText(ctx, text)
	if err != nil {
		return found, err
	}
	memories, err := f.DB.Visible(ctx, append(equal, ids...), p)
	if err != nil {
		return found, err
	}
	compareWithoutTopics(ctx, model, query.Vector, memories, cosines)
	relations, err := f.Compare(ctx, text, memories, cosines)
	if err != nil {
		return found, err
	}
	holding, err := f.DB.Visible(ctx, ids, memory.Predicate{View: recall.Pushed(p.View, now)})
	if err != nil {
		return found, err
	}
	print := chunker.Fingerprint(text)
	for i, m := range memories {
		one := Related{Memory: m, Relation: relations[i], Exact: m.Fingerprint == print, Unrecalled: unrecalledReason(m, now)}
		one.Holds = m.SupersededBy != nil && slices.ContainsFunc(holding, func(h memory.Memory) bool { return h.ID == m.ID })
		if cosine, known := cosines[m.ID]; known {
			one.Similarity = &cosine
		}
		one.Same = one.Same || one.Exact || strings.EqualFold(line, wording.Visible(m.Text)) || m.Forgotten && wording.Repeats(text, m.Text)
		found.List = append(found.List, one)
	}
	slices.SortStableFunc(found.List, func(a, b Related) int { return cmp.Compare(rank(a), rank(b)) })
	return found, nil
}

// Compare asks the deduplicator how a text relates to some memories. cosines may lack
// some of them.
func (f Finder) Compare(ctx context.Context, text string, memories []memory.Memory, cosines map[memory.ID]float64) ([]capture.Relation, error) {
	known := make([]capture.Known, len(memories))
	for i, m := range memories {
		known[i] = capture.Known{Memory: m, Cosine: cosines[m.ID]}
	}
	relations, err := f.Deduplicator.Compare(ctx, text, known)
	if err == nil && len(relations) != len(known) {
		err = fmt.Errorf("it returned %d relations for %d memories", len(relations), len(known))
	}
	if err != nil {
		return nil, fmt.Errorf("compare with similar memories: %w", err)
	}
	return relations, nil
}

// rank puts the same words before similar ones.
func rank(m Related) int {
	if m.Exact {
		return 0
	}
	return 1
}

// presentWithText returns the present memories with exactly this text.
func (f Finder) presentWithText(ctx context.Context, text string) (ids []memory.ID, err error) {
	print := chunker.Fingerprint(text)
	known, err := f.DB.Known(ctx, identity.KnownQuery{Fingerprints: []memory.Fingerprint{print}})
	for _, k := range known {
		if k.Fingerprint == print && !k.Missing {
			ids = append(ids, k.ID)
		}
	}
	return ids, err
}

// embedCandidate returns the vector of a text by a model, or why there is none.
func embedCandidate(ctx context.Context, model embed.Embedder, text string) (vector []float32, noEmbed string) {
	if embedding.IsUnavailable(model) || model.Dim() == 0 {
		return nil, "no embedding provider"
	}
	ctx, cancel := context.WithTimeout(ctx, compareWithin)
	defer cancel()
	vectors, err := model.Embed(ctx, embed.Passage, []string{text})
	if err != nil || len(vectors) != 1 {
		return nil, "the embedding provider did not answer"
	}
	return vectors[0], ""
}

// leastCompared is the cosine from which a memory's text may be the same as another one.
// A topic in its vector lowers a cosine of 0.95 to 0.91.
const leastCompared = 0.9

// compareWithoutTopics replaces the high cosines of memories under a topic, which their
// vectors contain, by those of their texts alone. A server embeds no topics. If the model
// fails, the cosines stay.
func compareWithoutTopics(ctx context.Context, model embed.Embedder, vector []float32, memories []memory.Memory, cosines map[memory.ID]float64) {
	var ids []memory.ID
	var texts []string
	for _, m := range memories {
		if cosines[m.ID] >= leastCompared && len(m.Text) <= memory.MaxChunk && len(chunker.Topics(m.Heading)) > 0 {
			ids, texts = append(ids, m.ID), append(texts, m.Text)
		}
	}
	if len(texts) == 0 || model.Remote() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, compareWithin)
	defer cancel()
	vectors, err := embedding.EmbedTexts(ctx, model, texts)
	if err != nil {
		return
	}
	for i, id := range ids {
		cosines[id] = embed.Cosine(vector, vectors[i])
	}
}
