package migrate

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/secrets"
)

// documents copies Markdown files. A copy has the bytes of the file, without blocks
// whose text was forgotten or destroyed here. A document may be marked as untrusted. A file
// with decisions about single memories does not come over: they may be about memories that
// were here before.
func (p *planner) documents(documents []Document) {
	secret, cut := 0, 0
	for _, d := range documents {
		text, blocks, removed := p.withoutForgotten(d.Text)
		canMark := true
		if d.Untrusted {
			text, canMark = distrusted(text)
		}
		key, name := documentKey(d), documentPath(p.System, d.Path)
		switch {
		case len(blocks) == 0 && removed > 0:
			p.skip(d.Path, SkipForgotten)
			continue
		case len(blocks) == 0:
			p.skip(d.Path, SkipEmpty)
			continue
		case p.hasAll(blocks):
			p.skip(d.Path, SkipDuplicate)
			continue
		case p.known.WasMigrated(key):
			p.skip(d.Path, SkipMigrated)
			continue
		case int64(len(text)) > p.MaxBytes:
			p.skip(d.Path, SkipTooLarge)
			continue
		case len(frontmatter.Parse(d.Text, time.UTC).Entries) > 0:
			p.skip(d.Path, SkipDeciding)
			continue
		case !canMark:
			p.skip(d.Path, SkipUnmarkable)
			continue
		case !p.Indexable(name):
			p.skip(d.Path, SkipUnindexable)
			continue
		}
		free, ok := p.freeName(name)
		if !ok {
			p.skip(d.Path, SkipUnindexable)
			continue
		}
		cut += removed
		f := File{Path: free, Memories: len(blocks), Bytes: len(text), Text: text, Time: d.Time}
		for _, b := range blocks {
			f.Texts = append(f.Texts, b.Text)
			if _, found := secrets.Find(b.Text); found {
				secret++
			}
		}
		p.plan.Files, p.keys = append(p.plan.Files, f), append(p.keys, key)
	}
	if cut > 0 {
		p.plan.Notes = append(p.plan.Notes, fmt.Sprintf("%d memories of copied files were forgotten or destroyed here or there, and are left out", cut))
	}
	if secret > 0 {
		p.plan.Notes = append(p.plan.Notes, fmt.Sprintf("%d memories of copied files look like secrets; write <!-- private --> beside those that no model may get", secret))
	}
}

// documentKey identifies a document by its path and its bytes.
func documentKey(d Document) string {
	sum := sha256.Sum256(d.Text)
	return "document\x00" + d.Path + "\x00" + string(sum[:])
}

// withoutForgotten removes the blocks of a file that were forgotten or destroyed here.
func (p *planner) withoutForgotten(src []byte) (text []byte, blocks []memory.Block, removed int) {
	text = src
	for {
		blocks = chunker.Blocks(text, frontmatter.Parse(text, time.UTC).BodyStart)
		i := slices.IndexFunc(blocks, p.isForgottenBlock)
		if i < 0 {
			return text, blocks, removed
		}
		text = slices.Concat(text[:blocks[i].Start], text[blocks[i].End:])
		removed++
	}
}

// hasAll reports whether the workspace has the texts of all blocks.
func (p *planner) hasAll(blocks []memory.Block) bool {
	return !slices.ContainsFunc(blocks, func(b memory.Block) bool { return len(p.existing[b.Fingerprint]) == 0 })
}
