package migrate

import (
	"bytes"
	"regexp"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// declaredTrusted matches the key trust with the value trusted, in front matter and in
// comments.
var declaredTrusted = regexp.MustCompile(`(?i)(\btrust["']?(?:[ \t]*[:=][ \t]*|[ \t]+)["']?)trusted\b`)

// distrusted returns a Markdown file that declares all its memories untrusted, or less
// than that. Their texts stay. It reports false if it cannot declare that.
func distrusted(src []byte) ([]byte, bool) {
	before := frontmatter.Parse(src, time.UTC)
	head := declaredTrusted.ReplaceAll(src[:before.BodyStart], []byte("${1}untrusted"))
	text := slices.Concat(head, src[before.BodyStart:])
	if frontmatter.Parse(text, time.UTC).FileDefaults.Trust == "" {
		text = withFileTrust(text, string(before.Format))
	}
	blocks := chunker.Blocks(text, frontmatter.Parse(text, time.UTC).BodyStart)
	for _, b := range slices.Backward(blocks) {
		if b.Annotations.Trust == memory.TrustTrusted {
			marked := declaredTrusted.ReplaceAll(text[b.Start:b.End], []byte("${1}untrusted"))
			text = slices.Concat(text[:b.Start], marked, text[b.End:])
		}
	}
	return text, isDistrusted(text) && slices.Equal(textsOf(src), textsOf(text))
}

// withFileTrust adds the key trust to front matter of a format, or front matter to a file.
func withFileTrust(src []byte, format string) []byte {
	start := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	eol := "\n"
	if line, _, _ := bytes.Cut(src, []byte("\n")); bytes.HasSuffix(line, []byte("\r")) {
		eol = "\r\n"
	}
	line := "trust: untrusted" + eol
	switch format {
	case "":
		return slices.Concat(src[:start], []byte("---"+eol+line+"---"+eol), src[start:])
	case "toml":
		line = `trust = "untrusted"` + eol
	case "json":
		if at := bytes.IndexByte(src, '{') + 1; at > 0 {
			return slices.Concat(src[:at], []byte(`"trust": "untrusted", `), src[at:])
		}
	}
	at := bytes.IndexByte(src, '\n') + 1
	return slices.Concat(src[:at], []byte(line), src[at:])
}

// isDistrusted reports whether a file declares each of its memories less than trusted.
func isDistrusted(src []byte) bool {
	parsed := frontmatter.Parse(src, time.UTC)
	isTrusted := func(t memory.TrustTier) bool { return t == memory.TrustTrusted }
	return parsed.FileDefaults.Trust != "" && !isTrusted(parsed.FileDefaults.Trust) && !parsed.HasConflict &&
		!slices.ContainsFunc(parsed.Entries, func(e memory.Entry) bool { return isTrusted(e.Declared.Trust) }) &&
		!slices.ContainsFunc(chunker.Blocks(src, parsed.BodyStart), func(b memory.Block) bool { return isTrusted(b.Annotations.Trust) })
}

// textsOf returns the texts of the blocks of a file.
func textsOf(src []byte) (texts []string) {
	for _, b := range chunker.Blocks(src, frontmatter.Parse(src, time.UTC).BodyStart) {
		texts = append(texts, b.Text)
	}
	return texts
}
