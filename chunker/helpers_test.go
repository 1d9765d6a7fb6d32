package chunker_test

import (
	"fmt"
	"time"
)

// within panics with the input where it takes longer than any input of a few
// kilobytes may: a fuzzer alone would only stand still.
func within(d time.Duration, input any) (stop func() bool) {
	return time.AfterFunc(d, func() { panic(fmt.Sprintf("still not done after %v: %q", d, input)) }).Stop
}
