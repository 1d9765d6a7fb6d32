package memory

import "time"

// DoctorRequest requests a check of the state folder and of one workspace, or of all.
type DoctorRequest struct {
	Workspace string `json:"workspace,omitempty"` // empty: all
	Fix       bool   `json:"fix,omitempty"`       // mend what needs no decision of a person
}

// Severity is how much a finding matters.
type Severity string

const (
	SeverityError   Severity = "error"   // a promise does not hold now: data is damaged, unprotected or not served
	SeverityWarning Severity = "warning" // something is behind, or waits for a person
)

// Finding is something that a check found wrong.
type Finding struct {
	Check     string   `json:"check"`               // such as fts, backup or faults
	Workspace string   `json:"workspace,omitempty"` // empty: the state folder or the service
	Severity  Severity `json:"severity"`
	Message   string   `json:"message"`
	Fix       string   `json:"fix"` // the command, or what to do
	Fixed     bool     `json:"fixed"`
}

// DoctorAnswer lists what is wrong. OK means that nothing is, or that all was mended.
type DoctorAnswer struct {
	OK       bool          `json:"ok"`
	Findings List[Finding] `json:"findings"`
	Checked  List[string]  `json:"checked"` // the checks that ran
}

// Add adds findings and updates OK.
func (a *DoctorAnswer) Add(findings ...Finding) {
	a.Findings = append(a.Findings, findings...)
	a.OK = true
	for _, f := range a.Findings {
		a.OK = a.OK && f.Fixed
	}
}

// InspectorAnswer has the address of the inspector, with a token that works once.
type InspectorAnswer struct {
	Address string `json:"address"`
}

// Grade is the importance of a memory by the rules of package grade. It applies where
// nothing is declared.
type Grade struct {
	Importance *float64        // 0 to 1; nil: not graded
	Label      ImportanceLabel // empty: not graded
}

// The fields that grade sets.
const (
	GradeImportance = "importance"
	GradeLabel      = "importance_label"
)

// GradeFields lists the fields that grade sets; the first is the default.
var GradeFields = []string{GradeImportance, GradeLabel}

// GradeRequest requests grades for the visible memories that have none.
type GradeRequest struct {
	Workspace string   `json:"workspace,omitempty"`
	Preview   bool     `json:"preview,omitempty"` // report the grades without storing them
	Force     bool     `json:"force,omitempty"`   // grade again what was graded before
	Fields    []string `json:"fields,omitempty"`  // of GradeFields; default: importance
	Limit     int      `json:"limit,omitempty"`   // at most this many memories; 0: no limit
}

// GradeAnswer reports the grades. Each visible memory is in one of the four numbers.
type GradeAnswer struct {
	Updated     int           `json:"updated"`     // had no grade, and have one
	Skipped     int           `json:"skipped"`     // keep what is declared, or an earlier grade
	Overwritten int           `json:"overwritten"` // have another grade than before; only with force
	Missing     int           `json:"missing"`     // still have no grade, because of the limit
	Fields      List[string]  `json:"fields"`
	Preview     bool          `json:"preview"`
	Grades      List[GradeOf] `json:"grades"` // those that were updated or overwritten
}

// GradeOf is the grade of one memory, with the rules that led to it.
type GradeOf struct {
	ID         ID              `json:"id"`
	Path       string          `json:"path"`
	Line       int             `json:"line"`
	Importance *float64        `json:"importance"`       // null: not among the fields
	Label      ImportanceLabel `json:"importance_label"` // empty: not among the fields
	Reasons    List[string]    `json:"reasons"`
}

// TierMove is one move of a memory to another tier by the ageing policy.
type TierMove struct {
	ID     ID     `json:"id"`
	From   Tier   `json:"from"`
	To     Tier   `json:"to"`
	Reason string `json:"reason"`       // "72 h since last use"
	By     ID     `json:"by,omitempty"` // the memory that takes its place; only of a compaction
}

// DecayRequest requests a sweep: every memory that is due moves by one tier.
type DecayRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Preview   bool   `json:"preview,omitempty"` // report the moves without making them
	AsOf      string `json:"as_of,omitempty"`   // only with preview: the moves up to that time
	Release   bool   `json:"release,omitempty"` // run even if the clock is not believed, and believe it from now on
	Compact   bool   `json:"compact,omitempty"` // archive the COLD memories that repeat another one, and run no sweep

	// Unused archives other memories instead: those of a scene that nobody used for so many
	// days, except its extract. It needs Compact.
	Unused float64 `json:"unused_days,omitempty"`
}

// DecayAnswer lists the moves of a sweep, at most 10,000 of them. Held is the reason
// why the sweep did not run, or null.
type DecayAnswer struct {
	Moves   List[TierMove] `json:"moves"`
	Total   int            `json:"total"` // the number of all moves
	Preview bool           `json:"preview"`
	Held    *string        `json:"held"`
	Batch   string         `json:"batch,omitempty"` // id of the sweep in the audit
}

// DecayStatus reports when sweeps run and how many memories are due.
type DecayStatus struct {
	LastRun  *time.Time   `json:"last_run"`
	NextRun  time.Time    `json:"next_run"`
	Schedule string       `json:"schedule"`
	Held     *string      `json:"held"` // why no sweep runs; null where none is held
	Due      map[Tier]int `json:"due"`  // memories that the next sweep would move, by their tier now
}
