package inspector

import (
	"cmp"

	"github.com/memory-tiered/memory"
)

// searchPage shows what a search finds, and what an agent would get.
type searchPage struct {
	Query   string
	Docs    bool // documents are searched instead of memories
	Lines   []line
	Answer  memory.SearchAnswer
	Block   memory.RecallAnswer
	Skipped string // why an agent would get nothing
}

// search shows the memories for a question with every factor.
func (q *request) search() (any, error) {
	p := searchPage{Query: q.param("q"), Docs: q.param("docs") != ""}
	if p.Query == "" {
		return p, nil
	}
	limit, record := 30, false
	var err error
	p.Answer, err = q.backend.Search(q.Context(), memory.SearchRequest{Query: p.Query, Workspace: q.page.Workspace, Docs: p.Docs, Limit: &limit, Explain: true,
		Filter: memory.Filter{Deep: true, Forgotten: true}})
	if err != nil {
		return nil, err
	}
	if p.Block, err = q.backend.Recall(q.Context(), memory.RecallRequest{Prompt: p.Query, Workspace: q.page.Workspace, Record: &record}); err != nil {
		return nil, err
	}
	given := map[memory.ID]bool{}
	for _, h := range p.Block.Hits {
		given[h.ID] = true
	}
	for _, h := range p.Answer.Hits {
		of := *q.page
		of.Workspace = cmp.Or(h.Documents, of.Workspace)
		p.Lines = append(p.Lines, line{page: &of, Memory: h.Memory, ID: h.ID, Score: h.Score, Percent: percentOf(h.Similarity), Query: p.Query,
			Ranking: h.Ranking, InBlock: given[h.ID]})
	}
	p.Skipped = valueOf(p.Block.Skipped)
	return p, nil
}
