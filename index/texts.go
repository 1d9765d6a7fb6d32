package index

import (
	"context"

	"github.com/memory-tiered/memory/index/sqldb"
)

// selectTextColumns lists every table that stores texts, with its texts as one expression. A
// character that is no white space is between two of them. The shadow tables of FTS5
// have tokens, and no texts.
const selectTextColumns = `SELECT t.name, group_concat(printf('coalesce("%w", '''')', c.name), '||char(1)||')
	FROM pragma_table_list t JOIN pragma_table_info(t.name) c
	WHERE t.schema = 'main' AND t.type = 'table' AND c.type = 'TEXT' GROUP BY t.name`

// EachText passes the texts of each row of each table to see. It passes also a text that is
// divided between two pages of the file, which [DB.RawFiles] does not show as one.
func (db *DB) EachText(ctx context.Context, see func(table, texts string)) error {
	type table struct{ name, texts string }
	var tables []table
	err := db.sql.Read().Each(ctx, selectTextColumns, nil, func(scan func(...any) error) error {
		var t table
		err := scan(&t.name, &t.texts)
		tables = append(tables, t)
		return err
	})
	for _, t := range tables {
		if err == nil {
			see(t.name, "") // one without rows was looked at too
			err = db.sql.Read().Each(ctx, "SELECT "+t.texts+` FROM "`+t.name+`"`, nil, func(scan func(...any) error) error {
				var texts string
				err := scan(&texts)
				see(t.name, texts)
				return err
			})
		}
	}
	return sqldb.Wrap("read the texts of all tables", err)
}
