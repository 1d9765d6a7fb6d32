package alignment

import "slices"

// block is a place in which two sequences differ: items of the one, and of the other.
type block struct {
	newer, older     []item
	atNewer, atOlder int
}

// diff appends the places in which two sequences differ, and returns how many items both have in
// one order (the longest common subsequence).
func diff(blocks []block, newer, older []item) (_ []block, shared int) {
	width := len(older) + 1
	var usual [(maxStatement + 1) * (maxStatement + 1)]uint8 // on the stack
	length := usual[:]
	if size := (len(newer) + 1) * width; size > len(usual) { // at most 2*maxStatement items of each
		length = make([]uint8, size)
	}
	for i := len(newer) - 1; i >= 0; i-- {
		for k := len(older) - 1; k >= 0; k-- {
			if newer[i].stem == older[k].stem {
				length[i*width+k] = length[(i+1)*width+k+1] + 1
			} else {
				length[i*width+k] = max(length[(i+1)*width+k], length[i*width+k+1])
			}
		}
	}
	i, k, from, to := 0, 0, 0, 0
	flush := func() {
		if i > from || k > to {
			blocks = append(blocks, block{newer[from:i], older[to:k], from, to})
		}
	}
	for i < len(newer) && k < len(older) {
		switch {
		case newer[i].stem == older[k].stem:
			flush()
			i, k, shared = i+1, k+1, shared+1
			from, to = i, k
		case length[(i+1)*width+k] >= length[i*width+k+1]:
			i++
		default:
			k++
		}
	}
	i, k = len(newer), len(older)
	flush()
	return blocks, shared
}

// pairing is two statements, or parts of them, side by side.
type pairing struct {
	newer, older *statement
	a, b         []item // of the newer and of the older one
	former       []item // values that the newer one reports as former
	roles        role   // of the newer one
	blocks       []block
	shared       int
}

// relate compares a newer statement with an older one. Each part of the newer one may give a
// new value.
func relate(newer, older *statement) (found Relation) {
	if len(newer.items) == 0 || len(older.items) == 0 || newer.roles&doubt != 0 || older.roles&doubt != 0 && newer.roles&changing == 0 || (newer.roles^older.roles)&add != 0 {
		return Unknown
	}
	found = relateParts(newer, older, newer.roles)
	for i := range newer.clauses {
		if c := &newer.clauses[i]; len(c.items) < len(newer.items) && !newer.restricts(i, older) {
			roles := c.roles | newer.roles&end // "Jenkins is gone, we deploy with Drone"
			found = max(found, relateParts(c, older, roles))
		}
	}
	return found
}

// restricts reports whether clause i holds only on a day or at a time: "on Sundays, the shop
// opens at 10". A clause beside it is then only a day or number that the older text lacks.
func (s *statement) restricts(i int, older *statement) bool {
	for k, c := range s.clauses {
		isOther := func(i item) bool { return i.kind&(isDay|isNumber) == 0 || hasItem(older.items, i) }
		if k != i && !slices.ContainsFunc(c.items, isOther) {
			return true
		}
	}
	return false
}

func relateParts(newer, older *statement, roles role) (found Relation) {
	if first := newer.items[0]; roles&changing != 0 && first.roles&contrast != 0 && len(newer.items) > 1 && !hasItem(older.items, first) {
		short := *newer // "we moved the office"
		short.items, newer = newer.items[1:], &short
	}
	var space [4]block // most have no more
	limit := Replaces
	items, former := newer.divide()
	p := pairing{newer: newer, older: older, a: items, b: older.items, former: former, roles: roles}
	if len(former) > 0 {
		if p.namesFormer() {
			p.blocks, p.shared = diff(space[:0], items, older.items)
			if p.isElliptic() {
				return Replaces
			}
			if found = p.relate(); found == Replaces {
				return found
			}
		}
		items, p.a = newer.items, newer.items
		if slices.ContainsFunc(p.former, func(i item) bool { return i.named }) {
			limit = Contradicts // another value was the former one
		}
		p.former = nil
	}
	p.blocks, p.shared = diff(space[:0], items, older.items)
	return max(found, min(p.relate(), limit))
}

// namesFormer reports whether the older statement has the former values of the newer one.
func (p *pairing) namesFormer() bool {
	return !slices.ContainsFunc(p.former, func(f item) bool { return !hasItem(p.b, f) })
}

func hasItem(items []item, i item) bool {
	return slices.ContainsFunc(items, func(other item) bool { return other.stem == i.stem })
}

