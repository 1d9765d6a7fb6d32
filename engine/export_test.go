package engine

import "strings"

// Between lets a test stop destroyings after a step, as a crash would.
func (e *Engine) Between(stop func(step string) error) {
	for _, s := range e.all() {
		s.between = stop
	}
}

// TraceIn gives where one of some texts begins, or -1.
func TraceIn(src string, texts ...string) int64 {
	at, err := traceOf(texts...).in(strings.NewReader(src))
	if err != nil {
		panic(err) // reading a string never fails
	}
	return at
}
