package sqldb

import (
	"context"
	"strings"
)

// Catalog lists the columns of all tables, in order.
type Catalog []CatalogColumn

// CatalogColumn is a column of a table.
type CatalogColumn struct {
	Table, Name string
	IsText      bool
	IsBoolean   bool // it takes no 0 or 1
}

// Columns returns the names of the columns of a table.
func (c Catalog) Columns(table string) (names []string) {
	for _, column := range c {
		if column.Table == table {
			names = append(names, column.Name)
		}
	}
	return names
}

// Catalog reads the columns of all tables.
func (db *DB) Catalog(ctx context.Context) (c Catalog, err error) {
	return c, db.Read().Each(ctx, db.backend.Catalog(), nil, c.add)
}

// Catalog reads the columns of all tables.
func (tx *Tx) Catalog() (c Catalog, err error) {
	return c, tx.Each(tx.w.backend.Catalog(), nil, c.add)
}

func (c *Catalog) add(scan func(...any) error) error {
	var column CatalogColumn
	err := scan(&column.Table, &column.Name, &column.IsText, &column.IsBoolean)
	*c = append(*c, column)
	return err
}

// Excluded returns the assignments of an upsert that takes each of some columns from the
// new row.
func Excluded(columns string) string {
	var b strings.Builder
	for i, name := range strings.FieldsFunc(columns, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + " = excluded." + name)
	}
	return b.String()
}
