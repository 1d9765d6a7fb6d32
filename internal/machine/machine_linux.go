package machine

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Measure returns the processor times until now.
func Measure() Times {
	src, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Times{}
	}
	return parseTimes(string(src))
}

// parseTimes reads the first line of /proc/stat: user, nice, system, idle, iowait, irq,
// softirq and steal. What others of the host took (steal) is in use as well.
func parseTimes(stat string) (t Times) {
	const idle, waiting, last = 4, 5, 8
	line, _, _ := strings.Cut(stat, "\n")
	for i, field := range strings.Fields(line) {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil || i > last {
			continue
		}
		if t.total += n; i != idle && i != waiting {
			t.busy += n
		}
	}
	return t
}

// OnBattery reports whether the machine has a battery and no other supply.
func OnBattery() bool { return onBattery("/sys/class/power_supply") }

func onBattery(dir string) bool {
	types, err := filepath.Glob(filepath.Join(dir, "*", "type"))
	if err != nil {
		return false
	}
	discharging := false
	for _, file := range types {
		supply := filepath.Dir(file)
		switch {
		case readWord(file) == "Battery":
			// The battery of a mouse or a keyboard has the scope Device.
			if readWord(filepath.Join(supply, "scope")) != "Device" && readWord(filepath.Join(supply, "status")) == "Discharging" {
				discharging = true
			}
		case readWord(filepath.Join(supply, "online")) == "1":
			return false
		}
	}
	return discharging
}

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
