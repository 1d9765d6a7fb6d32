package memory

import (
	"regexp"
	"strings"
)

// ScopeRule gives a scope to the requests of an agent, of a channel, or of both. A
// pattern may contain *, which stands for any text.
type ScopeRule struct {
	Scope   Scope
	Agent   string // pattern of the agent; empty: any
	Channel string // pattern of the channel, such as slack, or of a channel id; empty: any
}

// ScopeRules are tried in their order.
type ScopeRules []ScopeRule

// ScopeOf returns the scope of a request: the one that it names, or else that of the
// first rule that matches. It is empty where no rule does.
func (rules ScopeRules) ScopeOf(requested Scope, agent string, s Sender) Scope {
	if requested != "" {
		return requested
	}
	id := first(s.ID(), s.channel())
	channel, _, _ := strings.Cut(id, ":")
	for _, r := range rules {
		if matchesPattern(r.Agent, agent) && (matchesPattern(r.Channel, channel) || matchesPattern(r.Channel, id)) {
			return r.Scope
		}
	}
	return ""
}

// matchesPattern reports whether a text matches a pattern, in any case. The empty pattern
// matches everything, and no other pattern matches the empty text.
func matchesPattern(pattern, text string) bool {
	if pattern == "" || text == "" {
		return pattern == ""
	}
	text = strings.ToLower(text)
	parts := strings.Split(strings.ToLower(pattern), "*")
	if len(parts) == 1 {
		return text == parts[0]
	}
	text, ok := strings.CutPrefix(text, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		var found bool
		_, text, found = strings.Cut(text, part)
		ok = ok && found
	}
	return ok && strings.HasSuffix(text, parts[len(parts)-1])
}

// scopeName matches the scopes that the program writes into a comment.
var scopeName = regexp.MustCompile(`^[\pL\pN](?:[\pL\pN ._/]|-[\pL\pN])*$`)

// CheckName refuses a scope that cannot be in a comment beside a memory.
func (s Scope) CheckName() error {
	if s != "" && (len(s) > MaxUser || !scopeName.MatchString(string(s))) {
		return Invalid("scope", "%q is not a valid scope", s).WithHint("a scope has letters, digits, blanks and ._/-, such as work or client/acme")
	}
	return nil
}
