package ingest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/ingest"
)

// TestQuoteIsComparedWithFewLinesOfOnePattern has thousands of lines that share most
// words. Comparing each quote with each line once took minutes.
func TestQuoteIsComparedWithFewLinesOfOnePattern(t *testing.T) {
	const most = 2000 // comparisons of one quote
	for _, n := range []int{300, 3000, 6000} {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("Service x%d runs on the host y%d of the new rack", i, i))
		}
		if compared, match := ingest.ComparedWith(lines, nil, "Service 7 runs on the host 7 of"); compared > most || match >= 0 {
			t.Errorf("%d lines: compared with %d, matches %d", n, compared, match)
		}
		// A quote with a rare word finds its line among all of them.
		if compared, match := ingest.ComparedWith(lines, nil, "Service x7 runs on an host y7 of"); compared > most || match != 7 {
			t.Errorf("%d lines, a rare word: compared with %d, matches %d", n, compared, match)
		}
		// So does one whose rare words were edited, if the other lines have their entries.
		others := slices.Delete(slices.Clone(lines), 7, 8)
		if compared, match := ingest.ComparedWith(lines, others, "Service 7 runs on the host y7b of"); compared != 1 || match != 7 {
			t.Errorf("%d lines, all others matched: compared with %d, matches %d", n, compared, match)
		}
	}
}

// TestQuoteOfFrequentWordsFindsItsLine has a line whose words are all frequent. No other
// line has most of them.
func TestQuoteOfFrequentWordsFindsItsLine(t *testing.T) {
	words := []string{"deploy", "staging", "server", "friday", "noon", "backup", "harbour", "ledger", "window", "river", "lantern", "copper"}
	var lines []string
	for i := range 2400 {
		lines = append(lines, fmt.Sprintf("%s %s n%d k%d", words[i%12], words[(i/12+1+i)%12], i, i))
	}
	lines = append(lines, "deploy the staging server friday noon backup")
	if compared, match := ingest.ComparedWith(lines, nil, "deploy staging server friday noon harbour"); compared > 2000 || match != len(lines)-1 {
		t.Errorf("compared with %d, matches %d", compared, match)
	}
}
