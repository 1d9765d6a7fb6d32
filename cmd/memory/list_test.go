package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// pagedReader lists at most page memories per answer.
type pagedReader struct {
	api.Backend
	total, page int
	grows       bool // a new memory is added at the front after every page
	calls       int
}

func (p *pagedReader) List(_ context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	answer := memory.ListAnswer{Total: p.total}
	most := p.page
	if r.Limit != nil && *r.Limit > 0 {
		most = min(most, *r.Limit)
	}
	for i := r.Offset; i < min(p.total, r.Offset+most); i++ {
		answer.Memories = append(answer.Memories, memory.Memory{ID: memory.ID(fmt.Sprint(p.total - i))})
	}
	if p.calls++; p.grows {
		p.total++
	}
	return answer, nil
}

func TestListAllReadsEveryPageOnce(t *testing.T) {
	zero, some, offset := 0, 25, 95
	tests := []struct {
		name        string
		of          pagedReader
		r           memory.ListRequest
		want, calls int
	}{
		{"one page", pagedReader{total: 7, page: 10}, memory.ListRequest{}, 7, 1},
		{"exactly one page", pagedReader{total: 10, page: 10}, memory.ListRequest{Limit: &zero}, 10, 1},
		{"many pages", pagedReader{total: 101, page: 10}, memory.ListRequest{Limit: &zero}, 101, 11},
		{"a limit beyond a page", pagedReader{total: 101, page: 10}, memory.ListRequest{Limit: &some}, 25, 3},
		{"from an offset", pagedReader{total: 101, page: 10}, memory.ListRequest{Offset: offset}, 6, 1},
		{"offset after the end", pagedReader{total: 5, page: 10}, memory.ListRequest{Offset: offset}, 0, 1},
		{"no request asks for too much", pagedReader{total: 2*mostPerPage + 1, page: 10_000}, memory.ListRequest{Limit: &zero}, 2*mostPerPage + 1, 3},
		{"memories are added meanwhile", pagedReader{total: 20, page: 10, grows: true}, memory.ListRequest{}, 20, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, err := listAll(&tt.of, t.Context(), tt.r)
			if err != nil || len(answer.Memories) != tt.want || tt.of.calls != tt.calls {
				t.Errorf("%d memories in %d calls (%v), want %d in %d", len(answer.Memories), tt.of.calls, err, tt.want, tt.calls)
			}
			once := map[memory.ID]bool{}
			for _, m := range answer.Memories {
				if once[m.ID] {
					t.Errorf("%s is listed twice", m.ID)
				}
				once[m.ID] = true
			}
		})
	}
}
