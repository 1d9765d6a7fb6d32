package text

import (
	"context"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// joinedCode matches a series with a number right behind it, such as E4471 or RAL5014. A
// shorter number makes a word: sha256, h264.
var joinedCode = lazyregexp.New(`^([a-z]{1,10})(\d{4,})$`)

// splitCode lets a code that the index does not contain match its two parts in a row, as in
// E-4471 and RAL 5014.
func splitCode(ctx context.Context, v Vocabulary, t *Term) error {
	parts := joinedCode().FindStringSubmatch(t.Literal)
	if parts == nil || len(t.Tokens) != 1 {
		return nil
	}
	var longer []string
	err := v.EachWithPrefix(ctx, t.Tokens[0], func(token string, _ int) { longer = append(longer, token) })
	for _, token := range append(longer, t.Tokens[0]) {
		if err != nil {
			return err
		}
		var known bool
		if known, err = v.Contains(ctx, token); known {
			return err
		}
	}
	if err == nil {
		t.Text, t.Tokens = parts[1]+" "+parts[2], parts[1:]
	}
	return err
}
