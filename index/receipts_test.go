package index_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/memory-tiered/memory/index"
)

func TestOldReceiptsAreDeleted(t *testing.T) {
	const put, kept = 5010, 5000
	db := fresh(t)
	update(t, db, noon, func(tx *index.Tx) error {
		for i := range put {
			r := index.Receipt{ID: fmt.Sprintf("%08d", i), At: noon.Add(time.Duration(i) * time.Second), Kind: "recall", Session: "s", Body: []byte("{}")}
			if err := tx.PutReceipt(r); err != nil {
				return err
			}
		}
		return nil
	})
	listed := func(want index.ReceiptsFilter) []index.Receipt {
		t.Helper()
		found, err := db.Receipts(t.Context(), want)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	all := listed(index.ReceiptsFilter{})
	if len(all) != kept || all[0].ID != "00005009" || all[kept-1].ID != "00000010" {
		t.Fatalf("%d receipts, from %s to %s", len(all), all[0].ID, all[len(all)-1].ID)
	}
	recent := noon.Add(5000 * time.Second)
	if found := listed(index.ReceiptsFilter{Since: recent}); len(found) != 10 {
		t.Errorf("%d recent receipts", len(found))
	}
	for range 60 {
		update(t, db, noon, func(tx *index.Tx) error { return tx.DropReceipts(recent) })
	}
	if found := listed(index.ReceiptsFilter{}); len(found) != 10 {
		t.Errorf("%d receipts are left", len(found))
	}
	if found := listed(index.ReceiptsFilter{ID: "00005_"}); len(found) != 0 {
		t.Errorf("the prefix was used as a pattern: %+v", found)
	}
}
