package text_test

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "modernc.org/sqlite" // the keyword index to compare with

	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// fts tokenizes texts with SQLite's own tokenizer.
type fts struct{ *sql.DB }

func openFTS(t testing.TB) fts {
	t.Helper()
	db := must.Get(sql.Open("sqlite", ":memory:"))(t)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	must.Get(db.Exec(`CREATE VIRTUAL TABLE f USING fts5(t, tokenize = 'porter unicode61');
		CREATE VIRTUAL TABLE v USING fts5vocab(f, instance)`))(t)
	return fts{db}
}

func (f fts) tokens(t must.TB, in string) (out []string) {
	must.Get(f.Exec("DELETE FROM f"))(t)
	must.Get(f.Exec("INSERT INTO f(rowid, t) VALUES (1, ?)", in))(t)
	rows := must.Get(f.Query("SELECT term FROM v ORDER BY offset"))(t)
	defer rows.Close()
	for rows.Next() {
		var s string
		must.Do(t, rows.Scan(&s))
		out = append(out, s)
	}
	must.Do(t, rows.Err())
	return out
}

// Scores are computed from our tokens, so they have to be those of the keyword index.
func TestTokensEqualThoseOfFTS5(t *testing.T) {
	f := openFTS(t)
	for _, in := range []string{
		"", "…", "caresses ponies ties caress cats", "feed agreed plastered bled motoring sing conflated troubled sized",
		"hopping tanned falling hissing fizzed failing filing happy sky", "relational conditional rational valenci hesitanci",
		"digitizer conformabli radicalli differentli vileli analogousli vietnamization predication operator feudalism",
		"decisiveness hopefulness callousness formaliti sensitiviti sensibiliti analogi technology",
		"triplicate formative formalize electriciti electrical hopeful goodness",
		"revival allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent",
		"adoption homologou communism activate angulariti homologous effective bowdlerize probate rate cease controll roll",
		"Über-Größe naïve café Ångström señor Œuvre ﬁne İstanbul ὈΔΥΣΣΕΎΣ ςσ µ ſ ı ϐ Привет МОСКВА", "把Nekuig部署到生产环境 東京タワー 한국어로",
		"getUserName ERR_CONN-42 3f8a91c2b7d0 v1.61.1 ./path/to/file.go user@example.com", "a\u0301 e\u0301a cafe\u0301",
		strings.Repeat("x", 70) + "ing " + strings.Repeat("y", 60) + "ing", "is as us yes eed ed ing ies sses y ay",
	} {
		if want, got := f.tokens(t, in), text.Tokens(in); !slices.Equal(want, got) {
			t.Errorf("%q:\n got %q\nwant %q", in, got, want)
		}
	}
}

// Syllables and endings are joined at random, so that every rule of the stemmer gets
// words that nearly match it.
func TestTokensOfInventedWordsEqualThoseOfFTS5(t *testing.T) {
	f := openFTS(t)
	stems := strings.Fields("a o y tr hop happ rel oper commun st s ss l ll z sky ye by activ digit analog sens eq qu bow wax crat e ie oa tion ab ix ay")
	ends := strings.Fields(`s es ies sses ed eed ing at bl iz y i ational tional enci anci izer logi bli alli entli eli ousli
		ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance
		ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize ion sion tion e ll l ee`)
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var words []string
		for range 500 {
			w := stems[r.IntN(len(stems))] + stems[r.IntN(len(stems))]
			for range r.IntN(3) {
				w += ends[r.IntN(len(ends))]
			}
			words = append(words, w)
		}
		in := strings.Join(words, " ")
		want, got := f.tokens(t, in), text.Tokens(in)
		if len(want) != len(got) {
			t.Fatalf("%d tokens, FTS5 finds %d", len(got), len(want))
		}
		for i := range want {
			if want[i] != got[i] {
				t.Fatalf("token of %s is %s, of FTS5 %s", words[i], got[i], want[i])
			}
		}
	}
}

func TestTokensOfProseAndCodeEqualThoseOfFTS5(t *testing.T) {
	f := openFTS(t)
	for _, path := range []string{"../schema/README.md", "../schema/schema.sql", "tokens.go"} {
		in := must.Get(os.ReadFile(path))(t)
		if want, got := f.tokens(t, string(in)), text.Tokens(string(in)); !slices.Equal(want, got) {
			t.Errorf("%s has other tokens than FTS5 finds", path)
		}
	}
}

func TestTokensOfRandomLatinTextEqualThoseOfFTS5(t *testing.T) {
	f := openFTS(t)
	letters := rapid.StringOf(rapid.RuneFrom([]rune("abcdeilnostuyzAEISTY àéîöüñçßøÅ 0123456789 .,-_/:;'\"#()\t\n")))
	property.Check(t, func(t *rapid.T) {
		in := letters.Draw(t, "text")
		if want, got := f.tokens(t, in), text.Tokens(in); !slices.Equal(want, got) {
			t.Fatalf("%q:\n got %q\nwant %q", in, got, want)
		}
	})
}
