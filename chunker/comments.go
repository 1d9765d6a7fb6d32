package chunker

import (
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

// isAnnotation reports whether any comment of a text holds an annotation.
func isAnnotation(text string) bool { return applyComments(&memory.Block{}, text) }

// applyComments adds the annotations of every comment of a text to b and
// reports whether it found any.
func applyComments(b *memory.Block, text string) bool {
	known := false
	for _, c := range findComments(text) {
		known = applyComment(b, text[c.Start:c.End]) || known
	}
	return known
}

// applyComment adds the annotations of a comment to b: "key: value" pairs
// between semicolons. It reports whether it knows any key. Comments with other
// keys belong to other tools.
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

// annotationKeys maps the keys that OpenClaw and this product write to their
// setters.
var annotationKeys = map[string]func(b *memory.Block, value string){
	"importance": setImportance,
	"trigger":    addTriggers,
	"triggers":   addTriggers,
	"project":    func(b *memory.Block, v string) { b.Annotations.Scope = memory.Scope(v) },
	"private":    setPrivate,
	"source":     setSource,
	"trust":      setTrust,
}

// setImportance accepts 1 to 10. A number below 1 is on the scale of front
// matter, 0 to 1.
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

// setPrivate treats every value as true that is no clear denial: a typing error
// must not publish a text.
func setPrivate(b *memory.Block, value string) {
	value = strings.ToLower(value)
	yes := value != "false" && value != "no" && value != "off" && value != "0"
	b.Annotations.Private = &yes
}

// setSource accepts a source of the product's own. Any other words become the
// source reference.
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
