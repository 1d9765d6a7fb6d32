package decay_test

import (
	"errors"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/internal/must"
)

func schedule(t *testing.T, expression string) decay.Schedule {
	t.Helper()
	s := must.Get(decay.ParseSchedule(expression))(t)
	return s
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone := must.Get(time.LoadLocation("Europe/Berlin"))(t)
	return zone
}

func TestNextIsTheNextTimeOnTheWall(t *testing.T) {
	zone := berlin(t)
	for _, tt := range []struct{ name, expression, last, want string }{
		{"daily", "30 2 * * *", "2026-11-20T02:30:05+01:00", "2026-11-21T02:30:00+01:00"},
		{"later on the same day", "30 2 * * *", "2026-11-20T01:00:00+01:00", "2026-11-20T02:30:00+01:00"},
		{"spring: the time is skipped", "30 2 * * *", "2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00"},
		{"spring: the day after", "30 2 * * *", "2026-03-29T03:30:10+02:00", "2026-03-30T02:30:00+02:00"},
		{"autumn: after the first time", "30 2 * * *", "2026-10-25T02:30:10+02:00", "2026-10-26T02:30:00+01:00"},
		{"autumn: after the second time", "30 2 * * *", "2026-10-25T02:30:10+01:00", "2026-10-26T02:30:00+01:00"},
		{"autumn: inside the second hour", "*/20 * * * *", "2026-10-25T02:25:00+01:00", "2026-10-25T02:40:00+01:00"},
		{"autumn: inside the first hour", "*/20 * * * *", "2026-10-25T02:25:00+02:00", "2026-10-25T02:40:00+01:00"},
		{"a name", "@weekly", "2026-11-20T09:00:00+01:00", "2026-11-22T00:00:00+01:00"},
		{"an interval", "@every 5h", "2026-10-25T00:30:00+02:00", "2026-10-25T04:30:00+01:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			last := must.Get(time.Parse(time.RFC3339, tt.last))(t)
			if got := schedule(t, tt.expression).Next(last, zone).In(zone).Format(time.RFC3339); got != tt.want {
				t.Errorf("after %s: %s, want %s", tt.last, got, tt.want)
			}
		})
	}
}

// A year of minutes, with both changes of the clock: one run a day and no more.
func TestEachDayHasOneRun(t *testing.T) {
	zone, daily := berlin(t), schedule(t, "30 2 * * *")
	last := time.Date(2026, 1, 1, 2, 30, 0, 0, zone)
	runs, next := map[string]int{}, daily.Next(last, zone)
	for at := last; at.Year() < 2027; at = at.Add(time.Minute) {
		if !at.Before(next) {
			runs[at.In(zone).Format(time.DateOnly)]++
			next = daily.Next(at, zone)
		}
	}
	for at := time.Date(2026, 1, 2, 12, 0, 0, 0, zone); at.Year() < 2027; at = at.AddDate(0, 0, 1) {
		if n := runs[at.Format(time.DateOnly)]; n != 1 {
			t.Errorf("%s has %d runs", at.Format(time.DateOnly), n)
		}
	}
}

func TestScheduleRefusesWhatNeverRuns(t *testing.T) {
	for _, bad := range []string{"hourly", "* * *", "61 * * * *", "0 0 31 2 *", "TZ=0", "CRON_TZ=Asia/Tokyo 0 0 * * *", "@reboot"} {
		if _, err := decay.ParseSchedule(bad); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if none, err := decay.ParseSchedule(""); none != (decay.Schedule{}) || err != nil {
		t.Errorf("no expression: %v, %v", none, err)
	}
	if got := decay.Every(6*time.Hour).Next(now, time.UTC); got != now.Add(6*time.Hour) {
		t.Errorf("every 6 hours: %s", got)
	}
}

func TestClockIsBelievedWithin30Days(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reason string
		held   bool
	}{
		{"suspended for three days", decay.Jumped(now, now.AddDate(0, 0, 3)), false},
		{"30 days forward", decay.Jumped(now, now.AddDate(0, 0, 30)), false},
		{"31 days forward", decay.Jumped(now, now.AddDate(0, 0, 31)), true},
		{"an hour back", decay.Jumped(now, now.Add(-time.Hour)), false},
		{"31 days back", decay.Jumped(now, now.AddDate(0, 0, -31)), true},
		{"at the last sweep", decay.Backwards(now, now), false},
		{"before the last sweep", decay.Backwards(now, now.Add(time.Second)), true},
	} {
		if (tt.reason != "") != tt.held {
			t.Errorf("%s: %q", tt.name, tt.reason)
		}
	}
}
