package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/frontmatter"
)

// capturedHead begins a new captured file. A lost database does not turn captured
// text into text of a person.
const capturedHead = "---\nsource: " + string(memory.SourceAutoCapture) + "\n---\n\n"

// capturedPath returns the n-th captured file of a day.
func capturedPath(now time.Time, zone *time.Location, n int) string {
	return notePath("memory/captured/"+now.In(zone).Format(time.DateOnly), n)
}

// writeCaptured appends a candidate to today's captured file and indexes it.
func (c *capturing) writeCaptured(ctx context.Context, candidate capture.Candidate, isPrivate bool) (m memory.Memory, isNewFile bool, err error) {
	folder, err := c.openFolder()
	if err != nil {
		return m, false, err
	}
	note, err := c.appendToNote(folder, func(n int) string { return capturedPath(c.now, c.zone(), n) }, func(current []byte) ([]byte, bool) {
		return fitCaptured(current, candidate.Text, func(declared bool) annotation {
			return annotate(candidate, c.by, c.request.Session, !declared, isPrivate, c.sentAt[candidate.Key])
		})
	})
	if err != nil {
		return m, false, err
	}
	if _, err := c.ingestLocked(ctx, c.now, []string{note.path}, false, func(memory.Progress) {}); err != nil {
		return m, false, err
	}
	m, ok, err := c.memoryWritten(ctx, note.path, candidate.Text)
	if err == nil && !ok {
		err = memory.Conflict("%s changed while the memory was written", note.path).WithHint("send the messages again")
	}
	return m, note.isNew, err
}

// fitCaptured returns what to append to a captured file: its head if it is new, and a
// bullet. annotate is told whether the file declares that its texts were captured.
func fitCaptured(current []byte, text string, annotate func(declared bool) annotation) (added []byte, ok bool) {
	head := ""
	if len(current) == 0 {
		head = capturedHead
	}
	before := []byte(head + string(current))
	declared := frontmatter.Parse(before, time.UTC).FileDefaults.Source == memory.SourceAutoCapture
	bullet, ok := fitBullet(before, text, annotate(declared))
	return append([]byte(head), bullet...), ok
}

// annotate returns the comments beside a captured text. They tell who said it where and
// when, what it is about, whose it is, its scope and its trust. A zero time is not written.
func annotate(candidate capture.Candidate, by author, session string, withSource, isPrivate bool, sent time.Time) annotation {
	pairs := []string{"category: " + string(candidate.Category), "memory_type: " + string(candidate.Type), "source_ref: " + sourceRef(session, candidate.Key)}
	pairs = append(pairs, by.pairs()...)
	if !sent.IsZero() {
		pairs = append(pairs, "created: "+sent.UTC().Format(time.RFC3339))
	}
	if withSource {
		pairs = append([]string{"source: " + string(memory.SourceAutoCapture)}, pairs...)
	}
	a := annotation{declared: memory.Declared{User: by.user, Scope: by.scope}}
	if isPrivate {
		pairs = append([]string{"private"}, pairs...)
		a.declared.Private = new(true)
	}
	a.comment = "<!-- " + strings.Join(pairs, "; ") + " -->"
	if candidate.Trust != memory.TrustTrusted {
		a.declared.Trust = candidate.Trust
		a.comment = fmt.Sprintf("<!-- trust: %s --> %s", candidate.Trust, a.comment)
	}
	return a
}

// maxRef is the length of each part of a source reference. Hosts use shorter names.
const maxRef = 80

// sourceRef names a message: its session and its key, without what could end a
// comment or an annotation.
func sourceRef(session, key string) string {
	clean := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@+#", r) {
				return r
			}
			return '_'
		}, s)
		return s[:min(len(s), maxRef)]
	}
	if session == "" {
		return clean(key)
	}
	return clean(session) + " " + clean(key)
}
