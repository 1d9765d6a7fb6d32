package together

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// AppendVisible is that of [recall.Source].
func (s *Source) AppendVisible(ctx context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	of := s.byOwner(ids)
	for i := range s.parts {
		if len(of[i]) == 0 {
			continue
		}
		from := len(to)
		var err error
		if to, err = s.parts[i].AppendVisible(ctx, to, of[i], p); err != nil {
			return to, err
		}
		shown, err := s.show(ctx, i, to[from:], p)
		if err != nil {
			return to[:from], err
		}
		to = to[:from+len(shown)]
	}
	return to, nil
}

// show drops the memories of a part that another part hides, and those that are before the
// model already. It names the project of the others.
func (s *Source) show(ctx context.Context, part int, list []memory.Memory, p memory.Predicate) ([]memory.Memory, error) {
	var hidden []*index.Hidden
	var onlyCopies []bool // of what is hidden
	others := slices.Clone(s.hiding)
	for j := range s.parts {
		if j != part {
			others = append(others, s.parts[j])
		}
	}
	for _, other := range others {
		if p.Forgotten != memory.Exclude {
			break
		}
		h, err := other.Hidden(ctx, p.View)
		if err != nil {
			return nil, err
		}
		hidden = append(hidden, h)
		onlyCopies = append(onlyCopies, (s.parts[part].Team || other.Team) && !s.parts[part].Documents)
	}
	list = slices.DeleteFunc(list, func(m memory.Memory) bool {
		hides := slices.Contains(s.parts[part].Given, m.Path)
		for i, h := range hidden {
			hides = hides || h.HidesMemory(m, onlyCopies[i])
		}
		return hides
	})
	for i := range list {
		if list[i].Project = s.parts[part].Project; s.parts[part].Documents {
			list[i].Documents = s.parts[part].Workspace
		}
		for _, h := range hidden {
			h.Memory(&list[i])
		}
	}
	return list, nil
}

// List is that of [recall.Source]: the newest memories first.
func (s *Source) List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) (page []memory.Memory, total int, err error) {
	var results []found[memory.Memory]
	for i, part := range s.parts {
		in, n, err := part.List(ctx, p, sort, offset+limit, 0)
		if err == nil {
			in, err = s.show(ctx, i, in, p)
		}
		if err != nil {
			return nil, 0, err
		}
		for _, m := range in {
			results = append(results, found[memory.Memory]{part: i, result: m, id: m.ID})
		}
		total += n
	}
	page = ownOnly(s, results)
	slices.SortStableFunc(page, func(a, b memory.Memory) int { return b.CreatedAt.Compare(a.CreatedAt) })
	page = page[min(offset, len(page)):]
	return page[:min(limit, len(page))], total, nil
}

// IDPrefixes is that of [recall.Source]. A prefix has the length that people see, or more, so
// that in practice it names one memory of all parts.
func (s *Source) IDPrefixes(ctx context.Context, ids []memory.ID, v memory.View) (map[memory.ID]string, error) {
	longest := map[memory.ID]string{}
	for _, part := range s.parts {
		prefixes, err := part.IDPrefixes(ctx, ids, v)
		if err != nil {
			return nil, err
		}
		for id, prefix := range prefixes {
			if longest[id] = id.Short(); len(prefix) > len(longest[id]) {
				longest[id] = prefix
			}
		}
	}
	return longest, nil
}

// Speakers is that of [recall.Source].
func (s *Source) Speakers(ctx context.Context, p memory.Predicate) (names []string, err error) {
	for _, part := range s.parts {
		found, err := part.Speakers(ctx, p)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Feedback is that of [recall.Source].
func (s *Source) Feedback(ctx context.Context) (all []memory.Feedback, err error) {
	for _, part := range s.parts {
		found, err := part.Feedback(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Triggers is that of [recall.Source].
func (s *Source) Triggers(ctx context.Context, p memory.Predicate) (map[memory.ID][]string, error) {
	all := map[memory.ID][]string{}
	var results []found[memory.ID]
	for i, part := range s.parts {
		in, err := part.Triggers(ctx, p)
		if err != nil {
			return nil, err
		}
		for id, phrases := range in {
			all[id] = append(all[id], phrases...)
			results = append(results, found[memory.ID]{part: i, result: id, id: id})
		}
	}
	ownOnly(s, results)
	return all, nil
}
