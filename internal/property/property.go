// Package property runs property tests on the same random values each time, so
// that a check which passes once passes again. PROPERTY_SEED=random selects new
// values in each run.
package property

import (
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// fixedSeed is any number but 0, which means a random seed to rapid.
const fixedSeed = 20261122

// Check is rapid.Check with a fixed seed. The flag -rapid.seed and
// PROPERTY_SEED=random take precedence.
func Check(t *testing.T, prop func(*rapid.T)) {
	t.Helper()
	seed := flag.Lookup("rapid.seed")
	if !randomSeeds() && seed.Value.String() == seed.DefValue {
		if err := seed.Value.Set(strconv.Itoa(fixedSeed)); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, prop)
}

// Number returns a number below n, for a test that takes a sample of many cases.
func Number(n int) int {
	if randomSeeds() {
		return rand.IntN(n)
	}
	return fixedSeed % n
}

func randomSeeds() bool { return os.Getenv("PROPERTY_SEED") == "random" }
