package store

import (
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/frontmatter"
)

// capturedHead begins a new captured file. A lost database does not turn captured
// text into text of a person.
const capturedHead = "---\nsource: " + string(memory.SourceAutoCapture) + "\n---\n\n"

// CapturedFolder contains the captured files, and ExtractedFolder those of what a language model
// found in conversations.
const (
	CapturedFolder  = "memory/captured"
	ExtractedFolder = "memory/extracted"
)

// CapturedPath returns the n-th captured file of a day.
func CapturedPath(now time.Time, zone *time.Location, n int) string {
	return dayPath(CapturedFolder, now, zone, n)
}

func dayPath(folder string, now time.Time, zone *time.Location, n int) string {
	return notePath(folder+"/"+now.In(zone).Format(time.DateOnly), n)
}

// fitCaptured returns what to append to a captured file: its head if it is new, and a
// bullet. The bullet does not repeat that its text was captured where the file declares it.
func fitCaptured(current []byte, text Text, d memory.Declared) (added []byte, ok bool) {
	isDeclared := len(current) == 0 || frontmatter.Parse(current, time.UTC).FileDefaults.Source == d.Source
	if d.Source == memory.SourceAutoCapture && isDeclared {
		d.Source = ""
	}
	return fitBelow(capturedHead, current, text, d)
}

// DeclaredOfCaptured returns what the mark of a captured text declares. It tells who said it
// where and when, what it is about, whose it is, its scope and its trust.
func DeclaredOfCaptured(candidate capture.Candidate, by lookup.Author, session string, isPrivate bool, sent time.Time) memory.Declared {
	d := memory.Declared{Source: memory.SourceAutoCapture, Category: candidate.Category, Type: candidate.Type,
		SourceRef: sourceRef(session, candidate.Key), User: by.User, Scope: by.Scope, Created: sent}
	if isPrivate {
		d.Private = new(true)
	}
	if candidate.Trust != memory.TrustTrusted {
		d.Trust = candidate.Trust
	}
	return d
}

// sourceRef names a message: its session and its key.
func sourceRef(session, key string) string { return chunker.SessionRef(session) + chunker.RefName(key) }
