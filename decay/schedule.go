package decay

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/memory-tiered/memory"
)

// Schedule is when work is due: at the times of a cron expression on the clock of
// a time zone, or at a fixed interval. Use [Every] or [ParseSchedule].
type Schedule struct {
	text  string
	every time.Duration // 0: cron decides
	cron  cron.Schedule
}

// Every returns a schedule with a fixed interval.
func Every(interval time.Duration) Schedule {
	return Schedule{text: "every " + hoursText(interval), every: interval}
}

// ParseSchedule parses a cron expression of five fields, or a name such as @daily.
// None is the zero schedule.
func ParseSchedule(expression string) (Schedule, error) {
	invalid := func(reason string) (Schedule, error) {
		return Schedule{}, memory.Invalid("decay.schedule", "%q is not a schedule: %s", expression, reason).
			WithHint("five fields: minute, hour, day, month, weekday; \"30 3 * * *\" is 03:30 every day")
	}
	if expression == "" {
		return Schedule{}, nil
	}
	if strings.Contains(expression, "TZ=") { // the parser panics on some values
		return invalid("a time zone is not possible here; the workspace's applies")
	}
	parsed, err := cron.ParseStandard(expression)
	if err != nil {
		return invalid(err.Error())
	}
	if delay, ok := parsed.(cron.ConstantDelaySchedule); ok {
		return Schedule{text: expression, every: delay.Delay}, nil
	}
	if parsed.Next(time.Unix(0, 0).UTC()).IsZero() {
		return invalid("no date matches")
	}
	return Schedule{text: expression, cron: parsed}, nil
}

// String returns the expression, or the interval in hours.
func (s Schedule) String() string { return s.text }

// Next returns the first time after last at which a sweep is due. A cron expression
// means the clock on the wall in zone. A time that the clock skips is due when it
// has skipped it, and a time that the clock shows twice is due once.
func (s Schedule) Next(last time.Time, zone *time.Location) time.Time {
	if s.cron == nil {
		return last.Add(s.every)
	}
	wall := onWall(last.In(zone))
	for {
		// The cron package knows zones, but it loses skipped times and doubles repeated ones.
		if wall = s.cron.Next(wall); wall.IsZero() {
			return last.AddDate(5, 0, 0) // it looks no further ahead
		}
		if at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, zone); at.After(last) {
			return at
		}
	}
}

// IsDue reports whether the time of the schedule has come since a last one. Without one it is
// due at once. It is due too if the clock is behind the last one.
func (s Schedule) IsDue(last, now time.Time, zone *time.Location) bool {
	return last.IsZero() || now.Before(last) || !now.Before(s.Next(last, zone))
}

// onWall returns what the clock on the wall shows, as a time in UTC.
func onWall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// maxJump is the largest distance between two looks at the clock that is believed. A
// machine may be off for a holiday; a year is a broken clock.
const maxJump = 30 * day

// Backwards returns why a clock at now is not believed after a sweep at last, or the
// empty string.
func Backwards(now, last time.Time) string {
	if !now.Before(last) {
		return ""
	}
	return "the clock shows a time before the last sweep, which ran at " + stamp(last)
}

// Jumped returns why a clock that went from one time to another between two looks
// is not believed, or the empty string.
func Jumped(from, to time.Time) string {
	if jump := to.Sub(from); jump <= maxJump && jump >= -maxJump {
		return ""
	}
	return fmt.Sprintf("the clock went from %s to %s since this program last looked; either it is wrong, or no memory command ran for so long", stamp(from), stamp(to))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
