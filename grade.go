package memory

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
