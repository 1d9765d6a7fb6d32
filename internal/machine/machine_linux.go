package machine

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func readWord(file string) string {
	src, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(src))
}

// memoryLimits returns the memory of the machine, the limits of the control groups, and
// the largest address space.
func memoryLimits() (limits []int64) {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		limits = append(limits, int64(info.Totalram)*int64(info.Unit))
	}
	var space unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &space) == nil && space.Cur < math.MaxInt64 {
		limits = append(limits, int64(space.Cur))
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return limits
	}
	return append(limits, groupLimits("/sys/fs/cgroup", string(groups))...)
}

// groupLimits returns the memory limits of the control groups of a process, and of those
// that contain them. A line is "number:controllers:path".
func groupLimits(root, groups string) (limits []int64) {
	for line := range strings.SplitSeq(strings.TrimSpace(groups), "\n") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) < 3 {
			continue
		}
		for path := filepath.Clean("/" + parts[2]); ; path = filepath.Dir(path) {
			limits = append(limits, readLimit(filepath.Join(root, path, "memory.max")), readLimit(filepath.Join(root, "memory", path, "memory.limit_in_bytes")))
			if path == "/" {
				break
			}
		}
	}
	return limits
}

// readLimit returns 0 for "max" and for a file that does not exist.
func readLimit(file string) int64 {
	n, err := strconv.ParseInt(readWord(file), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// LimitMemory lets the system refuse more memory to this process. RLIMIT_AS would count what Go
// reserves and never uses, which may be more than the limit.
func LimitMemory(bytes uint64) error {
	return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes})
}
