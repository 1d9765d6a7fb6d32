// Package leaks fails a package's tests if they leave a goroutine behind.
package leaks

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// endLimit is how long a goroutine may take to end after the tests. goleak itself waits
// for half a second, which is too short for a busy machine.
const endLimit = time.Minute

// Check runs the tests, looks for goroutines, and exits. TestMain calls it.
func Check(m *testing.M) { goleak.VerifyTestMain(settled{m}) }

// settled is tests after which goroutines have time to end.
type settled struct{ *testing.M }

// Run runs the tests, and waits until their goroutines have ended.
func (m settled) Run() int {
	code := m.M.Run()
	for end := time.Now().Add(endLimit); code == 0 && goleak.Find() != nil && time.Now().Before(end); {
	}
	return code
}
