package erasure

import (
	"cmp"
	"slices"
)

// look gathers what one walk through all places sees. The zero value has seen nothing.
type look struct{ places []*Place }

// at returns what was seen of a place, nothing at first.
func (l *look) at(name, where string) *Place {
	if i := slices.IndexFunc(l.places, func(p *Place) bool { return p.Name == name }); i >= 0 {
		l.places[i].Where = cmp.Or(l.places[i].Where, where)
		return l.places[i]
	}
	p := &Place{Name: name, Where: where, After: new(int)}
	l.places = append(l.places, p)
	return p
}

// saw notes whether something in the place, such as a file, has one of the texts. unread is
// why it could not be read.
func (p *Place) saw(name string, found bool, unread string) {
	if unread != "" {
		p.Unread = add(p.Unread, name+": "+unread)
		return
	}
	p.Looked++
	if found {
		p.Holds = add(p.Holds, name)
		*p.After++
	}
}

func add(names []string, name string) []string {
	if len(names) < maxNames {
		names = append(names, name)
	}
	return names
}

// begin returns the places of a new receipt: what was seen is what was there before.
func (l *look) begin() (places []Place) {
	for _, p := range l.places {
		places = append(places, Place{Name: p.Name, Where: p.Where, Looked: p.Looked, Before: p.After, Held: p.Holds, UnreadBefore: p.Unread})
	}
	return places
}

// again returns the places of a receipt as they are now. A place that is gone has no text. One
// that is new was not looked at before.
func (l *look) again(before []Place) (places []Place) {
	rest := slices.Clone(l.places)
	for _, p := range before {
		now := &Place{After: new(int)}
		if i := slices.IndexFunc(rest, func(n *Place) bool { return n.Name == p.Name }); i >= 0 {
			now = rest[i]
			rest = slices.Delete(rest, i, i+1)
		}
		p.Looked, p.After, p.Holds, p.Unread = now.Looked, now.After, now.Holds, now.Unread
		places = append(places, p)
	}
	for _, p := range rest {
		p.UnreadBefore = []string{p.Where + ": it was not looked at before"}
		places = append(places, *p)
	}
	return places
}
