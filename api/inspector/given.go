package inspector

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/memory-tiered/memory"
)

// givenPage lists what agents got.
type givenPage struct {
	Blocks  []block
	Empty   int // recalls that gave nothing, among those shown
	More    string
	Session string
}

// block is what one recall or one search of a tool gave to an agent.
type block struct {
	*page
	Receipt memory.Receipt
	Lines   []line
	Misses  []line
}

// sortBy sorts a list by a number.
func sortBy[T any, N cmp.Ordered](list []T, by func(T) N) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(by(a), by(b)) })
}

const blocksPerPage = 20

// given shows every block that an agent got, newest first.
func (q *request) given() (any, error) {
	limit := blocksPerPage
	if n, err := strconv.Atoi(q.param("n")); err == nil && n > 0 && n <= 2000 {
		limit = n
	}
	p := givenPage{Session: q.param("session")}
	receipts, err := q.backend.Receipts(q.Context(), memory.ReceiptsRequest{Workspace: q.page.Workspace, Session: p.Session, Prompts: true})
	if err != nil {
		return nil, err
	}
	for _, r := range receipts.Receipts {
		switch {
		case r.Kind == memory.ReceiptCapture:
			continue
		case len(r.Injected) == 0:
			p.Empty++
			continue
		case len(p.Blocks) == limit:
			p.More = q.page.URL("/", "n", strconv.Itoa(limit*2), "session", p.Session)
		}
		if p.More != "" {
			break
		}
		b, err := q.blockOf(r, false)
		if err != nil {
			return nil, err
		}
		p.Blocks = append(p.Blocks, b)
	}
	return p, nil
}

// block shows one block with the memories that were left out.
func (q *request) block() (any, error) {
	answer, err := q.backend.Last(q.Context(), memory.LastRequest{Workspace: q.page.Workspace, Receipt: q.PathValue("id"), Prompts: true})
	if err != nil {
		return nil, err
	}
	b, err := q.blockOf(answer.Receipt, true)
	return b, err
}

// blockOf reads the memories of a receipt as they are now.
func (q *request) blockOf(r memory.Receipt, withMisses bool) (block, error) {
	b := block{page: q.page, Receipt: r}
	answer, err := q.backend.Last(q.Context(), memory.LastRequest{Workspace: q.page.Workspace, Receipt: r.ID})
	if err != nil {
		return b, err
	}
	for _, g := range answer.Injected {
		b.Lines = append(b.Lines, q.receiptLine(r, g))
	}
	if withMisses {
		for _, miss := range answer.NearMisses {
			b.Misses = append(b.Misses, q.receiptLine(r, miss))
		}
	}
	return b, nil
}

// receiptLine returns the line of a memory that a receipt lists. The owner also sees one that
// is forgotten by now.
func (q *request) receiptLine(r memory.Receipt, g memory.ReceiptMemory) line {
	l := line{page: q.page, ID: g.ID, Score: g.Score, Percent: percentOf(g.Similarity), Query: r.Prompt, Receipt: r.ID, Reason: cmp.Or(g.Detail, g.Reason)}
	if g.Memory != nil {
		l.Memory = *g.Memory
		return l
	}
	shown, err := q.backend.Show(q.Context(), memory.ShowRequest{ID: string(g.ID), Workspace: q.page.Workspace})
	if err != nil {
		l.Gone = "It does not exist any more."
	}
	l.Memory = shown.Memory
	return l
}

// whyPart explains one memory for one question.
type whyPart struct {
	line
	Explain memory.ExplainAnswer
	WhyNot  memory.WhyNotAnswer
}

// why explains why a memory was given, or was not. It is a part of a page, and a page without
// script.
func (q *request) why() (any, error) {
	id, query, receipt := q.param("id"), q.param("q"), q.param("receipt")
	explained, err := q.backend.Explain(q.Context(), memory.ExplainRequest{ID: id, Workspace: q.page.Workspace, Query: query})
	if err != nil {
		return nil, err
	}
	p := whyPart{line: q.newLine(explained.Memory), Explain: explained}
	p.Query, p.Receipt = query, receipt
	not := memory.WhyNotRequest{ID: id, Workspace: q.page.Workspace, Query: query}
	if query == "" {
		not.Receipt = receipt
	}
	if p.WhyNot, err = q.backend.WhyNot(q.Context(), not); err != nil {
		return nil, err
	}
	if query != "" {
		if p.Ranking, err = q.rankingOf(explained.Memory.ID, query); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// rankingOf returns the signals of a memory for a question; none if the search does not find it.
func (q *request) rankingOf(id memory.ID, query string) (memory.List[memory.Factor], error) {
	limit := 50
	answer, err := q.backend.Search(q.Context(), memory.SearchRequest{Query: query, Workspace: q.page.Workspace, Limit: &limit, Explain: true, Ranked: true,
		Filter: memory.Filter{Deep: true, Forgotten: true}})
	for _, h := range answer.Hits {
		if h.ID == id {
			return h.Ranking, err
		}
	}
	return nil, err
}
