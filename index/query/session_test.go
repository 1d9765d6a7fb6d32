package query

import "testing"

// TestIsOfSession: a session goes by its key, and by the name that its client gave it.
func TestIsOfSession(t *testing.T) {
	for _, tt := range []struct {
		name, key string
		want      bool
	}{
		{"chat-7", "chat-7", true}, {"chat", "chat-7", false}, {"chat-7", "chat-70", false},
		{"abc", "claude-code/abc/", true}, {"claude-code/abc", "claude-code/abc/", true}, {"claude-code/abc/", "claude-code/abc/", true},
		{"abc", "claude-code/abc/planner", true}, {"claude-code/abc", "claude-code/abc/planner", true}, {"claude-code/abc/planner", "claude-code/abc/planner", true},
		{"abc/planner", "claude-code/abc/planner", true}, {"claude-code/abc/planner", "claude-code/abc/", false},
		{"claude-code", "claude-code/abc/", false}, {"claude-code/", "claude-code/abc/", false}, {"claude-code/ab", "claude-code/abc/", false},
		{"ab", "claude-code/abc/", false}, {"bc", "claude-code/abc/", false}, {"codex/abc", "claude-code/abc/", false},
		{"", "chat", false}, {"/", "claude-code/abc/", false}, {"", "", false}, {"abc", "", false},
	} {
		if got := isOfSession(tt.name, tt.key); got != tt.want {
			t.Errorf("%q means %q: %v", tt.name, tt.key, got)
		}
	}
}
