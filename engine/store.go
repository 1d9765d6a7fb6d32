package engine

import (
	"bytes"
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// The length of a text that may be stored, in characters. It binds what comes
// by command, never what a person wrote in Markdown.
const (
	minStored = 10
	maxStored = 10_000
)

// Store writes a text into today's daily note and answers with the memory that
// it became, or with the one that says it already.
func (e *Engine) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	text, err := validateStore(r)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	defer unlock()
	now := e.now()
	d, err := s.openFolder()
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if same, ok, err := s.memoryWithText(ctx, text); err != nil || ok {
		return duplicateAnswer(same), err
	}
	path, err := s.appendToDailyNote(d, now, text)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if _, err := s.ingestLocked(ctx, now, []string{path}, false, func(memory.Progress) {}); err != nil {
		return memory.StoreAnswer{}, err
	}
	if _, err := s.embedPending(ctx, storeEmbedLimit, func(memory.Progress) {}); err != nil && ctx.Err() != nil {
		return memory.StoreAnswer{}, ctx.Err()
	}
	m, ok, err := s.memoryWithText(ctx, text)
	if err == nil && !ok {
		err = memory.Conflict("%s changed while the memory was written", path).WithHint("look at %s, then try again", path)
	}
	if err == nil {
		m, err = s.declareStored(ctx, now, m, r)
	}
	return memory.StoreAnswer{Action: "store", Memory: m}, err
}

// storeEmbedLimit is how long a store waits for its vector: it holds everybody up
// who writes, and its words are found already.
const storeEmbedLimit = time.Second

func validateStore(r memory.StoreRequest) (string, error) {
	text := chunker.Clean(r.Text)
	if n := utf8.RuneCountInString(text); n < minStored || n > maxStored {
		return "", memory.Invalid("text", "a memory is %d to %d characters long, this is %d", minStored, maxStored, n).
			WithHint("longer texts can be written into a Markdown file of the workspace by hand")
	}
	if i := r.Importance; i != nil && !(*i >= 0 && *i <= 1) {
		return "", memory.Invalid("importance", "importance is a number from 0 to 1, not %v", *i)
	}
	return text, nil
}

// memoryWithText finds the memory that says exactly this, if one does. A forgotten one
// is a conflict: storing its text again must not bring it back.
func (s *workspaceState) memoryWithText(ctx context.Context, text string) (memory.Memory, bool, error) {
	known, err := s.db.Known(ctx, memory.KnownQuery{Fingerprints: []memory.Fingerprint{chunker.Fingerprint(text)}})
	if err != nil {
		return memory.Memory{}, false, err
	}
	for _, k := range known {
		if k.Fingerprint != chunker.Fingerprint(text) {
			continue
		}
		m, err := s.findMemory(ctx, string(k.ID))
		if err == nil && m.Forgotten {
			err = forgottenTextError(m)
		}
		if err != nil || !m.Missing {
			return m, err == nil, err
		}
	}
	return memory.Memory{}, false, nil
}

func duplicateAnswer(m memory.Memory) memory.StoreAnswer {
	one, message := 1.0, "Similar memory exists"
	return memory.StoreAnswer{Action: "store", Memory: m, Duplicate: true, Similarity: &one, Message: &message}
}

// appendToDailyNote writes a bullet at the end of today's daily note. A note whose end
// would swallow the bullet (a fence left open) is left alone, and one beside it
// is written.
func (s *workspaceState) appendToDailyNote(d *workspaceFolder, now time.Time, text string) (string, error) {
	day := now.In(s.Zone).Format(time.DateOnly)
	const most = 9 // notes of one day; nine with an open fence at their end are no accident
	for n := 1; n <= most; n++ {
		path := "memory/" + day + ".md"
		if n > 1 {
			path = fmt.Sprintf("memory/%s-%d.md", day, n)
		}
		swallowed := false
		tail, err := d.Append(path, func(current []byte) []byte {
			bullet, ok := fitBullet(current, text)
			swallowed = !ok
			return bullet
		})
		s.watchAppends(tail)
		if err != nil || !swallowed {
			return path, err
		}
	}
	return "", memory.Conflict("no daily note of %s can take another memory", day).
		WithHint("look for a code fence or comment that is left open at the end of memory/%s.md", day)
}

// fitBullet is a bullet that can stand at the end of a file: the file then says
// what it said before and the text, and nothing else.
func fitBullet(current []byte, text string) (bullet []byte, ok bool) {
	before := chunker.Blocks(current, frontmatter.Parse(current, time.UTC).Body)
	for _, gap := range []string{"", "\n"} {
		bullet = append([]byte(gap), chunker.Bullet(text)...)
		next := bytes.Clone(current)
		if len(next) > 0 && next[len(next)-1] != '\n' {
			next = append(next, '\n')
		}
		next = append(next, bullet...)
		after := chunker.Blocks(next, frontmatter.Parse(next, time.UTC).Body)
		if len(after) == len(before)+1 && after[len(before)].Text == text && sameTexts(before, after) {
			return bullet, true
		}
	}
	return nil, false
}

func sameTexts(before, after []memory.Block) bool {
	for i, b := range before {
		if after[i].Fingerprint != b.Fingerprint {
			return false
		}
	}
	return true
}
