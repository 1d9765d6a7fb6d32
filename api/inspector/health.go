package inspector

import (
	"time"

	"github.com/memory-tiered/memory"
)

// healthPage shows how the service and the workspace are.
type healthPage struct {
	Status memory.Status
	Stats  memory.Stats
	Doctor memory.DoctorAnswer
	Chart  chart
	Tiers  []tierCount
}

// tierCount is the number of memories in one tier.
type tierCount struct {
	Tier  memory.Tier
	Count int
	Share int // in percent
}

// health shows the state of the service, what the doctor finds, and tiers over time.
func (q *request) health() (any, error) {
	var p healthPage
	var err error
	if p.Status, err = q.backend.Status(q.Context()); err != nil {
		return nil, err
	}
	if p.Stats, err = q.backend.Stats(q.Context(), memory.StatsRequest{Workspace: q.page.Workspace}); err != nil {
		return nil, err
	}
	if p.Doctor, err = q.backend.Doctor(q.Context(), memory.DoctorRequest{Workspace: q.page.Workspace}, nil); err != nil {
		return nil, err
	}
	for _, t := range memory.Tiers {
		n := p.Stats.Tiers[t]
		p.Tiers = append(p.Tiers, tierCount{t, n, 100 * n / max(1, p.Stats.Total)})
	}
	p.Chart, err = q.tierChart()
	return p, err
}

// chartDays is how many days the chart shows.
const chartDays = 60

// chart is tiers over time, as areas above each other.
type chart struct {
	Areas       []area
	From, Until time.Time
	Most        int
}

// area is one tier of a chart: the points of a polygon.
type area struct {
	Tier   memory.Tier
	Points string
}

// tierChart counts the memories of each tier on each day. It goes back from the present tiers
// by the moves that the audit has.
func (q *request) tierChart() (chart, error) {
	all, err := q.backend.List(q.Context(), memory.ListRequest{Workspace: q.page.Workspace, Filter: memory.Filter{Deep: true}})
	if err != nil {
		return chart{}, err
	}
	until := q.page.now
	audit, err := q.backend.Audit(q.Context(), memory.AuditRequest{Workspace: q.page.Workspace, Limit: 10_000})
	if err != nil {
		return chart{}, err
	}
	moves := map[memory.ID][]memory.AuditRow{} // newest first
	for _, row := range audit.Audit {
		if _, moved := row.Old["tier"]; moved {
			moves[row.ID] = append(moves[row.ID], row)
		}
	}
	days := make([]map[memory.Tier]int, chartDays)
	for d := range days {
		days[d] = map[memory.Tier]int{}
		at := until.AddDate(0, 0, d-chartDays+1)
		for _, m := range all.Memories {
			if !m.CreatedAt.After(at) {
				days[d][tierAt(m, moves[m.ID], at)]++
			}
		}
	}
	return newChart(days, until.AddDate(0, 0, 1-chartDays), until), nil
}

// tierAt returns the tier of a memory at a time.
func tierAt(m memory.Memory, moves []memory.AuditRow, at time.Time) memory.Tier {
	tier := m.Tier
	for _, row := range moves {
		if !row.At.After(at) {
			break
		}
		if was, ok := row.Old["tier"].(string); ok && was != "" {
			tier = memory.Tier(was)
		}
	}
	return tier
}
