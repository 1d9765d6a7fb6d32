package erasure

import (
	"cmp"
	"os"
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

// again returns the places of a receipt as they are now. One that is new was not looked at before.
// state tells how far the destroy is.
func (l *look) again(before []Place, state string) (places []Place) {
	rest := slices.Clone(l.places)
	for _, p := range before {
		now, isSeen := &Place{After: new(int)}, false
		if i := slices.IndexFunc(rest, func(n *Place) bool { return n.Name == p.Name }); i >= 0 {
			now, isSeen = rest[i], true
			rest = slices.Delete(rest, i, i+1)
		} else if p.Before == nil {
			now.After = nil // nobody could look there then, and nobody can now
		}
		p.Looked, p.After, p.Holds, p.Unread = now.Looked, now.After, now.Holds, now.Unread
		p.Gone = p.gone(isSeen, state)
		places = append(places, p)
	}
	for _, p := range rest {
		p.UnreadBefore = []string{p.Where + ": it was not looked at before"}
		places = append(places, *p)
	}
	return places
}

// gone returns what had a text and cannot be looked at any more, because it was deleted or moved.
// What the program itself deletes is not among it, if its index knows of the destroy.
func (p *Place) gone(isSeen bool, state string) []string {
	switch owner := rowOf(p.Name).owner; {
	case len(p.Held) == 0:
	case owner == ofFiles:
		return slices.DeleteFunc(slices.Clone(p.Held), exists)
	case owner == ofState && state == Unknown,
		owner == ofBeyond && p.Where != "" && (!exists(p.Where) || !isSeen && p.Name == inGit):
		return []string{p.Where}
	}
	return nil
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
