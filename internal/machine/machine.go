// Package machine tells what this process may use of the machine: cores, memory, disk, and
// the processor time that others leave. It also tells whether the machine runs on battery.
// What a system does not tell is unknown, and never an error.
package machine

import "runtime"

// Cores returns the number of cores that this process may use.
func Cores() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// Memory returns the bytes of memory that this process may use: those of the machine, or
// a smaller limit of its container or its user. It returns 0 if the system does not tell.
func Memory() int64 {
	least := int64(0)
	for _, limit := range memoryLimits() {
		if limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	return least
}

// Times are processor times of the whole machine since its start, in units of the
// system. The zero value is unknown.
type Times struct{ busy, total uint64 }

// BusySince returns the share of the machine's processor time that was in use since an
// earlier measurement. It is 0 if the system does not tell.
func (t Times) BusySince(earlier Times) float64 {
	if t.total <= earlier.total || t.busy < earlier.busy || earlier.total == 0 {
		return 0
	}
	return float64(t.busy-earlier.busy) / float64(t.total-earlier.total)
}
