package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// identityName matches the names of identities. A channel id has a colon, so that no
// sender has the name of an identity.
var identityName = lazyregexp.New(`^[\pL\pN][\pL\pN _-]{0,62}$`)

// checkIdentities checks that each channel id belongs to one identity, and that no name
// means two things.
func (l *Loaded) checkIdentities() error {
	owners, names := map[string]string{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(l.Identities)) {
		key, folded := "identities."+name, memory.FoldUser(name)
		switch {
		case !identityName().MatchString(name) || folded == memory.NoSender:
			return l.Locate(memory.Invalid(key, "%s: %q is not a valid name", key, name).
				WithHint("a name has up to 63 letters, digits, blanks, _ and -, and is not %q", memory.NoSender))
		case names[folded]:
			return l.Locate(memory.Invalid(key, "%s: another identity has this name; case does not matter", key).WithHint(correctFile))
		}
		names[folded] = true
		for _, id := range l.Identities[name] {
			id = memory.FoldUser(id)
			if other, taken := owners[id]; taken && other != name {
				return l.Locate(memory.Invalid(key, "%s: %q belongs to %s already", key, id, other).
					WithHint("list each channel id once"))
			}
			owners[id] = name
			if id == "" || len(id) > memory.MaxUser || id == memory.NobodyUser {
				return l.Locate(memory.Invalid(key, "%s: %q is not a channel id", key, id).
					WithHint("write the channel and the id of the sender, such as telegram:4711"))
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(owners)) {
		if name := owners[id]; names[id] && id != memory.FoldUser(name) {
			return l.Locate(memory.Invalid("identities."+name, "identities.%s: %q is the name of another identity", name, id).WithHint(correctFile))
		}
	}
	return nil
}

const identityPrefix = "identities."

// identityKey returns the key of an identity. It is in no list of keys, because names are
// free.
func identityKey(name string) (Key, bool) {
	rest, ok := strings.CutPrefix(name, identityPrefix)
	return Key{Name: name, Doc: "the channel ids of this user, between commas, such as telegram:4711"}, ok && identityName().MatchString(rest)
}

// identitySettings lists the identities by name.
func (l *Loaded) identitySettings() (out []Setting) {
	for _, name := range slices.Sorted(maps.Keys(l.Identities)) {
		k, _ := identityKey(identityPrefix + name)
		out = append(out, Setting{Key: k.Name, Value: l.Identities[name], Source: l.Sources[k.Name], Doc: k.Doc})
	}
	return out
}
