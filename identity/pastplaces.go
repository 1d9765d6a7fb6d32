package identity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// placeText is a text in a file.
type placeText struct {
	path string
	text memory.Fingerprint
}

// placeHolder is a memory that had a text in a file and left it.
type placeHolder struct {
	known   int
	path    string
	ordinal int
	leftAt  time.Time
}

// findPastPlaces maps every text and file to the memories that left it, the last
// one first.
func findPastPlaces(known []KnownMemory) map[placeText][]placeHolder {
	holders := map[placeText][]placeHolder{}
	for k, memory := range known {
		for _, p := range memory.PastPlaces {
			at := placeText{p.Path, p.Fingerprint}
			holders[at] = append(holders[at], placeHolder{known: k, path: p.Path, ordinal: p.Ordinal, leftAt: p.LeftAt})
		}
	}
	for _, list := range holders {
		slices.SortStableFunc(list, comparePlaceHolders)
	}
	return holders
}

func comparePlaceHolders(a, b placeHolder) int {
	return cmp.Or(b.leftAt.Compare(a.leftAt), strings.Compare(a.path, b.path), cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.known, b.known))
}

// placeOf returns a block's text and file.
func (m *matcher) placeOf(b int) placeText {
	return placeText{m.blocks[b].Path, m.blocks[b].Block.Fingerprint}
}

// pairAtPastPlaces pairs at most so many memories of one text with the blocks
// that have it in a file that the memory left. A checkout that is seen in parts
// moves lines away and back in several batches. If a file returns, its copies of
// a common text are the same memories again, and not other copies.
func (m *matcher) pairAtPastPlaces(ks, bs []int, most int) {
	c := m.unpaired(ks, bs)
	if len(c.present) == 0 || len(c.blocks) == 0 || len(m.pastPlaces) == 0 || most <= 0 {
		return
	}
	wanted := map[int]bool{}
	for _, k := range c.present {
		wanted[k] = true
	}
	blocksAt := map[string][]int{}
	for _, b := range c.blocks {
		blocksAt[m.blocks[b].Path] = append(blocksAt[m.blocks[b].Path], b)
	}
	var holders []placeHolder
	for _, blocks := range blocksAt {
		holders = append(holders, m.pastPlaces[m.placeOf(blocks[0])]...)
	}
	slices.SortFunc(holders, comparePlaceHolders)
	chosen := map[string][]placeHolder{}
	for _, h := range holders {
		if wanted[h.known] && most > 0 && len(chosen[h.path]) < len(blocksAt[h.path]) {
			chosen[h.path] = append(chosen[h.path], h)
			delete(wanted, h.known)
			most--
		}
	}
	for path, holders := range chosen {
		slices.SortFunc(holders, func(a, b placeHolder) int { return cmp.Compare(a.ordinal, b.ordinal) })
		known := make([]int, len(holders))
		for i, h := range holders {
			known[i] = h.known
		}
		m.align(known, blocksAt[path], len(known))
	}
}

// pairEditedAtPastPlaces pairs the blocks of one text with memories that left the
// text in the block's file. These memories got another text since, and lost that
// one too. If it did so a short time ago, it goes before a copy that was never in
// that file.
func (m *matcher) pairEditedAtPastPlaces(c *copies, unpairedTexts map[memory.Fingerprint]bool) {
	spare := m.spareBlocks(c)
	for _, b := range c.blocks {
		if m.memoryOf[b] != none {
			continue
		}
		i := slices.IndexFunc(m.pastPlaces[m.placeOf(b)], func(h placeHolder) bool {
			known := m.known[h.known]
			return m.claimable(h.known) && !m.isOthers(h.known, b) && (known.Missing || !unpairedTexts[known.Fingerprint]) && (spare > 0 || m.isRecent(h.known))
		})
		if i >= 0 {
			m.claim(m.pastPlaces[m.placeOf(b)][i].known, b)
			spare--
		}
	}
}

// isRecent reports whether a memory lost its text in this batch or a short time
// ago.
func (m *matcher) isRecent(k int) bool {
	return !m.known[k].Missing || m.now.Sub(m.known[k].MissingSince) <= takeOverWindow
}

// isReserved reports whether a block is at a past place of a memory that is now
// in a file outside the batch. That file may be about to disappear, as in a
// checkout. Another memory of another file does not get the block: it becomes a
// new memory, which that memory can take over.
func (m *matcher) isReserved(b int) bool {
	return slices.ContainsFunc(m.pastPlaces[m.placeOf(b)], func(h placeHolder) bool {
		return m.known[h.known].OutsideBatch && !m.isOthers(h.known, b)
	})
}

// movedBefore reports whether a memory left a place in the past.
func (m *matcher) movedBefore(k int) bool { return len(m.known[k].PastPlaces) > 0 }
