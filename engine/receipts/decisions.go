package receipts

import "github.com/memory-tiered/memory"

// OfDecision returns the receipt of a decision.
func OfDecision(r memory.DecideRequest, a memory.DecideAnswer) memory.Receipt {
	receipt := memory.Receipt{Kind: memory.ReceiptDecide, Action: string(a.Action), Agent: r.Agent, User: r.Sender.ID(),
		Counts: map[string]int{"changed": len(a.Changed), "unchanged": len(a.Unchanged)}}
	if r.Filter != nil {
		filter := *r.Filter
		filter.Entity = "" // a name is text of memories, which may be destroyed
		receipt.Filters.Scope, receipt.Filters.Memories = r.Filter.Scope, &filter
	}
	receipt.IDs = memory.IDsOf(a.Changed)
	return receipt
}

// OfSweep returns the receipt of a sweep.
func OfSweep(a memory.DecayAnswer) memory.Receipt {
	receipt := memory.Receipt{Kind: memory.ReceiptSweep, Counts: map[string]int{"moved": len(a.Moves)}}
	for _, m := range a.Moves {
		receipt.IDs = append(receipt.IDs, m.ID)
	}
	return receipt
}

// OfGrade returns the receipt of a grading.
func OfGrade(a memory.GradeAnswer) memory.Receipt {
	receipt := memory.Receipt{Kind: memory.ReceiptGrade, Counts: map[string]int{"updated": a.Updated, "overwritten": a.Overwritten, "skipped": a.Skipped}}
	for _, g := range a.Grades {
		receipt.IDs = append(receipt.IDs, g.ID)
	}
	return receipt
}

// OfImport returns the receipt of an import.
func OfImport(a memory.ImportAnswer) memory.Receipt {
	counts := map[string]int{"failed": len(a.Failed), "no_text": a.NoText, "destroyed": a.Destroyed}
	counts["added"], counts["updated"] = a.Added, a.Updated
	counts["unchanged"], counts["duplicates"] = a.Unchanged, a.Duplicates
	return memory.Receipt{Kind: memory.ReceiptImport, Counts: counts}
}

// OfSnapshot returns the receipt of a snapshot that was created, restored or removed.
func OfSnapshot(action string, a memory.SnapshotAnswer) memory.Receipt {
	receipt := memory.Receipt{Kind: memory.ReceiptSnapshot, Action: action, Counts: map[string]int{"memories": a.Snapshots[0].Memories}}
	if a.Restored != nil {
		receipt.Counts["changed"], receipt.Counts["gone"] = len(a.Restored.Changed), len(a.Restored.Unchanged)
		receipt.IDs = memory.IDsOf(a.Restored.Changed)
	}
	return receipt
}
