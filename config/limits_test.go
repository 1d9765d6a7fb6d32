package config_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/config"
)

// numberRange matches the range in the error about a number.
var numberRange = regexp.MustCompile(`out of range \((-?[0-9.]+) to ([0-9.]+)\)`)

// Every number has an upper limit, and a duration of that length is a time.Duration.
func TestEveryNumberHasAnUpperLimit(t *testing.T) {
	durations := map[string]time.Duration{"seconds": time.Second, "minutes": time.Minute, "hours": time.Hour, "days": 24 * time.Hour}
	numbers := 0
	for _, k := range config.Keys() {
		load := func(value string) error {
			_, err := config.Load("", []string{k.Env + "=" + value})
			return err
		}
		if _, err := strconv.ParseFloat(k.Default, 64); err != nil {
			continue
		}
		numbers++
		err := load("1000000000000000000")
		if err == nil {
			t.Errorf("%s has no upper limit", k.Name)
			continue
		}
		found := numberRange.FindStringSubmatch(err.Error())
		if found == nil || !strings.Contains(err.Error(), k.Name) {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if err := load(found[2]); err != nil {
			t.Errorf("the upper limit of %s: %v", k.Name, err)
		}
		limit, _ := strconv.ParseFloat(found[2], 64)
		if unit := durations[k.Unit]; limit*float64(unit) > math.MaxInt64 {
			t.Errorf("%s: %v %s are no time.Duration", k.Name, limit, k.Unit)
		}
	}
	if numbers < 25 {
		t.Errorf("only %d settings are numbers", numbers)
	}
}
