package ingest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memory-tiered/memory/ingest"
)

func TestLongIngestPausesForWhoCannotWait(t *testing.T) {
	tests := []struct {
		name string
		take func(*ingest.Turns, context.Context) (func(), error)
		want bool
	}{
		{"a decision", (*ingest.Turns).Take, true},
		{"an ingest of every file", (*ingest.Turns).TakeLater, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := ingest.NewTurns()
				give, err := all.Take(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				all.Begin()
				time.Sleep(time.Second) // it reads its files
				if all.Pause() {
					t.Error("paused although nobody waits")
				}
				done := make(chan error)
				go func() {
					given, err := test.take(all, t.Context())
					if err == nil {
						given()
					}
					done <- err
				}()
				synctest.Wait()
				time.Sleep(5 * time.Second)
				if got := all.Pause(); got != test.want {
					t.Errorf("paused: %v, want %v", got, test.want)
				}
				all.End()
				give()
				if err := <-done; err != nil {
					t.Errorf("the waiting one did not get its turn: %v", err)
				}
			})
		})
	}
}
