package text_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/text"
)

func TestCompileTerms(t *testing.T) {
	for _, c := range []struct {
		name string
		in   memory.Term
		want []text.Term
	}{
		{"a word is stemmed", memory.Term{Text: "Deploying"}, []text.Term{{Text: "Deploying", Tokens: []string{"deploi"}}}},
		{"an identifier matches longer ones", memory.Term{Text: "ERR_CONN-4200", Kind: memory.TermIdentifier},
			[]text.Term{{Text: "ERR_CONN-4200", Tokens: []string{"err", "conn", "4200"}, Prefix: true, Literal: "err_conn-4200"}}},
		{"an identifier with a short end does not", memory.Term{Text: "ERR-42", Kind: memory.TermIdentifier},
			[]text.Term{{Text: "ERR-42", Tokens: []string{"err", "42"}, Literal: "err-42"}}},
		{"an unspaced script becomes bigrams", memory.Term{Text: "部署到", Kind: memory.TermCJK},
			[]text.Term{{Text: "部署", Tokens: []string{"部署"}, PartsOnly: true}, {Text: "署到", Tokens: []string{"署到"}, PartsOnly: true}}},
		{"one character begins a bigram", memory.Term{Text: "境", Kind: memory.TermCJK},
			[]text.Term{{Text: "境", Tokens: []string{"境"}, PartsOnly: true, Prefix: true}}},
		{"mixed scripts are cut", memory.Term{Text: "把Go"},
			[]text.Term{{Text: "把", Tokens: []string{"把"}, PartsOnly: true, Prefix: true}, {Text: "Go", Tokens: []string{"go"}}}},
		{"an umlaut may be two letters", memory.Term{Text: "Schlüssel"},
			[]text.Term{{Text: "Schlüssel", Tokens: []string{"schlussel"}, Expansions: []text.Expansion{{Text: "Schluessel", Token: "schluessel", Weight: 1}}}}},
		{"an emoji has a word", memory.Term{Text: "🚀"}, []text.Term{{Text: "emoji128640", Tokens: []string{"emoji128640"}}}},
		{"a term without tokens is dropped", memory.Term{Text: "!!!"}, nil},
		{"expansions keep each token once, and not the term's own",
			memory.Term{Text: "deploy", Expansions: []memory.Expansion{{Text: "deployed", Weight: 1}, {Text: "ship", Weight: 0.5}, {Text: "ships", Weight: 0.7}, {Text: "roll out", Weight: 0.6}}},
			[]text.Term{{Text: "deploy", Tokens: []string{"deploi"}, Expansions: []text.Expansion{{Text: "ship", Token: "ship", Weight: 0.7}}}}},
	} {
		if got := text.CompileTerms([]memory.Term{c.in}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func TestCompileTermsLimitsTermsAndTheirLength(t *testing.T) {
	var many []memory.Term
	for i := range 200 {
		many = append(many, memory.Term{Text: fmt.Sprint("word", i)}, memory.Term{Text: fmt.Sprint("word", i)})
	}
	if got := text.CompileTerms(many); len(got) != 64 || got[1].Text != "word1" {
		t.Errorf("%d terms, the second %q", len(got), got[1].Text)
	}
	if got := text.CompileTerms([]memory.Term{{Text: strings.Repeat("a", 1<<20)}}); len(got) != 1 || len(got[0].Text) != 4096 {
		t.Errorf("%d terms of %d bytes", len(got), len(got[0].Text))
	}
}
