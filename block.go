package memory

// BlockKind is the Markdown construct that a block was cut from.
type BlockKind string

const (
	KindItem      BlockKind = "item"      // a top-level item of a bullet list, with its nested content
	KindList      BlockKind = "list"      // an ordered list as a whole
	KindParagraph BlockKind = "paragraph" // also a lead-in that nothing follows
	KindCode      BlockKind = "code"      // fenced or indented
	KindTable     BlockKind = "table"
	KindQuote     BlockKind = "quote"
	KindHTML      BlockKind = "html"
)

// Block is what one place of a file says: one fact, decision, preference, task
// or procedure. Derived from the file and disposable.
type Block struct {
	Kind BlockKind
	Text string // as shown: list markers, annotations and escapes taken off

	Heading []string // the headings above it, outermost first, and a lead-in's words

	Start, End         int // byte span in the file, [Start, End)
	LineStart, LineEnd int // 1-based, inclusive, front matter counted

	Fingerprint Fingerprint // of Text
	BlockID     string      // Obsidian's ^id, without the caret; empty where there is none

	Annotations Declared // what trailing comments and #tags declare
	Links       []string // targets of [[wikilinks]], in order, once each
	Triggers    []string // words of <!-- trigger: a, b -->
}

// MaxChunk is how many characters a memory's text may have before it is cut
// into several chunks: above it one embedding says too little about too much.
const MaxChunk = 1600

// Chunk is the unit of indexing: one a memory, several where its text is long.
// Ids and states know nothing of chunks.
type Chunk struct {
	Text        string
	Fingerprint Fingerprint // of what is embedded, Text from Speech on: the key of its embedding
	SpeechStart int         // where in Text what is said begins, after "Name: "; 0 where no speaker is named
}
