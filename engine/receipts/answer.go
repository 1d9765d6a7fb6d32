package receipts

import "github.com/memory-tiered/memory"

// AnswerWithIDs returns an answer about a receipt, and the ids of the memories that it lacks.
func AnswerWithIDs(r memory.Receipt) (a memory.LastAnswer, ids []memory.ID) {
	a.Receipt = r
	for _, g := range r.Injected {
		ids = append(ids, g.ID)
		a.Injected = append(a.Injected, memory.ReceiptMemory{ID: g.ID, Score: g.Score, Similarity: g.Similarity})
	}
	for _, n := range r.NearMisses {
		ids = append(ids, n.ID)
		a.NearMisses = append(a.NearMisses, memory.ReceiptMemory{ID: n.ID, Score: n.Score, Similarity: n.Similarity, Reason: n.Reason})
	}
	return a, ids
}

// AttachMemories adds the memories to their lines of an answer, or the reasons why they are
// withheld.
func AttachMemories(a *memory.LastAnswer, known map[memory.ID]memory.Memory) {
	for _, list := range []memory.List[memory.ReceiptMemory]{a.Injected, a.NearMisses} {
		for i := range list {
			attachMemory(&list[i], known)
		}
	}
	for i, n := range a.Receipt.NearMisses {
		a.NearMisses[i].Detail = ReasonOfMiss(n, a.Receipt, known[n.ID])
	}
}

func attachMemory(line *memory.ReceiptMemory, known map[memory.ID]memory.Memory) {
	m, ok := known[line.ID]
	switch {
	case !ok:
		line.Withheld = "gone"
	case m.Forgotten:
		line.Withheld = memory.ReasonForgotten
	case m.Missing:
		line.Withheld = memory.ReasonMissing
	default:
		line.Memory = &m
	}
}
