package index

import "testing"

// What goes wrong aside goes wrong for whoever waits, who knows what to do about
// it: alone it would end the program.
func TestAPanicAsideIsOneOfWhoWaits(t *testing.T) {
	if got := aside(func() int { return 7 })(); got != 7 {
		t.Errorf("got %d, want 7", got)
	}
	wait := aside(func() int { panic("no such leaf") })
	for range 2 { // waiting again is no way round it
		func() {
			defer func() {
				if said := recover(); said != "no such leaf" {
					t.Errorf("the one who waits recovers %v", said)
				}
			}()
			wait()
		}()
	}
}
