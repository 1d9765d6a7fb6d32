package postgres

import (
	"strconv"
	"strings"

	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/text"
)

// The weights of a tsvector stand for the columns of a chunk.
const (
	inText    = "A"
	inContext = "B"
	inParts   = "C"
)

// columnGap separates the positions of two columns, so that no phrase is in both.
const columnGap = 2

// batchOfWords is how many chunks one statement adds. Their texts are in memory meanwhile.
const batchOfWords = 2000

// AddWords adds the tokens of chunks, which the analyser in Go makes, to a tsvector each.
func (b *backend) AddWords(tx *sqldb.Tx, after, last int64) error {
	for {
		var ids []int64
		var vectors []string
		err := tx.Each("SELECT id, text, context, parts FROM chunks WHERE id > ? AND id <= ? ORDER BY id LIMIT ?", []any{after, last, batchOfWords},
			func(scan func(...any) error) error {
				var id int64
				var text, context, parts string
				err := scan(&id, &text, &context, &parts)
				ids, vectors = append(ids, id), append(vectors, tsvector(text, context, parts))
				return err
			})
		if err != nil || len(ids) == 0 {
			return err
		}
		err = tx.Exec(`WITH added AS (
				INSERT INTO memories_fts(rowid, words) SELECT * FROM unnest(CAST(? AS BIGINT[]), CAST(CAST(? AS TEXT[]) AS tsvector[])) RETURNING words)
			INSERT INTO memories_fts_words(term, doc) SELECT w.lexeme, count(*) FROM added, unnest(added.words) w GROUP BY w.lexeme
			ON CONFLICT (term) DO UPDATE SET doc = memories_fts_words.doc + excluded.doc`, ids, vectors)
		if err != nil || len(ids) < batchOfWords {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// DeleteWords takes out the tokens of chunks, and those that no other chunk has.
func (b *backend) DeleteWords(tx *sqldb.Tx, ids string) error {
	return tx.Exec(`WITH gone AS (
			DELETE FROM memories_fts WHERE rowid IN (SELECT id FROM chunks WHERE memory_id IN (SELECT value FROM json_each(?))) RETURNING words),
		counted AS (SELECT w.lexeme, count(*) AS n FROM gone, unnest(gone.words) w GROUP BY w.lexeme),
		reduced AS (UPDATE memories_fts_words w SET doc = w.doc - c.n FROM counted c WHERE w.term = c.lexeme AND w.doc > c.n)
		DELETE FROM memories_fts_words w USING counted c WHERE w.term = c.lexeme AND w.doc <= c.n`, ids)
}

// Matching returns a query for the chunks that match.
func (b *backend) Matching(m sqldb.Match) (query string, args []any) {
	weight := ""
	if m.PartsOnly {
		weight = inParts
	}
	words := make([]string, len(m.Tokens))
	for i, token := range m.Tokens {
		words[i] = lexeme(token) + ":" + weight
		if m.Prefix && i == len(words)-1 {
			words[i] += "*"
		}
		words[i] = strings.TrimSuffix(words[i], ":")
	}
	return selectMatching, []any{strings.Join(words, " <-> ")}
}

const selectMatching = "SELECT group_concat(rowid) FROM memories_fts WHERE words @@ CAST(CAST(? AS TEXT) AS tsquery)"

// WithToken returns a query for the chunks that contain a token.
func (b *backend) WithToken(token string) (query string, args []any) {
	return selectMatching, []any{lexeme(token)}
}

// tsvector writes the tokens of a chunk with their positions, as PostgreSQL reads them.
func tsvector(contents, context, parts string) string {
	var b strings.Builder
	position := 1
	for _, column := range []struct{ text, weight string }{{contents, inText}, {context, inContext}, {parts, inParts}} {
		for _, token := range text.Tokens(column.text) {
			b.WriteString(lexeme(token) + ":" + strconv.Itoa(min(position, maxPosition)) + column.weight + " ")
			position++
		}
		position += columnGap
	}
	return b.String()
}

// maxPosition is the largest position that a tsvector stores.
const maxPosition = 16383

// maxLexeme is the number of bytes of the longest lexeme of a tsvector. Longer tokens are cut.
const maxLexeme = 2046

// lexeme quotes a token.
func lexeme(token string) string {
	if len(token) > maxLexeme {
		token = strings.ToValidUTF8(token[:maxLexeme], "")
	}
	return "'" + quoter.Replace(token) + "'"
}

var quoter = strings.NewReplacer("'", "''", `\`, `\\`)
