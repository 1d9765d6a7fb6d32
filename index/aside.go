package index

import "sync"

// aside begins something on another core, and gives what waits for what comes of
// it. A panic there is one of whoever waits.
func aside[T any](work func() T) (wait func() T) {
	var value T
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		value = work()
	}()
	return sync.OnceValue(func() T {
		<-done
		if panicked != nil {
			panic(panicked)
		}
		return value
	})
}
