package store

import (
	"errors"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/wording"
)

// maxStored is the length of the longest text that a command stores, in characters.
const maxStored = 10_000

// Validate returns the text of a request as it is stored, or what is wrong with the request.
// A person may insist on a text with a secret, and a tool may not.
func Validate(r memory.StoreRequest) (Text, error) {
	none := Text{}
	if !utf8.ValidString(r.Text) {
		return none, memory.Invalid("text", "the text is not valid UTF-8").WithHint("convert it to UTF-8 first")
	}
	text := chunker.Clean(r.Text)
	switch n := utf8.RuneCountInString(text); {
	case wording.IsFragment(text):
		return none, memory.Invalid("text", "%d characters are too few for a memory; it needs %d, or %d in Chinese and Japanese", n, wording.MinText, wording.MinText/2).
			WithHint("write a whole sentence that says what it is about; a line in a Markdown file of the workspace may be shorter")
	case n > maxStored:
		return none, memory.Invalid("text", "a memory has at most %d characters; this text has %d", maxStored, n).
			WithHint("write a longer text into a Markdown file of the workspace yourself")
	}
	if i := r.Importance; i != nil && !(*i >= 0 && *i <= 1) {
		return none, memory.Invalid("importance", "importance is a number from 0 to 1, not %v", *i)
	}
	isModel := AudienceOf(r) == memory.AudienceModel
	admitted, err := Admit(text, r.Force && !isModel)
	if refused := (*memory.Error)(nil); errors.As(err, &refused) {
		if isModel {
			return none, refused.WithHint("tell the user that it was not stored, and to keep it in a password manager")
		}
		return none, refused.WithHint("keep it in a password manager; --force stores it all the same")
	}
	return admitted, nil
}

// AudienceOf returns whose request it is to store a text. A tool asks for an agent.
func AudienceOf(r memory.StoreRequest) memory.Audience {
	if r.Source == memory.SourceTool {
		return memory.AudienceModel
	}
	return r.For
}

// trustOf returns the trust that is written beside a stored text. Empty means that
// its source decides. What a tool stores is trusted if the user's own message
// contains it.
func trustOf(r memory.StoreRequest) memory.TrustTier {
	if r.Source != memory.SourceTool {
		return ""
	}
	if alignment.Read(chunker.Clean(r.UserMessage)).Contains(alignment.Read(chunker.Clean(r.Text))) {
		return memory.TrustTrusted
	}
	return memory.TrustUntrusted
}

// auditSource returns the audit's name for the source of a stored memory.
func auditSource(source memory.Source) string {
	switch source {
	case memory.SourceTool:
		return "tool"
	case memory.SourceAutoCapture:
		return "capture"
	}
	return "cli"
}
