package index

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/index/sqldb"
)

// textBreak is between two texts of a row: it is no white space, and no text has it.
const textBreak = "||'\x01'||"

// EachText passes the texts of each row of each table to see. It passes also a text that is
// divided between two pages of the file, which [DB.RawFiles] does not show as one.
func (db *DB) EachText(ctx context.Context, see func(table, texts string)) error {
	catalog, err := db.sql.Catalog(ctx)
	texts := map[string][]string{}
	for _, c := range catalog {
		if c.IsText {
			texts[c.Table] = append(texts[c.Table], "coalesce("+c.Name+", '')")
		}
	}
	for _, table := range slices.Sorted(maps.Keys(texts)) {
		if err != nil {
			break
		}
		see(table, "") // one without rows was looked at too
		err = db.sql.Read().Each(ctx, "SELECT "+strings.Join(texts[table], textBreak)+" FROM "+table, nil, func(scan func(...any) error) error {
			var all string
			err := scan(&all)
			see(table, all)
			return err
		})
	}
	return sqldb.Wrap("read the texts of all tables", err)
}
