package chunker

import (
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

// annotates says that a text of comments declares something.
func annotates(text string) bool { return declareAll(&memory.Block{}, text) }

// declareAll reads every comment of a text of nothing else.
func declareAll(b *memory.Block, text string) bool {
	known := false
	for _, c := range comments(text) {
		known = declare(b, text[c.Start:c.End]) || known
	}
	return known
}

// declare reads a comment: "key: value" pairs between semicolons. It says
// whether any key is known; what is not is somebody else's.
func declare(b *memory.Block, comment string) bool {
	known := false
	body := strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->")
	for pair := range strings.SplitSeq(body, ";") {
		key, value, valued := strings.Cut(pair, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if set := keys[key]; set != nil && (valued || key == "private") {
			set(b, value)
			known = true
		}
	}
	return known
}

// keys are those that OpenClaw writes and those of ours.
var keys = map[string]func(b *memory.Block, value string){
	"importance": importance,
	"trigger":    triggers,
	"triggers":   triggers,
	"project":    func(b *memory.Block, v string) { b.Annotations.Scope = memory.Scope(v) },
	"private":    private,
	"source":     source,
	"trust":      trust,
}

// importance is written from 1 to 10; below 1 it is taken as front matter has
// it, from 0 to 1.
func importance(b *memory.Block, value string) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n >= 0 && n <= 10) {
		return
	}
	if n >= 1 {
		n /= 10
	}
	b.Annotations.Importance = &n
}

func triggers(b *memory.Block, value string) {
	for t := range strings.SplitSeq(value, ",") {
		b.Triggers = withMark(b.Triggers, strings.TrimSpace(t))
	}
}

// private holds unless it is clearly denied: a slip of the pen must not publish.
func private(b *memory.Block, value string) {
	value = strings.ToLower(value)
	yes := value != "false" && value != "no" && value != "off" && value != "0"
	b.Annotations.Private = &yes
}

// source is one of the product's own, or any words for where a text came from.
func source(b *memory.Block, value string) {
	if s, err := memory.ParseSource(value); err == nil {
		b.Annotations.Source = s
		return
	}
	b.Annotations.SourceRef = value
}

func trust(b *memory.Block, value string) {
	if t, err := memory.ParseTrustTier(value); err == nil {
		b.Annotations.Trust = t
	}
}
