package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/internal/secrets"
)

// counts is what a capturer did with some items.
type counts struct {
	items    int
	expected int // memories that the items contain
	found    int // of these, captured
	whole    int // of those, captured without a word missing
	kept     int // captured texts
	right    int // of these, an expected memory
	secrets  int // captured texts of items that contain a secret
}

func (c counts) plus(o counts) counts {
	return counts{c.items + o.items, c.expected + o.expected, c.found + o.found, c.whole + o.whole, c.kept + o.kept, c.right + o.right, c.secrets + o.secrets}
}

// ours captures as the product does.
func ours(i item) (kept []string) {
	for _, c := range capture.Extract(i.turn()) {
		if c.Kept() {
			kept = append(kept, c.Text)
		}
	}
	return kept
}

// minOverlap is the share of an expected memory's words that a captured text needs
// to count as found.
const minOverlap = 0.6

// leaks counts the kept texts of an item with a secret that contain a word of it. The other
// sentences of a message may be kept. Where the rules of package secrets see only that there is
// a secret, and not which words it has, every kept text counts.
func leaks(i item, kept []string) (n int) {
	var secret []string
	turn, _ := i.turn()
	for _, m := range turn.Messages {
		rest := strings.Fields(secrets.Remove(m.Text))
		for _, word := range strings.Fields(m.Text) {
			if !slices.Contains(rest, word) {
				secret = append(secret, word)
			}
		}
	}
	for _, text := range kept {
		if len(secret) == 0 || slices.ContainsFunc(secret, func(word string) bool { return strings.Contains(text, word) }) {
			n++
		}
	}
	return n
}

// scoreItem compares what is kept of an item with its label.
func scoreItem(i item, kept []string) (c counts) {
	c.items, c.expected, c.kept = 1, len(i.Memories), len(kept)
	if i.Kind == "secret" {
		c.secrets = leaks(i, kept)
	}
	right := make([]bool, len(kept))
	for _, e := range i.Memories {
		found, whole := false, false
		for n, text := range kept {
			share, length := overlap(e.Text, text)
			if share < minOverlap {
				continue
			}
			found, right[n] = true, true
			whole = whole || share == 1 && length <= 2
		}
		if found {
			c.found++
		}
		if whole {
			c.whole++
		}
	}
	for _, ok := range right {
		if ok {
			c.right++
		}
	}
	return c
}

// overlap returns the share of the expected words that a text contains, and how
// many times as long the text is.
func overlap(expected, text string) (share, length float64) {
	want, got := wordsOf(expected), wordsOf(text)
	left := slices.Clone(got)
	n := 0
	for _, w := range want {
		if at := slices.Index(left, w); at >= 0 {
			left = slices.Delete(left, at, at+1)
			n++
		}
	}
	return float64(n) / float64(len(want)), float64(len(got)) / float64(len(want))
}

// wordsOf returns the words of a text in small letters; the characters where it is
// written without spaces.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \n.,;:!?\"“”„()«»。，、：！？-", r) })
	if slices.ContainsFunc([]rune(text), func(r rune) bool { return r > 0x3040 }) {
		return strings.Split(strings.Join(words, ""), "")
	}
	return words
}

// report prints one table: a row for each key.
func report(w io.Writer, title string, items []item, key func(item) string) error {
	rows := map[string]counts{}
	var all counts
	for _, i := range items {
		c := scoreItem(i, ours(i))
		rows[key(i)] = rows[key(i)].plus(c)
		all = all.plus(c)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\tturns\tto keep\tprecision\trecall\twhole\twrong\tsecrets\t\n", title)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		rows[name].print(t, name)
	}
	all.print(t, "all")
	return t.Flush()
}

func (c counts) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t\n", name, c.items, c.expected, percent(c.right, c.kept), percent(c.found, c.expected),
		percent(c.whole, c.found), c.kept-c.right, c.secrets)
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}
