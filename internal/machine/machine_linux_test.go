package machine_test

import (
	"maps"
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
	type supplies = map[string]string
	battery := func(name, status string) supplies {
		return supplies{name + "/type": "Battery", name + "/present": "1", name + "/status": status}
	}
	mains := func(online string) supplies { return supplies{"AC/type": "Mains", "AC/online": online} }
	usb := func(online string) supplies { return supplies{"USB/type": "USB", "USB/online": online} }
	mouse := supplies{"M/type": "Battery", "M/status": "Discharging", "M/scope": "Device"}
	for _, tt := range []struct {
		name string
		with []supplies
		want bool
	}{
		{"nothing", nil, false},
		{"battery alone", []supplies{battery("BAT0", "Discharging")}, true},
		{"unplugged", []supplies{battery("BAT0", "Discharging"), mains("0")}, true},
		{"plugged in", []supplies{battery("BAT0", "Discharging"), mains("1")}, false},
		{"charging", []supplies{battery("BAT0", "Charging"), mains("1")}, false},
		{"charging by USB with a set voltage", []supplies{battery("BAT0", "Discharging"), mains("0"), usb("2")}, false},
		{"an empty USB port", []supplies{battery("BAT0", "Discharging"), usb("0")}, true},
		{"the second of two batteries", []supplies{battery("BAT0", "Not charging"), battery("BAT1", "Discharging"), mains("0")}, true},
		{"a battery that does not tell, unplugged", []supplies{battery("BAT0", "Unknown"), mains("0")}, true},
		{"a battery that does not tell, plugged in", []supplies{battery("BAT0", "Unknown"), mains("1")}, false},
		{"a battery that does not tell, alone", []supplies{battery("BAT0", "Unknown")}, false},
		{"an empty bay", []supplies{{"BAT0/type": "Battery", "BAT0/present": "0", "BAT0/status": "Unknown"}, mains("0")}, false},
		{"a mouse", []supplies{mouse}, false},
		{"a mouse and its charger", []supplies{mouse, battery("BAT0", "Discharging"), {"C/type": "USB", "C/online": "1", "C/scope": "Device"}}, true},
		{"a UPS without power", []supplies{{"U/type": "UPS", "U/online": "1", "U/status": "Discharging"}, mains("1")}, true},
		{"a UPS with power", []supplies{{"U/type": "UPS", "U/online": "1", "U/status": "Full"}, battery("BAT0", "Discharging")}, true},
		{"files that say nothing", []supplies{{"X/type": "", "X/online": "", "Y/uevent": ""}}, false},
	} {
		files := supplies{}
		for _, more := range tt.with {
			maps.Copy(files, more)
		}
		if got := machine.OnBatteryIn(writeFiles(t, files)); got != tt.want {
			t.Errorf("%s: on battery is %v", tt.name, got)
		}
	}
	if machine.OnBatteryIn(filepath.Join(t.TempDir(), "missing")) {
		t.Error("without the folder of supplies: on battery")
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

func TestThisMachineIsMeasured(t *testing.T) {
	if machine.Cores() < 1 || machine.Memory() < 64<<20 {
		t.Errorf("%d cores, %d bytes", machine.Cores(), machine.Memory())
	}
}
