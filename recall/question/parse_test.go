package question_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/question"
)

// formatTerms returns terms as text: words plain, identifiers in <>, CJK in «».
func formatTerms(terms []memory.Term) string {
	var out []string
	for _, t := range terms {
		switch t.Kind {
		case memory.TermIdentifier:
			out = append(out, "<"+t.Text+">")
		case memory.TermCJK:
			out = append(out, "«"+t.Text+"»")
		default:
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestParseExtractsTerms(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"stop words are dropped", "Where did we put the staging database?", "put staging database"},
		{"stop words alone are kept", "who are you", "who are you"},
		{"a possessive", "Emil's teacher and Lena’s desk", "emil teacher lena desk"},
		{"repeated words", "deploy Deploy DEPLOY", "deploy"},
		{"a path", "what is in internal/alarm/evaluate.go?", "<internal/alarm/evaluate.go> internal alarm evaluate"},
		{"paths that begin with punctuation", "(/etc/hosts), ~/.config/nvim and .env", "</etc/hosts> <~/.config/nvim> <.env> hosts config nvim env"},
		{"error codes", "TW-2107 or ERR_GRIB_TRUNCATED!", "<TW-2107> <ERR_GRIB_TRUNCATED> err grib truncated"},
		{"versions and hashes", "v2026.12, 1.2.3, 9f3c1e7a", "<v2026.12> <1.2.3> <9f3c1e7a>"},
		{"an address", "mail signe.dahl@portesbjerg.example.", "<signe.dahl@portesbjerg.example> mail signe dahl portesbjerg example"},
		{"a URL", "see https://staging.tidewatch.example/a?b=1.", "<https://staging.tidewatch.example/a?b=1> https staging tidewatch example"},
		{"a flag", "run with --dry-run please", "<--dry-run> run dry"},
		{"a UUID", "3f8a91c2-b7d0-4a11-8c00-0123456789ab", "<3f8a91c2-b7d0-4a11-8c00-0123456789ab>"},
		{"a compound is words", "well-known two-way SMS", "well known two way sms"},
		{"an ordinal is a word", "the 2nd floor, 3rd try", "2nd floor 3rd try"},
		{"C++ and C#", "C++ or C#", "<C++> <C#>"},
		{"Chinese with a Latin word", "把Nekuig部署到", "«把» nekuig «部署到»"},
		{"Japanese without particles", "金沢のどこに行きますか", "«金沢» «のどこに» «行» «きますか»"},
		{"Korean", "배포는 언제", "«배포는» «언제»"},
		{"German function words", "Welches Aktenzeichen hat die Anzeige?", "aktenzeichen anzeige"},
		{"Spanish function words", "¿Hay leche?", "leche"},
		{"German umlauts", "Wo ist die Küche?", "küche"},
		{"full width and half width", "ＡＢＣ銀行、ＨＹＤ－３３１２、ｻｰﾊﾞｰ？", "<HYD-3312> abc «銀行» hyd «サーバー»"},
		{"symbols alone", "🚀 👍🏽", "🚀 👍"},
		{"a symbol and stop words", "who is 🦊?", "🦊"},
		{"symbols beside words", "🚀 launch plan", "launch plan"},
		{"FTS5 syntax is text", `"quoted" AND NEAR(a b) col:x* OR -not ^start`, "<col:x> quoted near col start"},
		{"control characters", "a\x00deploy\x1b[31m\tport", "<31m> deploy port"},
		{"hidden characters", "de\u200bploy", "deploy"},
		{"punctuation alone", "?!… — ///", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := formatTerms(question.Parse(tt.in).Terms); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestParseKeepsHeadAndTailOfALongText(t *testing.T) {
	text := "firstword " + strings.Repeat("log line with ordinary words ", 40_000) + " lastword"
	q := question.Parse(text)
	if !strings.HasPrefix(q.Text, "firstword ") || !strings.HasSuffix(q.Text, " lastword") {
		t.Errorf("the text begins with %.20q and ends with %q", q.Text, q.Text[len(q.Text)-20:])
	}
	if n := utf8.RuneCountInString(q.Text); n > 6000 || n < 5990 {
		t.Errorf("%d characters, want 6000", n)
	}
	got := formatTerms(q.Terms)
	if !strings.HasPrefix(got, "firstword") || !strings.HasSuffix(got, "lastword") {
		t.Errorf("terms %s: want the first and the last word", got)
	}
}

func TestParseKeepsIdentifiersAmongManyWords(t *testing.T) {
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "word%c%c ", 'a'+i%26, 'a'+i/26)
	}
	q := question.Parse(text.String()[:1200] + " TW-2107 " + text.String()[1200:])
	if len(q.Terms) > 64 || !slices.ContainsFunc(q.Terms, func(t memory.Term) bool { return t.Text == "TW-2107" && t.Kind == memory.TermIdentifier }) {
		t.Errorf("TW-2107 is not among %d terms: %s", len(q.Terms), formatTerms(q.Terms))
	}
}

func TestParseReservesHalfOfTheTermsForIdentifiers(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "ERR-%d word%c%c ", i, 'a'+i%26, 'a'+i/26)
	}
	n := map[memory.TermKind]int{}
	for _, term := range question.Parse(text.String()).Terms {
		n[term.Kind]++
	}
	if n[memory.TermIdentifier] != 32 || n[memory.TermWord] != 32 {
		t.Errorf("%d identifiers and %d words, want 32 each", n[memory.TermIdentifier], n[memory.TermWord])
	}
}

func TestParseKeepsFiveHundredCharactersOfTheHead(t *testing.T) {
	q := question.Parse(strings.Repeat("tide ", 98) + "inside " + strings.Repeat("flood ", 2) + "outside " + strings.Repeat("ebb ", 3000))
	if !strings.Contains(q.Text, "inside") || strings.Contains(q.Text, "outside") {
		t.Errorf("the head ends with %.40q", q.Text[470:])
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "where is /etc/hosts?", `" OR 1 NEAR(`, "a\x00b", "\xff\xfe", "把Nekuig部署到", "C++ --x -- ~ .. ./.", "’s 's", "ﾊﾞ\u0301", strings.Repeat("ab-1 ", 2000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := question.Parse(s)
		if !utf8.ValidString(q.Text) || strings.ContainsAny(q.Text, "\x00\n\r\x1b") || utf8.RuneCountInString(q.Text) > 6000 {
			t.Errorf("text %q", q.Text)
		}
		if len(q.Terms) > 64 {
			t.Errorf("%d terms", len(q.Terms))
		}
		seen := map[string]bool{}
		for _, term := range q.Terms {
			key := strings.ToLower(term.Text)
			if strings.TrimSpace(term.Text) == "" || strings.ContainsAny(term.Text, " \x00") || seen[key] {
				t.Errorf("term %q in %q", term.Text, formatTerms(q.Terms))
			}
			seen[key] = true
		}
		question.IsTrivial(s)
	})
}
