package index_test

import (
	"testing"

	"github.com/memory-tiered/memory/index"
)

const (
	street        = "Der Schlüssel der Straße liegt groß unter Maßen"
	streetCapital = "DER SCHLÜSSEL DER STRASSE LIEGT GROSS UNTER MASSEN"
	price         = "The key costs 1\u202f000 euros in the shop"
)

func TestForgottenTextInCapitals(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("MEMORY.md", street, price))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(street), id(price)) })
	copies := []string{streetCapital, "The key costs 1000 euros in the shop", "The key costs 1 000 euros in the shop"}
	apply(t, db, noon, file("memory/later.md", append(copies, "The key costs 10 euros in the shop")...))
	for _, text := range copies {
		if !isForgotten(t, db, text) {
			t.Errorf("%q is visible", text)
		}
	}
	if isForgotten(t, db, "The key costs 10 euros in the shop") {
		t.Error("another number is forgotten")
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(streetCapital)) })
	if isForgotten(t, db, street) || isForgotten(t, db, streetCapital) {
		t.Error("a restore of the capitals leaves a copy forgotten")
	}
}