// isElliptic reports whether the newer statement names two values alone, and the older one
// tells whose they are: "switched to Bitwarden from LastPass".
func (p *pairing) isElliptic() bool {
	at := len(p.b) - len(p.former)
	if at <= 0 || len(p.a) == 0 || !p.older.definite || p.b[at].link == 0 || !p.reportsChange() || p.roles&happened != 0 {
		return false
	}
	for i, f := range p.former {
		if p.b[at+i].stem != f.stem || f.kind != isName {
			return false
		}
	}
	return !slices.ContainsFunc(p.a, func(i item) bool { return i.kind != isName })
}

// changing are the roles of words that report a change.
const changing = change | moves | fresh | end

func (p *pairing) reportsChange() bool { return p.roles&changing != 0 }

// replacesFormer reports whether the value of the older text in a block is what the newer one
// reports as former.
func (p *pairing) replacesFormer(b block) bool {
	_, older := p.value(b)
	return len(p.former) > 0 && !slices.ContainsFunc(older, func(i item) bool { return !hasItem(p.former, i) })
}

// relate returns the relation of two sequences.
func (p *pairing) relate() Relation {
	at := slices.IndexFunc(p.blocks, func(b block) bool { return len(b.newer) > 0 && len(b.older) > 0 })
	switch {
	case p.shared == 0:
		return Unknown
	case p.ends():
		return Replaces
	case p.isReordered(), at < 0 && p.newer.denied != p.older.denied && 2*p.shared > max(len(p.a), len(p.b)):
		return Contradicts
	case at < 0:
		return Unknown
	}
	b, before, after := p.blocks[at], p.blocks[:at], p.blocks[at+1:]
	switch {
	case (b.atNewer == 0 || b.atOlder == 0) && !p.replacesFormer(b):
		return Unknown
	case (p.newer.roles|p.older.roles)&happened != 0, p.newer.roles&end != 0:
		return Unknown
	case p.newer.denied != p.older.denied, !p.omits(before, after, b), !p.areOneKind(b):
		return Unknown
	case p.reportsChange() && p.changes(b), !p.reportsChange() && p.repeats(b, before, after):
		return Replaces
	case p.isValue(b) && !hasInnerLink(b.newer) && len(b.newer) <= maxValue && len(b.older) <= maxValue:
		return Contradicts
	}
	return Unknown
}

const (
	minSubject = 2 // items that tell that two texts are about the same thing
	maxValue   = 4 // items of a value
)

// isReordered reports whether two sequences have the same items in another order.
func (p *pairing) isReordered() bool {
	if len(p.a) != len(p.b) || p.shared == len(p.a) {
		return false
	}
	sum, stems := uint64(0), [2][]uint64{}
	for i := range p.a {
		sum += p.a[i].stem - p.b[i].stem
	}
	if sum != 0 { // nearly always
		return false
	}
	for i := range p.a {
		stems[0], stems[1] = append(stems[0], p.a[i].stem), append(stems[1], p.b[i].stem)
	}
	slices.Sort(stems[0])
	slices.Sort(stems[1])
	return slices.Equal(stems[0], stems[1])
}

// ends reports whether the newer statement says that the older one no longer holds. It need
// not repeat the value.
func (p *pairing) ends() bool {
	if p.newer.roles&end == 0 || p.older.denied || p.newer.denied || p.older.roles&(end|happened) != 0 || p.shared < min(minSubject, len(p.b)) {
		return false
	}
	for _, b := range p.blocks {
		if len(b.newer) > 0 || b.atOlder == 0 || slices.ContainsFunc(b.older, func(i item) bool { return i.kind&(isNumber|isDay) == 0 && i.roles&verb == 0 }) {
			return false
		}
	}
	return true
}

// omits reports whether the texts differ in one place only. A text that reports a change need
// not repeat what follows the value, and may add a number or day.
func (p *pairing) omits(before, after []block, b block) bool {
	if len(before)+len(after) == 0 {
		return true
	}
	if !p.reportsChange() || len(before) > 0 {
		return false
	}
	return !slices.ContainsFunc(after, func(b block) bool {
		return len(b.newer) > 0 && (len(b.older) > 0 || kindsOf(b.newer)&(isPlain|isName) != 0)
	})
}

// value returns the items of a block that are its value. What an older text adds to a number
// or day need not be repeated, nor its verb.
func (p *pairing) value(b block) (newer, older []item) {
	newer, older = b.newer, b.older
	isTyped := func(i item) bool { return i.kind&(isNumber|isDay) != 0 }
	if p.reportsChange() && len(older) > 1 && older[0].roles&(verb|live) != 0 && (isTyped(newer[0]) || len(p.former) > 0 || p.roles&moves != 0 && older[0].roles&live != 0) {
		older = older[1:]
	}
	if p.reportsChange() && isTyped(older[0]) && (p.roles&moves == 0 || older[0].kind == isDay) { // what is moved to 10 o'clock has no unit
		older = slices.DeleteFunc(slices.Clone(older), func(i item) bool { return i.kind == isPlain && !hasItem(newer, i) })
	}
	return newer, older
}

