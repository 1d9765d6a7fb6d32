package service

import (
	"runtime/debug"
	"runtime/metrics"
)

// garbageLimit bounds the garbage in memory by what is allocated. Go's default is as much
// garbage as live memory: in a large workspace hundreds of megabytes. It also gives free
// memory back slowly. The zero value is ready.
type garbageLimit struct {
	allocated uint64 // since the start of the process
	percent   int    // of live memory
	isBusy    bool   // since memory was last given back
}

const (
	// defaultGarbage is Go's default for the garbage, in percent of live memory.
	defaultGarbage = 100

	// leastGarbage is its limit where little is allocated. A collection then runs rarely.
	leastGarbage = 25

	// leastCollected is the number of bytes between two collections in a small workspace.
	leastCollected = 32 << 20

	// callsOfGarbage is the number of calls of adjust between two collections in bulk work.
	callsOfGarbage = 4
)

// adjust lets the garbage of bulk work grow, so that collections do not slow the work down.
// After it, adjust gives free memory back to the system.
func (g *garbageLimit) adjust() {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	live, allocated := max(1, samples[0].Value.Uint64()), samples[1].Value.Uint64()
	added := allocated - g.allocated
	g.allocated = allocated
	if percent := garbagePercent(live, callsOfGarbage*added); percent != g.percent {
		g.percent = percent
		debug.SetGCPercent(percent)
	}
	switch {
	case added > leastCollected:
		g.isBusy = true
	case g.isBusy:
		g.isBusy = false
		debug.FreeOSMemory()
	}
}

// garbagePercent returns the limit for live memory and the bytes between two collections.
func garbagePercent(live, collected uint64) int {
	return int(min(defaultGarbage, max(leastGarbage, 100*max(collected, leastCollected)/live)))
}
