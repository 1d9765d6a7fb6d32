package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/memory-tiered/memory"
)

// plan is the size of a simulation. A tenth of the memories is in MEMORY.md. Of the
// rest, half is in notes of the last 300 days, and half is captured during the run.
type plan struct{ memories, days, prompts int }

// Of ten prompts, six ask for what was written in the last two weeks. Three ask for
// one of fifty subjects that matter all year, and one for anything. After one
// prompt in seven the model searches with a tool too.
const (
	shareRecent, shareLasting = 0.6, 0.3
	recentDays                = 14
	lastingFacts              = 50
	shareRequests             = 1.0 / 7
)

// month is what a month of simulated use gave.
type month struct {
	tiers             map[memory.Tier]int
	demoted, promoted int
	tokens, relevant  int // injected
	prompts, answered int // answered: the right memory was in the block
}

// year simulates daily use with ageing and without, and prints what a month gave.
func year(ctx context.Context, out io.Writer, p plan) error {
	for _, ageing := range []bool{true, false} {
		months, err := simulate(ctx, p, ageing)
		if err != nil {
			return err
		}
		if err := printYear(out, ageing, months); err != nil {
			return err
		}
	}
	return nil
}

// simulation is one run. written lists the facts in the order of their days.
type simulation struct {
	*world
	plan
	random  *rand.Rand
	written []int       // numbers of facts
	dayOf   map[int]int // of the facts, from the start of the run; negative: before
	day     int
}

func simulate(ctx context.Context, p plan, ageing bool) (months []month, err error) {
	w, err := newWorld(ctx, time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC))
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Close() }() // a folder that stays is harmless
	s := &simulation{world: w, plan: p, random: rand.New(rand.NewPCG(1, 2)), dayOf: map[int]int{}}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	for s.day = range p.days {
		for len(months) <= s.day*12/p.days {
			months = append(months, month{})
		}
		m := &months[len(months)-1]
		if err := s.live(ctx, m, ageing); err != nil {
			return nil, err
		}
	}
	return months, nil
}

// begin writes what was known before the first day.
func (s *simulation) begin(ctx context.Context) error {
	start, next := s.now, 0
	for range s.memories / 10 {
		s.now = start.AddDate(0, 0, -30)
		if err := s.add("MEMORY.md", next, -30); err != nil {
			return err
		}
		next++
	}
	for i := range s.memories * 9 / 20 {
		day := -300 + i*300/(s.memories*9/20)
		s.now = start.AddDate(0, 0, day)
		if err := s.add(dailyNote(s.now), next, day); err != nil {
			return err
		}
		next++
	}
	s.now = start
	if err := s.index(ctx); err != nil {
		return err
	}
	return s.Load(ctx, "")
}

// add writes the next fact. The order of the numbers spreads neighbours over the year.
func (s *simulation) add(path string, n, day int) error {
	number := n * 7919 % s.memories
	s.written, s.dayOf[number] = append(s.written, number), day
	return s.write(path, factNumber(number).text)
}

// live simulates one day: some facts are captured, prompts are answered, sweeps run.
func (s *simulation) live(ctx context.Context, m *month, ageing bool) error {
	before := len(s.written)
	for len(s.written)-s.memories*11/20 < (s.day+1)*(s.memories*9/20)/s.days {
		if err := s.add(dailyNote(s.now), len(s.written), s.day); err != nil {
			return err
		}
	}
	if len(s.written) > before {
		if err := s.index(ctx, dailyNote(s.now)); err != nil {
			return err
		}
	}
	for i := range s.prompts {
		if err := s.prompt(ctx, m, fmt.Sprintf("session %d of day %d", i/3, s.day)); err != nil {
			return err
		}
		s.now = s.now.Add(time.Hour)
	}
	if err := s.FlushUses(ctx); err != nil {
		return err
	}
	if ageing {
		if err := s.sweepOfTheDay(ctx, m); err != nil {
			return err
		}
	}
	s.now = s.now.Add(24*time.Hour - time.Duration(s.prompts)*time.Hour)
	list, err := s.List(ctx, memory.ListRequest{Limit: new(1)})
	m.tiers = list.Tiers
	return err
}

// choose returns the number of the fact that a prompt asks for.
func (s *simulation) choose() int {
	switch p := s.random.Float64(); {
	case p < shareRecent:
		for try := range 200 {
			n := s.written[len(s.written)-1-s.random.IntN(min(len(s.written), 1+try+recentDays*len(s.written)/s.days))]
			if s.dayOf[n] > s.day-recentDays {
				return n
			}
		}
	case p < shareRecent+shareLasting:
		return s.written[s.random.IntN(lastingFacts)*len(s.written)/lastingFacts/2]
	}
	return s.written[s.random.IntN(len(s.written))]
}

func (s *simulation) prompt(ctx context.Context, m *month, session string) error {
	asked := factNumber(s.choose())
	block, err := s.Recall(ctx, memory.RecallRequest{Prompt: asked.prompt, Session: session})
	if err != nil {
		return err
	}
	m.prompts++
	for _, h := range block.Hits {
		m.tokens += len(h.Text) / 4
		if strings.TrimSpace(h.Text) == asked.text {
			m.relevant += len(h.Text) / 4
			m.answered++
		}
	}
	receipts := []string{block.Receipt}
	if s.random.Float64() < shareRequests {
		found, err := s.Search(ctx, memory.SearchRequest{Query: asked.prompt, Record: true, Session: session})
		if err != nil {
			return err
		}
		receipts = append(receipts, found.Receipt)
	}
	for _, receipt := range receipts {
		if err := s.Delivered(ctx, "", receipt); err != nil {
			return err
		}
	}
	return nil
}

func (s *simulation) sweepOfTheDay(ctx context.Context, m *month) error {
	answer, err := s.Decay(ctx, memory.DecayRequest{})
	for _, move := range answer.Moves {
		if move.To == memory.TierCold {
			m.demoted++
		} else {
			m.promoted++
		}
	}
	return err
}

func printYear(out io.Writer, ageing bool, months []month) error {
	title := "with ageing"
	if !ageing {
		title = "without ageing"
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "%s\nmonth\tHOT\tWARM\tCOLD\tdemoted\tpromoted\ttokens a prompt\trelevant\tanswered\t\n", title)
	var sum month
	row := func(name string, m month) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%.0f\t%.1f %%\t%.1f %%\t\n", name, m.tiers[memory.TierHot], m.tiers[memory.TierWarm], m.tiers[memory.TierCold],
			m.demoted, m.promoted, float64(m.tokens)/float64(m.prompts), 100*float64(m.relevant)/float64(max(1, m.tokens)), 100*float64(m.answered)/float64(m.prompts))
	}
	for i, m := range months {
		row(fmt.Sprint(i+1), m)
		sum.tiers, sum.demoted, sum.promoted = m.tiers, sum.demoted+m.demoted, sum.promoted+m.promoted
		sum.tokens, sum.relevant, sum.prompts, sum.answered = sum.tokens+m.tokens, sum.relevant+m.relevant, sum.prompts+m.prompts, sum.answered+m.answered
	}
	row("all", sum)
	fmt.Fprintln(table)
	return table.Flush()
}
