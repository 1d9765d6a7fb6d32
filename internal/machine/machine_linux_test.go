package machine_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/machine"
)

func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBatteryCountsOnlyWithoutAnotherSupply(t *testing.T) {
	battery := map[string]string{"BAT0/type": "Battery", "BAT0/status": "Discharging"}
	with := func(more map[string]string) map[string]string {
		all := map[string]string{}
		for _, files := range []map[string]string{battery, more} {
			for name, text := range files {
				all[name] = text
			}
		}
		return all
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  bool
	}{
		{"nothing", nil, false},
		{"battery alone", battery, true},
		{"unplugged", with(map[string]string{"AC/type": "Mains", "AC/online": "0"}), true},
		{"plugged in", with(map[string]string{"AC/type": "Mains", "AC/online": "1"}), false},
		{"charging", with(map[string]string{"BAT0/status": "Charging"}), false},
		{"a mouse", map[string]string{"M/type": "Battery", "M/status": "Discharging", "M/scope": "Device"}, false},
	} {
		if got := machine.OnBatteryIn(writeFiles(t, tt.files)); got != tt.want {
			t.Errorf("%s: on battery is %v", tt.name, got)
		}
	}
}

func TestLimitsOfControlGroupsAreFound(t *testing.T) {
	root := writeFiles(t, map[string]string{"user/memory.max": "536870912", "user/app/memory.max": "max", "memory/docker/memory.limit_in_bytes": "1048576"})
	for groups, want := range map[string]int64{"0::/user/app\n": 536870912, "4:memory:/docker\n0::/\n": 1048576, "0::/\n": 0, "": 0} {
		limits := slices.DeleteFunc(machine.GroupLimits(root, groups), func(n int64) bool { return n == 0 })
		if want == 0 && len(limits) > 0 || want > 0 && !slices.Equal(limits, []int64{want}) {
			t.Errorf("%q: %v, want %d", groups, limits, want)
		}
	}
}

func TestBusyShareIsThatOfTheTimeBetween(t *testing.T) {
	before := machine.ParseTimes("cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 1 1\n")
	after := machine.ParseTimes("cpu  160 0 110 820 5 0 0 5 40 0\n")
	if got := after.BusySince(before); got != 0.75 {
		t.Errorf("busy share %v, want 0.75", got)
	}
	if got := after.BusySince(machine.Times{}); got != 0 {
		t.Errorf("without an earlier measurement: %v", got)
	}
}

func TestThisMachineIsMeasured(t *testing.T) {
	if machine.Cores() < 1 || machine.Memory() < 64<<20 {
		t.Errorf("%d cores, %d bytes", machine.Cores(), machine.Memory())
	}
	if free := machine.FreeBytes(t.TempDir()); free <= 0 {
		t.Errorf("%d bytes are free", free)
	}
	if free := machine.FreeBytes(filepath.Join(t.TempDir(), "missing")); free != -1 {
		t.Errorf("%d bytes are free in a folder that does not exist", free)
	}
	if share := machine.Measure().BusySince(machine.Times{}); share != 0 {
		t.Errorf("busy share %v", share)
	}
}
