package chunker_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/property"
)

func TestEveryByteIsInExactlyOneSpan(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		src := []byte(markdown().Draw(r, "src"))
		defer timeLimit(maxDuration, string(src))()
		body := rapid.IntRange(0, len(src)).Draw(r, "body")
		mustParse(t, src, rapid.SampledFrom([]int{0, body}).Draw(r, "from"))
	})
}

func FuzzParseCoversEveryByte(f *testing.F) {
	for _, s := range append(fragments, strings.Join(fragments, "\n"), strings.Join(fragments, "\n\n")) {
		f.Add([]byte(s), 0)
	}
	f.Fuzz(func(t *testing.T, src []byte, body int) {
		defer timeLimit(maxDuration, string(src))()
		mustParse(t, src, max(0, min(body, len(src))))
	})
}

func TestBodyStartOutsideTheFileIsClamped(t *testing.T) {
	for _, body := range []int{5, 100} {
		if got := chunker.Blocks([]byte("- abc"), body); got != nil {
			t.Errorf("body at %d: got %+v", body, got)
		}
	}
	if got := chunker.Blocks([]byte("- abc"), -1); len(got) != 1 || chunker.Blocks(nil, 0) != nil {
		t.Errorf("got %+v", got)
	}
}

func TestSpansCountFromTheFirstByteOfTheFile(t *testing.T) {
	src := []byte("\uFEFF---\ntier: hot\n---\n\n- one\n- two\n")
	body := bytes.Index(src, []byte("\n\n")) + 1
	got := chunker.Blocks(src, body)
	if len(got) != 2 || got[0].LineStart != 5 || string(src[got[1].Start:got[1].End]) != "- two" || got[1].LineEnd != 6 {
		t.Errorf("got %+v", got)
	}
}

// TestLineEndsDoNotChangeBlocks compares CRLF and a lone carriage return with
// line feeds.
func TestLineEndsDoNotChangeBlocks(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		src := markdown().Draw(r, "src")
		defer timeLimit(maxDuration, src)()
		want := chunker.Parse([]byte(src), 0)
		for _, end := range []string{"\r\n", "\r"} {
			other := []byte(strings.ReplaceAll(src, "\n", end))
			got := mustParse(t, other, 0)
			if len(got.Skipped) != len(want.Skipped) || !slices.EqualFunc(got.Blocks, want.Blocks, equalContent) {
				t.Fatalf("%q has blocks %q, with line ends %q %q", src, texts(want.Blocks), end, texts(got.Blocks))
			}
		}
	})
}

// equalContent compares two blocks without their positions.
func equalContent(a, b memory.Block) bool {
	a.Start, a.End, a.LineStart, a.LineEnd = b.Start, b.End, b.LineStart, b.LineEnd
	return reflect.DeepEqual(a, b)
}

// TestEditInsideOneBlockChangesNoOtherBlock inserts a letter into a word of one
// block.
func TestEditInsideOneBlockChangesNoOtherBlock(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		src := markdown().Draw(r, "src")
		defer timeLimit(maxDuration, src)()
		before := chunker.Blocks([]byte(src), 0)
		at := rapid.IntRange(0, len(src)).Draw(r, "at")
		edited := slices.IndexFunc(before, func(b memory.Block) bool { return b.Start < at && at < b.End })
		if edited < 0 || !isLetter(src[at-1]) || !isLetter(src[at]) {
			return
		}
		if line := src[strings.LastIndexByte(src[:at], '\n')+1 : at]; strings.Contains(line, "<") || before[edited].Kind == memory.KindHTML {
			return // the name of an HTML tag decides where its block ends
		}
		after := chunker.Blocks([]byte(src[:at]+"q"+src[at:]), 0)
		if len(before) != len(after) {
			t.Fatalf("%q has blocks %q, with a letter at %d %q", src, texts(before), at, texts(after))
		}
		for i := range before {
			if i != edited && (before[i].Fingerprint != after[i].Fingerprint || !reflect.DeepEqual(before[i].Annotations, after[i].Annotations)) {
				t.Fatalf("a letter at %d of %q changed %q to %q", at, src, before[i].Text, after[i].Text)
			}
		}
	})
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func TestBlocksIsSafeForConcurrentUse(t *testing.T) {
	src := []byte(strings.Join(fragments[:60], "\n"))
	want := chunker.Blocks(src, 0)
	done := make(chan []memory.Block)
	for range 4 {
		go func() { done <- chunker.Blocks(src, 0) }()
	}
	for range 4 {
		if got := <-done; !reflect.DeepEqual(got, want) {
			t.Error("a concurrent call returned other blocks")
		}
	}
}
