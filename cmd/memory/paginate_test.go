package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// paged answers lists with at most page memories at once.
type paged struct {
	api.Backend
	total, page int
	grows       bool // a memory comes in front after every page
	asked       int
}

func (p *paged) List(_ context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	answer := memory.ListAnswer{Total: p.total}
	most := p.page
	if r.Limit != nil && *r.Limit > 0 {
		most = min(most, *r.Limit)
	}
	for i := r.Offset; i < min(p.total, r.Offset+most); i++ {
		answer.Memories = append(answer.Memories, memory.Memory{ID: memory.ID(fmt.Sprint(p.total - i))})
	}
	if p.asked++; p.grows {
		p.total++
	}
	return answer, nil
}

func TestEveryMemory(t *testing.T) {
	zero, some, offset := 0, 25, 95
	tests := []struct {
		name        string
		of          paged
		r           memory.ListRequest
		want, asked int
	}{
		{"one page", paged{total: 7, page: 10}, memory.ListRequest{}, 7, 1},
		{"just a page", paged{total: 10, page: 10}, memory.ListRequest{Limit: &zero}, 10, 1},
		{"many pages", paged{total: 101, page: 10}, memory.ListRequest{Limit: &zero}, 101, 11},
		{"a limit beyond a page", paged{total: 101, page: 10}, memory.ListRequest{Limit: &some}, 25, 3},
		{"from an offset", paged{total: 101, page: 10}, memory.ListRequest{Offset: offset}, 6, 1},
		{"behind the end", paged{total: 5, page: 10}, memory.ListRequest{Offset: offset}, 0, 1},
		{"while it grows", paged{total: 20, page: 10, grows: true}, memory.ListRequest{}, 20, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, err := listAll(t.Context(), &tt.of, tt.r)
			if err != nil || len(answer.Memories) != tt.want || tt.of.asked != tt.asked {
				t.Errorf("%d memories by %d answers (%v), want %d by %d", len(answer.Memories), tt.of.asked, err, tt.want, tt.asked)
			}
			once := map[memory.ID]bool{}
			for _, m := range answer.Memories {
				if once[m.ID] {
					t.Errorf("%s is there twice", m.ID)
				}
				once[m.ID] = true
			}
		})
	}
}
