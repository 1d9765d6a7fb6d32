package embedtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/embed"
)

func emptyBatch(ctx context.Context, e embed.Embedder) error {
	for _, texts := range [][]string{nil, {}} {
		if _, err := answer(ctx, e, embed.Passage, texts); err != nil {
			return err
		}
	}
	return nil
}

// emptyText stands between others: what is left out would move them.
func emptyText(ctx context.Context, e embed.Embedder) error {
	return between(ctx, e, "", " ", "\n\t", "\x00", "\u200b")
}

// longText is a book's page without end, a word of 10,000 letters, and marks
// alone: more than any model takes at once. They are cut, not refused.
func longText(ctx context.Context, e embed.Embedder) error {
	return between(ctx, e, strings.Repeat("The cat sleeps on the chair. ", 2000),
		strings.Repeat("x", 10_000), strings.Repeat("?! ", 5000), strings.Repeat("猫", 5000))
}

func invalidText(ctx context.Context, e embed.Embedder) error {
	return between(ctx, e, "\xff\xfe", "the cat \xc3 sleeps", "cut short \xe2\x82", "\xed\xa0\x80 surrogate", "nul \x00 byte \ufffd")
}

// between embeds odd texts among known ones, which must come out as if alone.
func between(ctx context.Context, e embed.Embedder, odd ...string) error {
	want, err := answer(ctx, e, embed.Passage, known)
	if err != nil {
		return err
	}
	for _, text := range odd {
		for _, kind := range kinds {
			if _, err := answer(ctx, e, kind, []string{text}); err != nil {
				return fmt.Errorf("%.20q alone: %w", text, err)
			}
		}
		got, err := answer(ctx, e, embed.Passage, slices.Insert(slices.Clone(known), 2, text))
		if err != nil {
			return fmt.Errorf("%.20q among others: %w", text, err)
		}
		if err := same(want, slices.Delete(got, 2, 3)); err != nil {
			return fmt.Errorf("%.20q changes the others: %w", text, err)
		}
	}
	return nil
}

func leavesInputAlone(ctx context.Context, e embed.Embedder) error {
	texts := append(slices.Clone(known), "", "\xff")
	before := slices.Clone(texts)
	if _, err := answer(ctx, e, embed.Passage, texts); err != nil {
		return err
	}
	if !slices.Equal(texts, before) {
		return errors.New("the texts were changed")
	}
	return nil
}

func ownMemory(ctx context.Context, e embed.Embedder) error {
	texts := []string{known[0], known[1], known[0]}
	want, err := answer(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	spoiled, err := answer(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	for i := range spoiled[0] {
		spoiled[0][i] = -spoiled[0][i]
	}
	_ = append(spoiled[0], 7) // must not write into the next
	if err = embed.Check(spoiled[1:], 2, e.Dim()); err == nil {
		err = same(want[1:], spoiled[1:])
	}
	if err != nil {
		return fmt.Errorf("writing into one vector changes the others: %w", err)
	}
	again, err := answer(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	return same(want, again)
}

// askers is how many ask at once: more than a machine has cores.
const askers = 16

func concurrent(ctx context.Context, e embed.Embedder) error {
	want, err := answer(ctx, e, embed.Passage, known)
	if err != nil {
		return err
	}
	errs := make([]error, askers)
	var wait sync.WaitGroup
	for n := range askers {
		wait.Go(func() {
			at := n % len(known)
			got, err := answer(ctx, e, embed.Passage, known[at:])
			if err == nil {
				err = same(want[at:], got)
			}
			errs[n] = err
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func cancelled(ctx context.Context, e embed.Embedder) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	vectors, err := e.Embed(ctx, embed.Passage, known)
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("Embed gives %q, not the context's error", fmt.Sprint(err))
	}
	if vectors != nil {
		return errors.New("there are vectors beside the error")
	}
	return nil
}
