package migrate

import (
	"bytes"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// distrusted returns a Markdown file whose front matter declares all its memories
// untrusted, or less than that. It reports false if it cannot declare that, because the
// file says otherwise or its front matter is not YAML.
func distrusted(src []byte) ([]byte, bool) {
	before := frontmatter.Parse(src, time.UTC)
	text, line := src, []byte("trust: untrusted\n")
	switch {
	case before.FileDefaults.Trust != "":
	case before.Format == "toml", before.Format == "json":
		return src, false
	case before.Format == "":
		start := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
		text = slices.Concat(src[:start], []byte("---\n"), line, []byte("---\n"), src[start:])
	default:
		at := bytes.IndexByte(src, '\n') + 1
		text = slices.Concat(src[:at], line, src[at:])
	}
	return text, isDistrusted(text) && slices.Equal(textsOf(src), textsOf(text))
}

// isDistrusted reports whether a file declares each of its memories less than trusted.
func isDistrusted(src []byte) bool {
	parsed := frontmatter.Parse(src, time.UTC)
	isTrusted := func(t memory.TrustTier) bool { return t == memory.TrustTrusted }
	return parsed.FileDefaults.Trust != "" && !isTrusted(parsed.FileDefaults.Trust) && !parsed.HasConflict &&
		!slices.ContainsFunc(chunker.Blocks(src, parsed.BodyStart), func(b memory.Block) bool { return isTrusted(b.Annotations.Trust) })
}

// textsOf returns the texts of the blocks of a file.
func textsOf(src []byte) (texts []string) {
	for _, b := range chunker.Blocks(src, frontmatter.Parse(src, time.UTC).BodyStart) {
		texts = append(texts, b.Text)
	}
	return texts
}