// areOneKind reports whether both sides of a block are values of one kind. Only words of
// change may change two values at once, such as a day and a time.
func (p *pairing) areOneKind(b block) bool {
	newer, older := p.value(b)
	x, y := kindsOf(newer), kindsOf(older)
	const typed = isNumber | isDay
	switch {
	case len(newer) > maxValue || len(older) > maxValue, hasInnerLink(newer), hasInnerLink(older):
		return false
	case haveOtherUnits(newer, older), y&isDay != 0 && y != x && x&isDay == 0: // the day may still hold
		return false
	case p.reportsChange() && y&typed != 0:
		if p.roles&moves != 0 {
			y |= typed // a new day may have another time
		}
		return x&y&typed != 0 && x&^y == 0 && (x|y)&isPlain == 0
	}
	return x == y && x&(x-1) == 0
}

// haveOtherUnits reports whether two values have numbers of different units, as 15分 and 10時.
func haveOtherUnits(newer, older []item) bool {
	for _, x := range newer {
		for _, y := range older {
			if x.unit != 0 && y.unit != 0 && x.unit != y.unit {
				return true
			}
		}
	}
	return false
}

// hasInnerLink reports whether a value is two. A word such as "for" comes before an ordinary
// word or a name inside it, or between two numbers.
func hasInnerLink(items []item) bool {
	for n, i := range items {
		if n > 0 && i.link != 0 && (kindsOf(items[:n+1])&(isPlain|isName) != 0 || kindsOf(items[:n])&i.kind != 0) || i.roles&joins != 0 {
			return true
		}
	}
	return false
}

func kindsOf(items []item) (all kind) {
	for _, i := range items {
		all |= i.kind
	}
	return all
}

// isValue reports whether a block may be in a place for values. That is after a word such as
// "is", at the end of both texts, or where the subject has one value at a time.
func (p *pairing) isValue(b block) bool {
	x, y := b.newer[0].link, b.older[0].link
	return x != 0 && x == y || p.shared >= minSubject && (x != 0 && y != 0 || p.newer.roles&p.older.roles&one != 0 || b.atNewer+len(b.newer) == len(p.a) && b.atOlder+len(b.older) == len(p.b))
}

// changes reports whether the newer text, which reports a change, has its value in the place
// of the older one's.
func (p *pairing) changes(b block) bool {
	newer, older := p.value(b)
	x, y := newer[0], older[0]
	isLast := b.atNewer+len(b.newer) == len(p.a)
	switch {
	case len(p.former) > 0:
		return p.replacesFormer(b)
	case kindsOf(older)&(isNumber|isDay) != 0:
		return x.link != 0 || y.link != 0 || isLast || p.continues(b, isNumber|isDay|isName) // "Python 3.13"
	case p.roles&many != 0:
		return false
	case x.unique && y.unique && x.kind == isName:
		return x.link != 0 && y.link != 0
	case p.roles&fresh != 0:
		return false // a new cat may live beside the old one
	case len(older) < len(b.older): // the verb that "moved to" stands for
		return x.kind == isName && isLast
	}
	return x.link != 0 && x.link == y.link
}

// repeats reports whether the newer text repeats the older one word by word, but for a value.
// Numbers and days are values after a word such as "is", or at the end. Other words are so
// only where the subject has one value at a time.
func (p *pairing) repeats(b block, before, after []block) bool {
	x, y := b.newer[0], b.older[0]
	if len(before)+len(after) > 0 || !p.haveEqualGaps(b) {
		return false
	}
	isLast := b.atNewer+len(b.newer) == len(p.a) && b.atOlder+len(b.older) == len(p.b)
	linked := x.link != 0 && x.link == y.link
	switch {
	case x.kind&(isNumber|isDay) != 0:
		return len(b.newer)+len(b.older) == 2 && (linked || p.continues(b, isNumber|isDay) || isLast && b.atOlder >= minSubject)
	case p.newer.roles&one != 0:
		return linked
	}
	return linked && x.kind == isName && p.newer.definite && x.unique && y.unique
}

// continues reports whether a block is a part of a value that begins equally in both texts.
func (p *pairing) continues(b block, kinds kind) bool {
	before := p.a[b.atNewer-1]
	return before.kind&kinds != 0 && before.link != 0
}

// haveEqualGaps reports whether the words that are taken out of both texts are equal.
func (p *pairing) haveEqualGaps(b block) bool {
	for i := range b.atNewer {
		if i > 0 && p.a[i].gap != p.b[i].gap {
			return false
		}
	}
	from, to := b.atNewer+len(b.newer), b.atOlder+len(b.older)
	for i := range len(p.a) - from {
		if p.a[from+i].gap != p.b[to+i].gap {
			return false
		}
	}
	return b.newer[0].gap == b.older[0].gap
}
