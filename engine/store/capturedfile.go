package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/frontmatter"
)

// capturedHead begins a new captured file. A lost database does not turn captured
// text into text of a person.
const capturedHead = "---\nsource: " + string(memory.SourceAutoCapture) + "\n---\n\n"

// CapturedFolder contains the captured files.
const CapturedFolder = "memory/captured"

// CapturedPath returns the n-th captured file of a day.
func CapturedPath(now time.Time, zone *time.Location, n int) string {
	return notePath(CapturedFolder+"/"+now.In(zone).Format(time.DateOnly), n)
}

// fitCaptured returns what to append to a captured file: its head if it is new, and a
// bullet. annotate is told whether the file declares that its texts were captured.
func fitCaptured(current []byte, text Text, annotate func(declared bool) Annotation) (added []byte, ok bool) {
	head := ""
	if len(current) == 0 {
		head = capturedHead
	}
	before := []byte(head + string(current))
	declared := frontmatter.Parse(before, time.UTC).FileDefaults.Source == memory.SourceAutoCapture
	bullet, ok := fitBullet(before, text, annotate(declared))
	return append([]byte(head), bullet...), ok
}

// AnnotationOfCaptured returns the comments beside a captured text. They tell who said it where and
// when, what it is about, whose it is, its scope and its trust. A zero time is not written.
func AnnotationOfCaptured(candidate capture.Candidate, by lookup.Author, session string, withSource, isPrivate bool, sent time.Time) Annotation {
	pairs := []string{"category: " + string(candidate.Category), "memory_type: " + string(candidate.Type), "source_ref: " + sourceRef(session, candidate.Key)}
	pairs = append(pairs, by.Pairs()...)
	if !sent.IsZero() {
		pairs = append(pairs, "created: "+sent.UTC().Format(time.RFC3339))
	}
	if withSource {
		pairs = append([]string{"source: " + string(memory.SourceAutoCapture)}, pairs...)
	}
	a := Annotation{declared: memory.Declared{User: by.User, Scope: by.Scope}}
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
func sourceRef(session, key string) string { return SourceRefOf(session) + cleanRef(key) }

// SourceRefOf returns how the references to all messages of a session begin.
func SourceRefOf(session string) string {
	if session == "" {
		return ""
	}
	return cleanRef(session) + " "
}

func cleanRef(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@+#", r) {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), maxRef)]
}
