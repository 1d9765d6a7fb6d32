package memory

// BlockKind is the Markdown construct that a block was cut from.
type BlockKind string

const (
	KindItem      BlockKind = "item"      // a top-level item of a bullet list, with its nested content
	KindList      BlockKind = "list"      // an ordered list as a whole
	KindParagraph BlockKind = "paragraph" // also a lead-in without a block after it
	KindCode      BlockKind = "code"      // fenced or indented
	KindTable     BlockKind = "table"
	KindQuote     BlockKind = "quote"
	KindHTML      BlockKind = "html"

	KindProperties BlockKind = "properties" // of other programs, in front matter
)

// Block is one unit of a file: a fact, decision, preference, task or procedure.
// Blocks are derived from the file and can be rebuilt at any time.
type Block struct {
	Kind BlockKind
	Text string // as shown, without list markers, annotations and escapes

	Heading []string // the headings above it, outermost first, then its lead-in

	Start, End         int // byte span in the file, [Start, End)
	LineStart, LineEnd int // 1-based, inclusive, front matter counted

	Fingerprint Fingerprint // of Text
	BlockID     string      // Obsidian's ^id, without the caret; may be empty

	Annotations Declared // declared by trailing comments and #tags
	Links       []string // targets of [[wikilinks]], in order, without duplicates
	Triggers    []string // words of <!-- trigger: a, b -->
}

// MaxChunk is the largest number of characters in a chunk. A longer text is cut
// into several chunks, because one embedding describes a long text poorly.
const MaxChunk = 1600

// Chunk is the unit of indexing. A memory has one chunk, or several where its
// text is long. Ids and states do not depend on chunks.
type Chunk struct {
	Text        string
	Fingerprint Fingerprint // of Text from SpeechStart on, and of Topic: the key of its embedding
	SpeechStart int         // byte offset in Text after "Name: "; 0 without a speaker
	Topic       string      // what its headings say of its subject, which its embedding contains; empty for talk
}
