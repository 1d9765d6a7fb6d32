package chunker

import (
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

// isAnnotation says that a text of comments declares something.
func isAnnotation(text string) bool { return applyComments(&memory.Block{}, text) }

// applyComments reads every comment of a text of nothing else.
func applyComments(b *memory.Block, text string) bool {
	known := false
	for _, c := range findComments(text) {
		known = applyComment(b, text[c.Start:c.End]) || known
	}
	return known
}

// applyComment reads a comment: "key: value" pairs between semicolons. It says
// whether any key is known; what is not is somebody else's.
func applyComment(b *memory.Block, comment string) bool {
	known := false
	body := strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->")
	for pair := range strings.SplitSeq(body, ";") {
		key, value, valued := strings.Cut(pair, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if set := annotationKeys[key]; set != nil && (valued || key == "private") {
			set(b, value)
			known = true
		}
	}
	return known
}

// annotationKeys are those that OpenClaw writes and those of ours.
var annotationKeys = map[string]func(b *memory.Block, value string){
	"importance": setImportance,
	"trigger":    addTriggers,
	"triggers":   addTriggers,
	"project":    func(b *memory.Block, v string) { b.Annotations.Scope = memory.Scope(v) },
	"private":    setPrivate,
	"source":     setSource,
	"trust":      setTrust,
}

// setImportance is written from 1 to 10; below 1 it is taken as front matter has
// it, from 0 to 1.
func setImportance(b *memory.Block, value string) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n >= 0 && n <= 10) {
		return
	}
	if n >= 1 {
		n /= 10
	}
	b.Annotations.Importance = &n
}

func addTriggers(b *memory.Block, value string) {
	for t := range strings.SplitSeq(value, ",") {
		b.Triggers = appendMark(b.Triggers, strings.TrimSpace(t))
	}
}

// setPrivate holds unless it is clearly denied: a slip of the pen must not publish.
func setPrivate(b *memory.Block, value string) {
	value = strings.ToLower(value)
	yes := value != "false" && value != "no" && value != "off" && value != "0"
	b.Annotations.Private = &yes
}

// setSource is one of the product's own, or any words for where a text came from.
func setSource(b *memory.Block, value string) {
	if s, err := memory.ParseSource(value); err == nil {
		b.Annotations.Source = s
		return
	}
	b.Annotations.SourceRef = value
}

func setTrust(b *memory.Block, value string) {
	if t, err := memory.ParseTrustTier(value); err == nil {
		b.Annotations.Trust = t
	}
}
