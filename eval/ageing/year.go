package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
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

// smallBlock is the number of memories of a small block, in which places are scarce.
const smallBlock = 5

// result is what a simulated year gave.
type result struct {
	ageing bool
	items  int                   // the most memories of a block
	days   []map[memory.Tier]int // at the end of each day
	months []month               // twelve
	left   map[string]int        // facts that capture left out, by reason
}

// month is what a month of simulated use gave.
type month struct {
	tiers             map[memory.Tier]int
	captured          int
	demoted, promoted int
	tokens, relevant  int // injected
	prompts, answered int // answered: the right memory was in the block
}

// year simulates daily use with ageing and without, and prints what a month gave. It
// draws the tiers over time into a file, if one is named.
func year(ctx context.Context, out io.Writer, p plan, svg string) error {
	for _, items := range []int{recall.Defaults().MaxItems, smallBlock} {
		for _, ageing := range []bool{true, false} {
			r, err := simulate(ctx, p, ageing, items)
			if err != nil {
				return err
			}
			if err := r.print(out); err != nil {
				return err
			}
			if svg == "" || !ageing || items == smallBlock {
				continue
			}
			if err := os.WriteFile(svg, []byte(drawTiers(r.days)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// simulation is one run. known lists the numbers of the facts that are memories, in the
// order of their days.
type simulation struct {
	*world
	plan
	random *rand.Rand
	next   int // of the facts
	known  []int
	dayOf  map[int]int    // of the facts, from the start of the run; negative: before
	textOf map[int]string // as the memory has it
	day    int
	result result
}

func simulate(ctx context.Context, p plan, ageing bool, items int) (result, error) {
	settings := recall.Defaults()
	settings.MaxItems = items
	w, err := newWorld(ctx, time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC), settings)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = w.Close() }() // a folder that stays is harmless
	s := &simulation{world: w, plan: p, random: rand.New(rand.NewPCG(1, 2)), dayOf: map[int]int{}, textOf: map[int]string{},
		result: result{ageing: ageing, items: items, left: map[string]int{}}}
	if err := s.begin(ctx); err != nil {
		return result{}, err
	}
	for s.day = range p.days {
		for len(s.result.months) <= s.day*12/p.days {
			s.result.months = append(s.result.months, month{})
		}
		if err := s.live(ctx, &s.result.months[len(s.result.months)-1]); err != nil {
			return result{}, err
		}
	}
	return s.result, nil
}

// begin writes what was known before the first day.
func (s *simulation) begin(ctx context.Context) error {
	start := s.now
	for range s.memories / 10 {
		s.now = start.AddDate(0, 0, -30)
		if err := s.note("MEMORY.md", -30); err != nil {
			return err
		}
	}
	for i := range s.memories * 9 / 20 {
		day := -300 + i*300/(s.memories*9/20)
		s.now = start.AddDate(0, 0, day)
		if err := s.note(dailyNote(s.now), day); err != nil {
			return err
		}
	}
	s.now = start
	if err := s.index(ctx); err != nil {
		return err
	}
	return s.Load(ctx, "")
}

// nextFact returns the number of the next fact. The order spreads neighbours over the
// year.
func (s *simulation) nextFact() int {
	s.next++
	return (s.next - 1) * 7919 % s.memories
}

// learn notes that a fact is a memory.
func (s *simulation) learn(number, day int, text string) {
	s.known, s.dayOf[number], s.textOf[number] = append(s.known, number), day, text
}

// note writes the next fact into a file.
func (s *simulation) note(path string, day int) error {
	number := s.nextFact()
	s.learn(number, day, factNumber(number).text)
	return s.write(path, factNumber(number).text)
}

// capture offers the next fact in a conversation.
func (s *simulation) capture(ctx context.Context, m *month) error {
	number := s.nextFact()
	said := factNumber(number).text
	if !strings.HasPrefix(said, "Remember that ") {
		said = "Remember that " + said
	}
	a, err := s.Capture(ctx, memory.CaptureRequest{Session: dailyNote(s.now),
		Messages: []memory.CaptureMessage{{Role: "user", Content: memory.MessageContent(said)}}})
	if err != nil {
		return err
	}
	for _, stored := range a.Stored {
		s.learn(number, s.day, stored.Text)
		m.captured++
	}
	for _, skipped := range a.Skipped {
		s.result.left[skipped.Reason]++
	}
	return nil
}

// live simulates one day: some facts are captured, prompts are answered, a sweep runs.
func (s *simulation) live(ctx context.Context, m *month) error {
	for s.next-s.memories*11/20 < (s.day+1)*(s.memories*9/20)/s.days {
		if err := s.capture(ctx, m); err != nil {
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
	if s.result.ageing {
		if err := s.sweepOfTheDay(ctx, m); err != nil {
			return err
		}
	}
	s.now = s.now.Add(24*time.Hour - time.Duration(s.prompts)*time.Hour)
	list, err := s.List(ctx, memory.ListRequest{Limit: new(1)})
	m.tiers = list.Tiers
	s.result.days = append(s.result.days, list.Tiers)
	return err
}

// choose returns the number of the fact that a prompt asks for.
func (s *simulation) choose() int {
	switch p := s.random.Float64(); {
	case p < shareRecent:
		for try := range 200 {
			n := s.known[len(s.known)-1-s.random.IntN(min(len(s.known), 1+try+recentDays*len(s.known)/s.days))]
			if s.dayOf[n] > s.day-recentDays {
				return n
			}
		}
	case p < shareRecent+shareLasting:
		return s.known[s.random.IntN(lastingFacts)*len(s.known)/lastingFacts/2]
	}
	return s.known[s.random.IntN(len(s.known))]
}

func (s *simulation) prompt(ctx context.Context, m *month, session string) error {
	number := s.choose()
	asked := factNumber(number)
	block, err := s.Recall(ctx, memory.RecallRequest{Prompt: asked.prompt, Session: session})
	if err != nil {
		return err
	}
	m.prompts++
	for _, h := range block.Hits {
		m.tokens += len(h.Text) / 4
		if strings.TrimSpace(h.Text) == s.textOf[number] {
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
