package similar

import (
	"slices"
	"strings"
)

// Texts with one subject that may disagree. More are a log, such as a weight that is noted
// every day.
const (
	maxValues = 5
	maxDated  = 2 // of them in the notes of days
)

// Said is a text of a list that is searched for contradictions.
type Said struct {
	Text  string
	Topic string // the headings that tell the subject of a short text
	Dated bool   // it is in the notes of a day, where the same thing may be noted day by day
}

// Contradictions returns the pairs of a list that give different values to one subject. Texts
// that deny each other, or have the same words in another order, are pairs too. All texts of a
// subject are paired with the earliest of them. A log has no pairs: more than five values of
// one subject, or more than two in the notes of days. Only texts whose subjects are equal, or
// differ in one word, are compared, so the work grows with the list.
func Contradictions(list []Said) []Pair {
	c := contradictions{list: list, readings: make([]reading, len(list)), seen: map[Pair]bool{}}
	var subjects, orders, beginnings buckets
	for i, said := range list {
		if key := beginning(said.Text); key != "" {
			beginnings.add(key, place{i, -1})
		}
		r := readSubject(said.Text)
		if len(r.subject) == 0 {
			continue
		}
		c.readings[i] = r
		orders.add(sortedWords(r.words), place{i, -1})
		subjects.add(r.key(-1), place{i, -1})
		for n := range r.subject {
			if len(r.subject) > minExtended && r.extra[n] {
				subjects.add(r.key(n), place{i, n})
			}
		}
	}
	for _, bucket := range orders.inOrder() {
		c.addSwaps(bucket)
	}
	for _, bucket := range subjects.inOrder() {
		c.addValues(bucket, c.disagree)
	}
	for _, bucket := range beginnings.inOrder() {
		c.addValues(bucket, c.replaces)
	}
	return c.pairs
}

// beginning returns how a statement begins: one that [Replaces] another one begins equally. A
// text that is no single statement has none.
func beginning(text string) string {
	if strings.Contains(text, "\n") || countWords(text) > maxStatement {
		return ""
	}
	if strings.ContainsFunc(text, isCJK) {
		runes := []rune(text)
		return string(runes[:min(len(runes), minCJKPrefix)])
	}
	words, _ := valueWords(text)
	return strings.Join(words[:min(len(words), minSamePrefix)], " ")
}

// place is a text of a list, perhaps without one word of its subject.
type place struct{ text, without int }

// buckets groups texts by a key.
type buckets struct {
	places map[string][]place
	order  []string
}

func (b *buckets) add(key string, p place) {
	if b.places == nil {
		b.places = map[string][]place{}
	}
	if b.places[key] == nil {
		b.order = append(b.order, key)
	}
	b.places[key] = append(b.places[key], p)
}

// inOrder returns the groups that are worth comparing.
func (b *buckets) inOrder() (groups [][]place) {
	for _, key := range b.order {
		if n := len(b.places[key]); n > 1 && n <= maxBucket {
			groups = append(groups, b.places[key])
		}
	}
	return groups
}

func sortedWords(words string) string {
	list := strings.Fields(words)
	slices.Sort(list)
	return strings.Join(list, " ")
}

type contradictions struct {
	list     []Said
	readings []reading
	pairs    []Pair
	seen     map[Pair]bool
}

func (c *contradictions) add(i, j int) {
	p := Pair{min(i, j), max(i, j)}
	if !c.seen[p] {
		c.seen[p] = true
		c.pairs = append(c.pairs, p)
	}
}

func (c *contradictions) addSwaps(bucket []place) {
	for n, p := range bucket {
		for _, q := range bucket[n+1:] {
			if c.readings[p.text].swaps(&c.readings[q.text]) && c.haveOneTopic(p.text, q.text) {
				c.add(p.text, q.text)
				break
			}
		}
	}
}

// addValues pairs the texts of one subject with the earliest that they disagree with.
func (c *contradictions) addValues(bucket []place, disagree func(p, q place) bool) {
	paired := map[int]bool{}
	for n, p := range bucket {
		if paired[p.text] {
			continue
		}
		others, dated := []int(nil), c.countDated(p.text)
		for _, q := range bucket[n+1:] {
			if p.text != q.text && !paired[q.text] && disagree(p, q) {
				others = append(others, q.text)
				dated += c.countDated(q.text)
			}
		}
		for _, q := range others {
			paired[q] = true
		}
		if len(others) < maxValues && dated <= maxDated {
			for _, q := range others {
				c.add(p.text, q)
			}
		}
	}
}

func (c *contradictions) countDated(i int) int {
	if c.list[i].Dated {
		return 1
	}
	return 0
}

func (c *contradictions) replaces(p, q place) bool {
	a, b := c.list[p.text].Text, c.list[q.text].Text
	return a != b && Replaces(a, b) && c.haveOneTopic(p.text, q.text)
}

func (c *contradictions) disagree(p, q place) bool {
	if p.without >= 0 && q.without >= 0 {
		return false
	}
	a, b := c.readings[p.text], c.readings[q.text]
	if p.without >= 0 {
		a = a.without(p.without)
	}
	if q.without >= 0 {
		b = b.without(q.without)
	}
	if !a.disagrees(&b) || !c.haveOneTopic(p.text, q.text) {
		return false
	}
	x, y := NewStatement(c.list[p.text].Text), NewStatement(c.list[q.text].Text)
	return x.holdsWhen(&y) && !(x.readClaim().tellsEvent() && y.readClaim().tellsEvent())
}

// haveOneTopic reports whether two texts are about the same thing as far as their headings
// tell. "Port: 8080" under one host and "Port: 8081" under another one are not.
func (c *contradictions) haveOneTopic(i, j int) bool {
	a, b := c.list[i], c.list[j]
	if a.Topic == b.Topic || a.Topic == "" || b.Topic == "" {
		return true
	}
	return min(len(c.readings[i].subject), len(c.readings[j].subject)) >= minOwnSubject || !IsShort(a.Text) && !IsShort(b.Text)
}

// Related reports whether two texts are about the same thing: they share half of the longer
// one's words, or may contradict each other. It is for a reader who knows what was meant.
func Related(text, other string) bool {
	a, b := New(text), New(other)
	shared := len(a.distinct()) - len(a.without(&b))
	return shared >= minSubject && 2*shared >= max(len(a.distinct()), len(b.distinct())) || len(Contradictions([]Said{{Text: text}, {Text: other}})) > 0
}
