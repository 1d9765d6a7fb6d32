package memory

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Sender is the sender of the message that a request is about. A host fills it in; a
// model cannot.
type Sender struct {
	User    string `json:"user,omitempty"`    // a channel id such as telegram:4711, or the name of an identity
	Channel string `json:"channel,omitempty"` // the channel of the message; User is then the sender's id in it
}

// ID returns the channel id of the sender; empty if the request names none. A channel
// alone is no sender.
func (s Sender) ID() string {
	channel := s.channel()
	user := strings.Join(strings.Fields(s.User), " ")
	switch {
	case user == "":
		return ""
	case channel == "" || strings.HasPrefix(user, channel+":"):
		return FoldUser(user)
	}
	return channel + ":" + user
}

// channel returns the channel as it is compared; empty if the request names none.
func (s Sender) channel() string { return FoldUser(s.Channel) }

// MaxUser is the longest id of a sender, in bytes. Hosts use shorter ones.
const MaxUser = 200

// Check refuses a sender that cannot be one.
func (s Sender) Check() error {
	for field, value := range map[string]string{"user": s.User, "channel": s.Channel} {
		if len(value) > MaxUser || !utf8.ValidString(value) {
			return Invalid(field, "%s is not an id of at most %d bytes", field, MaxUser)
		}
	}
	if id := s.ID(); id == NobodyUser || id == NoSender {
		return Invalid("user", "%q is not the id of a sender", id).WithHint("leave user out where the sender is not known")
	}
	return nil
}

// FoldUser returns the form in which users are compared. The names of identities have
// no case; channel ids do.
func FoldUser(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if strings.Contains(s, ":") {
		return s
	}
	return strings.ToLower(s)
}

// Users with a special meaning.
const (
	// OwnerIdentity is the identity of the owner of the memories.
	OwnerIdentity = "owner"

	// NoSender is the channel id of an agent's requests without a sender, such as those
	// of a terminal on the host.
	NoSender = "none"

	// NobodyUser is the user of a memory whose declared user cannot be read. No identity
	// can have this name.
	NobodyUser = "?"
)

// Identities contains the channel ids of each user, by the folded name of the identity.
type Identities map[string][]string

// UserOf returns the user of a request: the name of an identity, or the channel id of a
// sender that no identity lists. It is empty where the sender is not known, and for a
// person at the command line. An agent's request without a sender is that of [NoSender].
// Without identities, every channel id is the owner's.
func (all Identities) UserOf(s Sender, who Audience) string {
	id, inChannel := s.ID(), s.channel() != ""
	_, isName := all[id]
	switch {
	case id == "" && (who == AudienceModel || inChannel):
		return all.nameOf(NoSender)
	case id == "", !inChannel && (isName || id == OwnerIdentity):
		return id
	case len(all) > 0:
		return cmp.Or(all.nameOf(id), id)
	case strings.Contains(id, ":"):
		return OwnerIdentity
	}
	return id
}

// nameOf returns the identity that lists a channel id; empty if none does.
func (all Identities) nameOf(id string) string {
	for name, ids := range all {
		if slices.Contains(ids, id) {
			return name
		}
	}
	return ""
}

// NamesOf returns all that names a user beside a memory: the identity and its channel
// ids. What an unknown sender said becomes the user's when an identity lists the sender.
func (all Identities) NamesOf(user string) []string {
	if user == "" {
		return nil
	}
	return append([]string{user}, all[user]...)
}

// Readable returns whose memories an answer may contain. The result lists the names of
// the user, and "" for memories of no user. It is nil if every memory may be shown. That
// is so for a person who names neither a user nor a channel. Without identities, it is so
// for everybody.
func (all Identities) Readable(s Sender, who Audience) []string {
	user := all.UserOf(s, who)
	switch {
	case user == "" && who != AudienceModel && s.channel() == "",
		len(all) == 0 && (user == "" || user == OwnerIdentity):
		return nil
	}
	return append([]string{""}, all.NamesOf(user)...)
}

// OwnNames returns the names of one user in the result of [Identities.Readable]: none for a
// sender who is not known.
func OwnNames(readable []string) (names []string) {
	for _, name := range readable {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

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
	id := cmp.Or(s.ID(), s.channel())
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
var scopeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN](?:[\pL\pN ._/]|-[\pL\pN])*$`) })

// CheckName refuses a scope that cannot be in a comment beside a memory.
func (s Scope) CheckName() error {
	if s != "" && (len(s) > MaxUser || !scopeName().MatchString(string(s))) {
		return Invalid("scope", "%q is not a valid scope", s).WithHint("a scope has letters, digits, blanks and ._/-, such as work or client/acme")
	}
	return nil
}
