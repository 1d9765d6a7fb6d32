package machine_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/machine"
	"github.com/memory-tiered/memory/internal/must"
)

func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Do(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
	}
	return dir
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
