package marks

import (
	"context"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/chunker/quote"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/internal/wording"
)

// Gone finds what repeats a forgotten text that is in no file any more, or a part of it.
// A person may have made a heading of it, and a heading has no decision of its own. A new
// index knows only the beginning of such a text: the quote of the decision's line.
type Gone struct {
	runs  map[string][]goneText // by each run of shortTextWords words
	whole map[string]bool       // short texts, by their words, that only a line knows
}

type goneText struct {
	words   []string
	isStart bool // the text may go on
}

// minWordsOfLine is how many words a heading must have to repeat a short text of which
// only a line is known. One word may be any heading.
const minWordsOfLine = 2

// The decisions of one user and those about one memory cover no heading, because it
// may be a copy.
const (
	selectGone = `SELECT m.text FROM memories m WHERE m.do_not_inject = 1 AND m.missing_since IS NOT NULL AND m.user = ''
		AND NOT coalesce(json_extract(m.sidecar, '$.only'), 0) AND NOT coalesce(json_extract(m.inherited, '$.only'), 0)
		AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.about = m.id AND json_extract(e.declared, '$.only'))`
	selectForgettingLines = `SELECT e.quote, e.about = '', iif(m.missing_since IS NULL, coalesce(m.text, ''), '')
		FROM entries e LEFT JOIN memories m ON m.id = e.about
		WHERE e.quote <> '' AND json_extract(e.declared, '$.forgotten') AND coalesce(m.do_not_inject, 1)
		AND NOT coalesce(json_extract(e.declared, '$.only'), 0) AND coalesce(json_extract(e.declared, '$.user'), m.user, '') = ''`
)

// ReadGone reads the forgotten texts that are gone.
func ReadGone(ctx context.Context, db sqlite.Reader) (g Gone, err error) {
	g = Gone{map[string][]goneText{}, map[string]bool{}}
	err = db.Each(ctx, selectGone, nil, func(scan func(...any) error) error {
		var text string
		err := scan(&text)
		g.add(goneText{words: wording.Words(text)})
		return err
	})
	if err != nil {
		return g, err
	}
	return g, db.Each(ctx, selectForgettingLines, nil, func(scan func(...any) error) error {
		var quoted, now string
		var isUnknown bool
		if err := scan(&quoted, &isUnknown, &now); err != nil {
			return err
		}
		words := wording.Words(quoted)
		switch {
		case now != "" && containsRun(wording.Words(now), words), now != "" && quote.Fits(quoted, now): // its marks find its copies
		case len(words) >= shortTextWords:
			g.add(goneText{words, true})
		case isUnknown && len(words) >= minWordsOfLine:
			g.whole[wordsKey(words)] = true
		}
		return nil
	})
}

func (g Gone) add(t goneText) {
	for i := 0; i+shortTextWords <= len(t.words); i++ {
		key := wordsKey(t.words[i : i+shortTextWords])
		g.runs[key] = append(g.runs[key], t)
	}
}

// IsEmpty reports whether no forgotten text is gone.
func (g Gone) IsEmpty() bool { return len(g.runs) == 0 && len(g.whole) == 0 }

// Repeats reports whether all words of a text stand together in a gone text. If only its
// beginning is known, a text that begins with it repeats it too.
func (g Gone) Repeats(text string) bool {
	if g.IsEmpty() {
		return false
	}
	words := wording.Words(text)
	if len(words) < shortTextWords {
		return g.whole[wordsKey(words)]
	}
	return slices.ContainsFunc(g.runs[wordsKey(words[:shortTextWords])], func(t goneText) bool {
		return containsRun(t.words, words) || t.isStart && containsRun(words[:min(len(t.words), len(words))], t.words)
	})
}

func wordsKey(words []string) string { return strings.Join(words, " ") }

// containsRun reports whether a list contains another one as a run.
func containsRun(list, run []string) bool {
	for ; len(list) >= len(run); list = list[1:] {
		if slices.Equal(list[:len(run)], run) {
			return true
		}
	}
	return false
}
