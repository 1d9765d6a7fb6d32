package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/recall"
)

// set is a workspace with golden queries.
type set struct {
	name, dir string
	golden    []eval.Golden
	tiers     string // tiersAged, tiersWarm, or empty: as declared
}

// foreignCategory is the category of the queries of another set.
const foreignCategory = "foreign"

// readSets reads the golden queries of workspaces, and adds the answerable queries of the
// foreign ones to each of the others.
func readSets(dirs []string, foreign string) (sets []set, err error) {
	var others []set
	if foreign != "" {
		if others, err = readSets(strings.Split(foreign, ","), ""); err != nil {
			return nil, err
		}
	}
	for _, dir := range dirs {
		s := set{name: filepath.Base(filepath.Clean(dir)), dir: dir}
		file, err := os.Open(filepath.Join(dir, "golden.jsonl"))
		if err != nil {
			return nil, err
		}
		s.golden, err = eval.ReadGolden(file, time.UTC)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for _, o := range others {
			if o.name == s.name {
				continue
			}
			for _, g := range o.golden {
				if len(g.Relevant) > 0 {
					s.golden = append(s.golden, eval.Golden{ID: o.name + " " + g.ID, Query: g.Query, Category: foreignCategory})
				}
			}
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// Files without a date are older than all queries, and now is the same in every run.
var (
	written = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	now     = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
)

// open serves a copy of the workspace in a temporary folder, with all vectors.
func (s set) open(ctx context.Context, e embed.Embedder) (served *engine.Engine, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "sets-")
	if err != nil {
		return nil, nil, err
	}
	copied := filepath.Join(dir, "notes")
	if err := copyNotes(copied, s.dir); err != nil {
		return nil, nil, err
	}
	table, err := static.New()
	if err != nil {
		return nil, nil, err
	}
	settings := recall.Defaults()
	settings.Expand, settings.Align = table.Thesaurus().SimilarWords, table.Thesaurus().Align
	served, err = engine.Open(ctx, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: copied, DBPath: filepath.Join(dir, "state", "tiered.db"), Zone: time.UTC, DecisionsFile: true}},
		Embedder:   e, Recall: settings, AutoRecall: true, Now: func() time.Time { return now },
	})
	if err != nil {
		return nil, nil, err
	}
	_, err = served.Index(ctx, memory.IndexRequest{}, nil)
	if err == nil && s.tiers != "" {
		err = s.assignTiers(ctx, served)
	}
	err = errors.Join(err, served.EmbedPending(ctx), served.Load(ctx, ""))
	return served, func() error { return errors.Join(served.Close(), os.RemoveAll(dir)) }, err
}

// Assignments of tiers to memories.
const (
	tiersAged = "aged" // nine in ten right answers are COLD, and the other memories HOT and WARM in turn
	tiersWarm = "warm" // all are WARM
)

// assignTiers gives each memory its tier.
func (s set) assignTiers(ctx context.Context, served *engine.Engine) error {
	list, err := served.List(ctx, memory.ListRequest{Properties: true, Sort: "path", Limit: new(int)})
	if err != nil {
		return err
	}
	to, seen := map[memory.Tier][]string{}, map[bool]int{}
	for _, one := range list.Memories {
		right := slices.ContainsFunc(s.golden, func(g eval.Golden) bool {
			return slices.ContainsFunc(targetsOf(g), func(t eval.Session) bool { return t.CoveredBy(memory.Hit{Memory: one}) })
		})
		tier := memory.TierWarm
		switch n := seen[right]; {
		case s.tiers == tiersWarm:
		case right && n%10 != 9:
			tier = memory.TierCold
		case n%2 == 0:
			tier = memory.TierHot
		}
		to[tier] = append(to[tier], string(one.ID))
		seen[right]++
	}
	for tier, ids := range to {
		for _, action := range []memory.Action{memory.ActionPromote, memory.ActionDemote} { // each changes only the memories on one side of the tier
			if _, err := served.Decide(ctx, memory.DecideRequest{Action: action, IDs: ids, Tier: tier}); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyNotes(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, written, written)
	})
}

// measure asks the golden queries of a set.
func (s set) measure(ctx context.Context, e embed.Embedder, record func(row) error) (rows []row, err error) {
	served, remove, err := s.open(ctx, e)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	for _, g := range s.golden {
		r := row{Set: s.name, ID: g.ID, Query: g.Query, Category: g.Category, Targets: targetsOf(g)}
		for i, lane := range lanes {
			hits, err := search(ctx, served, lane, g)
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", g.ID, err)
			}
			r.Ranks[i] = ranksOf(hits, g)
			if i == 0 && len(g.Relevant) > 0 {
				r.Within1000 = eval.Measure(hits, g.Relevant).Recall1000
			}
			if i == 0 {
				r.addHits(hits, g)
			}
		}
		never := false
		block, err := served.Recall(ctx, memory.RecallRequest{Prompt: g.Query, Scope: g.Scope, AsOf: timeOf(g), Record: &never})
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", g.ID, err)
		}
		r.addBlock(block.Hits, g)
		if err := record(r); err != nil {
			return nil, err
		}
		r.Hits = nil
		rows = append(rows, r)
	}
	return rows, nil
}

// lanes lists the lanes that are compared. The first is the product's answer.
var lanes = [...]memory.Lane{memory.LaneHybrid, memory.LaneText, memory.LaneVector}

// searchedHits is enough for ten different sessions.
const searchedHits = 100

func search(ctx context.Context, served *engine.Engine, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
	if len(g.Relevant) == 0 && lane != memory.LaneHybrid {
		return nil, nil
	}
	limit := searchedHits
	answer, err := served.Search(ctx, memory.SearchRequest{Query: g.Query, Limit: &limit, Lane: lane, Explain: true, Ranked: true, Filter: memory.Filter{Scope: g.Scope}, AsOf: timeOf(g)})
	return answer.Hits, err
}

func timeOf(g eval.Golden) string {
	if g.AsOf.IsZero() {
		return ""
	}
	return g.AsOf.Format(time.RFC3339)
}

// targetsOf returns what has to be found.
func targetsOf(g eval.Golden) (targets []eval.Session) {
	if len(g.Sessions) > 0 {
		return g.Sessions
	}
	for _, l := range g.Relevant {
		if t := (eval.Session{Path: l.Path, From: l.Line, To: l.Line}); !slices.Contains(targets, t) {
			targets = append(targets, t)
		}
	}
	return targets
}

// ranksOf returns the rank, from 1, of the first hit that finds each target; 0: none. If
// the query counts sessions, the hits under one heading count as one.
func ranksOf(hits []memory.Hit, g eval.Golden) []int {
	ranks, place, seen := make([]int, len(targetsOf(g))), 0, map[string]bool{}
	for _, h := range hits {
		key := h.Path + "\x00" + strings.Join(h.Heading, "\x00")
		if len(g.Sessions) == 0 || !seen[key] {
			place++
		}
		seen[key] = true
		for i, t := range targetsOf(g) {
			if ranks[i] == 0 && t.CoveredBy(h) {
				ranks[i] = place
			}
		}
	}
	return ranks
}
