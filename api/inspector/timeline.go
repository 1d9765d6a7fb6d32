package inspector

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// timelinePage shows what happened, newest first.
type timelinePage struct {
	Days     []timelineDay
	Session  string
	Captured int // memories of the conversation that are not forgotten
	More     bool
}

// timelineDay is what happened on one day.
type timelineDay struct {
	Day    time.Time
	Events []event
}

// event is one thing that happened.
type event struct {
	*page
	At      time.Time
	Kind    string // captured, given, decided, written, aged
	What    string
	Who     string // agent or source
	Session string
	Link    string
	Batch   string // that undo reverses; empty: it cannot
	Lines   []line
	count   int
}

const (
	eventsPerPage = 120
	linesPerEvent = 5 // a sweep moves thousands
)

// timeline shows what was captured, given, written, decided and aged.
func (q *request) timeline() (any, error) {
	p := timelinePage{Session: q.param("session")}
	receipts, err := q.backend.Receipts(q.Context(), memory.ReceiptsRequest{Workspace: q.page.Workspace, Session: p.Session, Limit: eventsPerPage})
	if err != nil {
		return nil, err
	}
	var events []event
	for _, r := range receipts.Receipts {
		e := q.receiptEvent(r)
		if e.What != "" {
			events = append(events, e)
		}
		for _, l := range e.Lines {
			if l.Gone == "" && !l.Memory.Forgotten {
				p.Captured++
			}
		}
	}
	if p.Session == "" {
		audit, err := q.backend.Audit(q.Context(), memory.AuditRequest{Workspace: q.page.Workspace, Limit: 10 * eventsPerPage})
		if err != nil {
			return nil, err
		}
		events = append(events, q.auditEvents(withoutReceipts(audit.Audit, receipts.Receipts))...)
	}
	slices.SortStableFunc(events, func(a, b event) int { return b.At.Compare(a.At) })
	p.More = len(events) > eventsPerPage
	p.Days = q.byDay(events[:min(eventsPerPage, len(events))])
	return p, nil
}

// receiptEvent returns what a recall gave, or a capture kept.
func (q *request) receiptEvent(r memory.Receipt) event {
	e := event{page: q.page, At: r.At, Who: r.Agent, Session: r.Session}
	switch {
	case r.Kind == memory.ReceiptCapture:
		e.Kind = "captured"
		if e.What = plural(valueOf(r.Stored), "memory") + " kept of a conversation"; valueOf(r.Stored) == 0 {
			e.What = ""
		}
		for _, id := range r.IDs {
			e.Lines = append(e.Lines, q.knownLine(id))
		}
	case len(r.Injected) > 0:
		e.Kind, e.What, e.Link = "given", plural(len(r.Injected), "memory")+" for a prompt", q.page.URL("/block/"+r.ID)
		if r.Kind == memory.ReceiptSearch {
			e.What = plural(len(r.Injected), "memory") + " for a search by a tool"
		}
	}
	return e
}

// knownLine returns the line of a memory that is known by its id.
func (q *request) knownLine(id memory.ID) line {
	shown, err := q.backend.Show(q.Context(), memory.ShowRequest{ID: string(id), Workspace: q.page.Workspace})
	l := q.newLine(shown.Memory)
	if l.ID = id; err != nil {
		l.Gone = "It does not exist any more."
	}
	return l
}

// withoutReceipts returns the rows of the audit without the captures that receipts list.
func withoutReceipts(rows []memory.AuditRow, receipts []memory.Receipt) []memory.AuditRow {
	listed := map[memory.ID]bool{}
	for _, r := range receipts {
		for _, id := range r.IDs {
			listed[id] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row memory.AuditRow) bool { return row.Source == "capture" && listed[row.ID] })
}

// auditEvents joins the rows of each command to one event.
func (q *request) auditEvents(rows []memory.AuditRow) (events []event) {
	undone := map[string]bool{}
	at := map[string]int{} // the event of a command
	for _, row := range rows {
		if batch, ok := row.New["undid"].(string); ok {
			undone[batch] = true
		}
		key := cmp.Or(row.Batch, row.At.String()) + row.Action
		i, known := at[key]
		if !known {
			i = len(events)
			at[key] = i
			events = append(events, event{page: q.page, At: row.At, Kind: kindOf(row), What: row.Action, Who: row.Source, Batch: row.Batch})
		}
		if e := &events[i]; row.ID != "" {
			if e.count++; len(e.Lines) < linesPerEvent {
				e.Lines = append(e.Lines, q.knownLine(row.ID))
			}
		}
	}
	for i := range events {
		e := &events[i]
		if e.Kind != "decided" || undone[e.Batch] || e.What == string(memory.ActionUndo) || e.What == string(memory.ActionDestroy) {
			e.Batch = ""
		}
		if e.What = actionText(e.What); e.count > 0 {
			e.What += ": " + plural(e.count, "memory")
		}
	}
	return events
}

// kindOf returns what kind of event a row of the audit is.
func kindOf(row memory.AuditRow) string {
	switch row.Source {
	case "decay":
		return "aged"
	case "file":
		return "written"
	case "capture":
		return "captured"
	}
	return "decided"
}

// actionText returns an action as a word of a page.
func actionText(action string) string {
	if _, err := memory.ParseAction(action); err == nil && action != string(memory.ActionUndo) {
		return pastOf(action)
	}
	if action == "" {
		return "Changed"
	}
	return capitalised(strings.ReplaceAll(action, "-", " "))
}

// byDay groups events, newest first, by the day of the owner.
func (q *request) byDay(events []event) (days []timelineDay) {
	for _, e := range events {
		day := e.At.In(q.Zone).Format(time.DateOnly)
		if n := len(days); n == 0 || days[n-1].Day.In(q.Zone).Format(time.DateOnly) != day {
			days = append(days, timelineDay{Day: e.At})
		}
		last := &days[len(days)-1]
		last.Events = append(last.Events, e)
	}
	return days
}
