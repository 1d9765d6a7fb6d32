// Package machine is where operating systems differ: files, users, processes, credentials,
// cores and memory. What a system does not tell is unknown, and never an error.
// Only service/unit, which installs services, has other code for single systems.
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
