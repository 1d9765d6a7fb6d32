package memory

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
