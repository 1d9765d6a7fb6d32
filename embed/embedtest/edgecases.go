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

func checkEmptyBatch(ctx context.Context, e embed.Embedder) error {
	for _, texts := range [][]string{nil, {}} {
		if _, err := embedChecked(ctx, e, embed.Passage, texts); err != nil {
			return err
		}
	}
	return nil
}

// checkEmptyText embeds texts without words. A provider that drops them would shift
// the other vectors.
func checkEmptyText(ctx context.Context, e embed.Embedder) error {
	return checkAmongKnown(ctx, e, "", " ", "\n\t", "\x00", "\u200b")
}

// checkLongText embeds texts that are longer than any model accepts: prose, one word
// of 10,000 letters, punctuation, and ideographs. Providers must shorten them.
func checkLongText(ctx context.Context, e embed.Embedder) error {
	return checkAmongKnown(ctx, e, strings.Repeat("The cat sleeps on the chair. ", 2000),
		strings.Repeat("x", 10_000), strings.Repeat("?! ", 5000), strings.Repeat("猫", 5000))
}

func checkInvalidUTF8(ctx context.Context, e embed.Embedder) error {
	return checkAmongKnown(ctx, e, "\xff\xfe", "the cat \xc3 sleeps", "cut short \xe2\x82", "\xed\xa0\x80 surrogate", "nul \x00 byte \ufffd")
}

// checkAmongKnown embeds unusual texts alone and among known texts, whose vectors
// must not change.
func checkAmongKnown(ctx context.Context, e embed.Embedder, texts ...string) error {
	want, err := embedChecked(ctx, e, embed.Passage, knownTexts)
	if err != nil {
		return err
	}
	for _, text := range texts {
		for _, kind := range kinds {
			if _, err := embedChecked(ctx, e, kind, []string{text}); err != nil {
				return fmt.Errorf("%.20q alone: %w", text, err)
			}
		}
		got, err := embedChecked(ctx, e, embed.Passage, slices.Insert(slices.Clone(knownTexts), 2, text))
		if err != nil {
			return fmt.Errorf("%.20q among others: %w", text, err)
		}
		if err := checkEqual(want, slices.Delete(got, 2, 3)); err != nil {
			return fmt.Errorf("%.20q changes other vectors: %w", text, err)
		}
	}
	return nil
}

func checkInputUnchanged(ctx context.Context, e embed.Embedder) error {
	texts := append(slices.Clone(knownTexts), "", "\xff")
	before := slices.Clone(texts)
	if _, err := embedChecked(ctx, e, embed.Passage, texts); err != nil {
		return err
	}
	if !slices.Equal(texts, before) {
		return errors.New("the texts were modified")
	}
	return nil
}

func checkNoSharedMemory(ctx context.Context, e embed.Embedder) error {
	texts := []string{knownTexts[0], knownTexts[1], knownTexts[0]}
	want, err := embedChecked(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	modified, err := embedChecked(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	for i := range modified[0] {
		modified[0][i] = -modified[0][i]
	}
	_ = append(modified[0], 7) // must not overwrite the next vector
	if err = embed.Check(modified[1:], 2, e.Dim()); err == nil {
		err = checkEqual(want[1:], modified[1:])
	}
	if err != nil {
		return fmt.Errorf("writing to one vector changes others: %w", err)
	}
	again, err := embedChecked(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	return checkEqual(want, again)
}

// goroutines is how many goroutines embed at once: more than a machine has cores.
const goroutines = 16

func checkConcurrent(ctx context.Context, e embed.Embedder) error {
	want, err := embedChecked(ctx, e, embed.Passage, knownTexts)
	if err != nil {
		return err
	}
	errs := make([]error, goroutines)
	var wait sync.WaitGroup
	for n := range goroutines {
		wait.Go(func() {
			at := n % len(knownTexts)
			got, err := embedChecked(ctx, e, embed.Passage, knownTexts[at:])
			if err == nil {
				err = checkEqual(want[at:], got)
			}
			errs[n] = err
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func checkCancelled(ctx context.Context, e embed.Embedder) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	vectors, err := e.Embed(ctx, embed.Passage, knownTexts)
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("Embed returns %q, not the context's error", fmt.Sprint(err))
	}
	if vectors != nil {
		return errors.New("Embed returns vectors and an error")
	}
	return nil
}
