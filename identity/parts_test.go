package identity_test

import "testing"

const (
	tabsVariant = "Prefers tabs over spaces in C and never aligns comments"
	usual       = "Restart it with the usual command"
)

// TestFilesThatReturnInPartsKeepTheirMemories moves lines away and back in
// several batches, as a checkout that is seen in parts does.
func TestFilesThatReturnInPartsKeepTheirMemories(t *testing.T) {
	tests := []struct {
		name  string
		steps []step
		want  map[string]string // file → the memories of its lines after the last step
	}{
		{"copies return before the file that has them disappears", []step{
			{"a.md": {usual}, "b.md": {usual}},
			{"a.md": nil}, {"b.md": nil}, {"x.md": {usual}}, {"y.md": {usual}},
			{"a.md": {usual}}, {"y.md": nil}, {"b.md": {usual}}, {"x.md": nil},
		}, map[string]string{"a.md": "a0", "b.md": "b0"}},
		{"a copy returns while its memory has another text elsewhere", []step{
			{"a.md": {tabs, usual}, "b.md": {usual}},
			{"a.md": nil, "x.md": {tabsEdit, usual}},
			{"a.md": {tabs, usual}},
			{"x.md": nil},
		}, map[string]string{"a.md": "a0 a1", "b.md": "b0"}},
		{"a line is not an edit of a similar one that is still in another file", []step{
			{"a.md": {tabs}, "b.md": {tabsVariant}},
			{"b.md": nil, "x.md": {tabs}},
			{"a.md": nil},
		}, map[string]string{"x.md": "a0"}},
		{"a line is not an edit of a similar one if a missing one is more similar", []step{
			{"a.md": {tabs}, "b.md": {tabsVariant}},
			{"a.md": nil},
			{"b.md": nil, "x.md": {tabsEdit}},
			{"a.md": {tabs}, "b.md": {tabsVariant}},
		}, map[string]string{"a.md": "a0", "b.md": "b0", "x.md": "new"}},
		{"a move is not an edit of another line if its copy was saved first", []step{
			{"a.md": {tabs}, "b.md": {usual}},
			{"x.md": {tabs}},
			{"a.md": nil, "y.md": {tabsVariant}},
		}, map[string]string{"x.md": "a0", "y.md": "new"}},
		{"a past text returns where it was, and a third line does not take it", []step{
			{"a.md": {tabs}, "b.md": {tabs, tabsVariant}},
			{"b.md": {tabs}},
			{"c.md": {tabs}},
			{"b.md": {tabsEdit}},
			{"b.md": {tabs, tabsVariant}, "c.md": nil},
			{"b.md": {tabs, tabs, tabsVariant}},
			{"a.md": nil},
			{"a.md": {tabs}, "b.md": {tabsEdit}, "c.md": {tabs}},
		}, map[string]string{"a.md": "a0", "b.md": "new", "c.md": "b0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, names := runSteps(t, tt.steps)
			for path, want := range tt.want {
				if got := w.namesAt(path, names); got != want {
					t.Errorf("%s: %s, want %s", path, got, want)
				}
			}
		})
	}
}
