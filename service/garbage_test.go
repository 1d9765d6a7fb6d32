package service

import (
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestGarbageIsBoundedByWhatIsAllocated(t *testing.T) {
	const mega = 1 << 20
	for _, c := range []struct {
		live, collected uint64
		want            int
	}{
		{8 * mega, 0, defaultGarbage},
		{64 * mega, 0, 50},
		{512 * mega, 0, leastGarbage},
		{512 * mega, 256 * mega, 50},
		{512 * mega, 4096 * mega, defaultGarbage},
	} {
		if got := garbagePercent(c.live, c.collected); got != c.want {
			t.Errorf("live %d, collected %d: %d %%, want %d", c.live/mega, c.collected/mega, got, c.want)
		}
	}
}

func TestMemoryOfBulkWorkIsGivenBack(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(defaultGarbage))
	kept := func() uint64 {
		samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(samples)
		return samples[0].Value.Uint64() - samples[1].Value.Uint64()
	}
	var limit garbageLimit
	limit.adjust()
	before, bulk := kept(), make([]byte, 256<<20)
	bulk[0] = 1
	limit.adjust()
	during := kept()
	if bulk[0] = 2; during < before+200<<20 {
		t.Fatalf("the work took only %d bytes", during-before)
	}
	limit.adjust()
	if after := kept(); after > before+64<<20 {
		t.Errorf("%d bytes are kept after the work; before it %d", after, before)
	}
}
