package inspector

import "github.com/memory-tiered/memory"

// reviewPage lists what a person should look at.
type reviewPage struct {
	Points []point
	Total  int
}

// point is one point of a review.
type point struct {
	*page
	Kind   memory.ReviewKind
	Reason string
	First  line
	Second *line
}

const pointsPerPage = 30

// review shows the points of a review, with a button for each step.
func (q *request) review() (any, error) {
	limit := pointsPerPage
	answer, err := q.backend.Review(q.Context(), memory.ReviewRequest{Workspace: q.page.Workspace, Limit: &limit})
	if err != nil {
		return nil, err
	}
	p := reviewPage{Total: answer.Total}
	for _, item := range answer.Items {
		one := point{page: q.page, Kind: item.Kind, Reason: item.Reason, First: q.newLine(item.Memory)}
		if item.Other != nil {
			second := q.newLine(*item.Other)
			one.Second = &second
		}
		p.Points = append(p.Points, one)
	}
	return p, nil
}
