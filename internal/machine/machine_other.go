//go:build !linux

package machine

// memoryLimits returns none: only Linux tells them without C.
func memoryLimits() []int64 { return nil }

// LimitMemory lets the system refuse more memory to this process, where it can.
func LimitMemory(uint64) error { return nil }
