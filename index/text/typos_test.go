package text_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/internal/must"
)

// vocabulary is a list of tokens, the most frequent first.
type vocabulary []string

func (v vocabulary) Contains(_ context.Context, token string) (bool, error) {
	return slices.Contains(v, token), nil
}

func (v vocabulary) EachWithPrefix(_ context.Context, prefix string, yield func(string, int)) error {
	for i, token := range v {
		if strings.HasPrefix(token, prefix) {
			yield(token, len(v)-i)
		}
	}
	return nil
}

func TestCorrectTypos(t *testing.T) {
	known := vocabulary{"harbour", "harbor", "sail", "said", "kettl", "kettle", "postgr", "posture", "mailbox", "tide"}
	for _, c := range []struct {
		word, want string // the corrections, the best first
	}{
		{"harbuor", "harbour harbor"}, // swapped letters are one error, and so is a missing one
		{"saill", "sail"},             // "said" differs by two
		{"mailboxes", ""},             // known by its stem
		{"xarbour", ""},               // another first letter
		{"tid", ""},                   // too short
		{"mialbxo", ""},               // two errors, 7 characters
		{"mailbxos", "mailbox"},       // two errors of 8 characters
	} {
		terms := text.CompileTerms([]memory.Term{{Text: c.word}})
		must.Do(t, text.CorrectTypos(t.Context(), known, terms))
		var got []string
		for _, e := range terms[0].Expansions {
			got = append(got, e.Token)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q (token %s) is corrected to %q, want %q", c.word, terms[0].Tokens[0], got, c.want)
		}
	}
}

func TestWordsWithKnownExpansionsAreNotCorrected(t *testing.T) {
	terms := text.CompileTerms([]memory.Term{{Text: "harbuor", Expansions: []memory.Expansion{{Text: "sail", Weight: 0.5}}},
		{Text: "harbuor-1", Kind: memory.TermIdentifier}})
	must.Do(t, text.CorrectTypos(t.Context(), vocabulary{"harbour", "sail"}, terms))
	if len(terms[0].Expansions) != 1 || len(terms[1].Expansions) != 0 {
		t.Errorf("corrected: %+v", terms)
	}
}

func TestUnknownCodesMatchTheirPartsInARow(t *testing.T) {
	known := vocabulary{"e", "4471", "inc2041", "rev30042"}
	for _, c := range []struct{ code, want string }{
		{"E4471", "e 4471"},
		{"RAL5014", "ral 5014"},
		{"INC2041", "inc2041"}, // known
		{"rev3004", "rev3004"}, // the beginning of a known one
		{"sha256", "sha256"},   // a word
	} {
		terms := text.CompileTerms([]memory.Term{{Text: c.code, Kind: memory.TermIdentifier}})
		must.Do(t, text.CorrectTypos(t.Context(), known, terms))
		if got := strings.Join(terms[0].Tokens, " "); got != c.want {
			t.Errorf("%s is searched as %q, want %q", c.code, got, c.want)
		}
	}
}

func TestFewerErrorsAndFrequentTokensComeFirst(t *testing.T) {
	terms := text.CompileTerms([]memory.Term{{Text: "mailboxx"}})
	must.Do(t, text.CorrectTypos(t.Context(), vocabulary{"mailbot", "mailbok", "mailbos", "mailbox"}, terms))
	want := []text.Expansion{{Text: "mailbox", Token: "mailbox", Weight: 0.8}, {Text: "mailbot", Token: "mailbot", Weight: 0.6}, {Text: "mailbok", Token: "mailbok", Weight: 0.6}}
	if !slices.Equal(terms[0].Expansions, want) {
		t.Errorf("got %+v, want %+v", terms[0].Expansions, want)
	}
}

type broken struct{ vocabulary }

var errBroken = errors.New("broken")

func (broken) Contains(context.Context, string) (bool, error) { return false, errBroken }

func TestCorrectTyposReturnsTheErrorOfTheVocabulary(t *testing.T) {
	if err := text.CorrectTypos(t.Context(), broken{}, text.CompileTerms([]memory.Term{{Text: "harbuor"}})); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}
