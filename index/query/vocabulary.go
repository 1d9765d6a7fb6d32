package query

import (
	"context"
	"slices"
	"unicode/utf8"
)

// ftsVocabulary is the vocabulary of the keyword index, without hidden chunks.
type ftsVocabulary struct {
	*Searcher
	hidden rowSet
}

// Contains reports whether any chunk contains a token.
func (v ftsVocabulary) Contains(ctx context.Context, token string) (known bool, err error) {
	err = v.db.Read().One(ctx, "SELECT EXISTS (SELECT 1 FROM memories_fts_words WHERE term = ?)", []any{token}, &known)
	if err != nil || !known || len(v.hidden) == 0 {
		return known, err
	}
	query, args := v.db.Keywords().WithToken(token)
	rows, err := v.rowsOf(ctx, query, args...)
	return len(slices.DeleteFunc(rows, func(row int32) bool { return v.hidden[row] })) > 0, err
}

// EachWithPrefix calls yield for each token with a prefix, with its document
// frequency. It includes those of hidden chunks.
func (v ftsVocabulary) EachWithPrefix(ctx context.Context, prefix string, yield func(token string, docFreq int)) error {
	return v.db.Read().Each(ctx, "SELECT term, doc FROM memories_fts_words WHERE term >= ? AND term < ?",
		[]any{prefix, prefix + string(utf8.MaxRune)}, func(scan func(...any) error) error {
			var token string
			var docFreq int
			err := scan(&token, &docFreq)
			yield(token, docFreq)
			return err
		})
}
