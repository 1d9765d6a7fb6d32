package fields

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Field is one key that declares something.
type Field struct {
	Key    string
	Alias  string // an alternative key
	Levels Level
	Shared bool // other programs use the alias or the key too: at file level an unknown value is no fault
	Flag   bool // a comment may have the key alone
	Words  bool // any words are a value, so that a comment needs a colon behind the key
	kind
}

// kind is how the values of a key are read and written.
type kind struct {
	// read sets the value in d and leaves d unchanged on an error, unless the error names the
	// assumed value.
	read func(d *memory.Declared, v Value) error
	// write returns the value as text; nothing if d does not declare it, and several texts of a
	// list. Without a zone, a date has its time.
	write   func(d memory.Declared, zone *time.Location) []string
	quoted  bool                     // front matter has it between quotation marks
	list    bool                     // it may have several values
	comment func(text string) string // how a comment has it, if that differs
}

// Level tells where a key has a meaning.
type Level uint8

// The levels: a whole file, the line of one memory, and the comment beside its text.
const (
	FileLevel Level = 1 << iota
	EntryLevel
	CommentLevel

	everywhere = FileLevel | EntryLevel | CommentLevel
	ofMemory   = EntryLevel | CommentLevel
)

// All lists the keys in writing order.
var All = []Field{
	{Key: "private", Levels: everywhere, Flag: true, kind: flag(func(d *memory.Declared) **bool { return &d.Private }, "private")},
	{Key: "source", Levels: everywhere, Words: true, kind: source},
	{Key: "trust", Levels: everywhere, kind: trust},
	{Key: "pinned", Levels: ofMemory, Flag: true, kind: flag(func(d *memory.Declared) **bool { return &d.Pinned }, "")},
	{Key: "forgotten", Levels: EntryLevel, kind: forgotten},
	{Key: "only", Levels: EntryLevel, kind: only},
	{Key: "tier", Levels: everywhere, kind: tier},
	{Key: "since", Levels: EntryLevel, kind: since},
	{Key: "category", Levels: everywhere, Shared: true, kind: word(func(d *memory.Declared) *memory.Category { return &d.Category }, memory.ParseCategory)},
	{Key: "memory_type", Alias: "type", Levels: everywhere, kind: word(func(d *memory.Declared) *memory.Type { return &d.Type }, memory.ParseType)},
	{Key: "importance", Levels: everywhere, kind: importance},
	{Key: "importance_label", Levels: everywhere,
		kind: word(func(d *memory.Declared) *memory.ImportanceLabel { return &d.ImportanceLabel }, memory.ParseImportanceLabel)},
	{Key: "source_ref", Levels: everywhere, Words: true, kind: name(func(d *memory.Declared) *string { return &d.SourceRef })},
	{Key: "user", Levels: everywhere, Words: true, kind: user},
	{Key: "scope", Levels: everywhere, Words: true, kind: name(func(d *memory.Declared) *memory.Scope { return &d.Scope })},
	{Key: "created", Levels: everywhere, kind: date(func(d *memory.Declared) *time.Time { return &d.Created })},
	{Key: "expires", Levels: everywhere, kind: date(func(d *memory.Declared) *time.Time { return &d.Expires })}, // on the day, from its first moment
	{Key: "superseded_by", Levels: EntryLevel, kind: supersededBy},
	{Key: "tags", Levels: everywhere, Words: true, kind: tags},
}

// Read reads a value. It leaves d unchanged on an error, unless the error names the assumed
// value.
func (f Field) Read(d *memory.Declared, v Value) error { return f.read(d, v) }

// Write returns the value as front matter has it, empty if d does not declare it.
func (f Field) Write(d memory.Declared, zone *time.Location) string {
	texts := f.write(d, zone)
	if f.quoted {
		for i, text := range texts {
			texts[i] = QuoteYAML(text)
		}
	}
	text := strings.Join(texts, ", ")
	if f.list && len(texts) > 0 {
		return "[" + text + "]"
	}
	return text
}

// Annotation returns the key and its value as a comment has them, empty if d does not declare
// it, or no comment can.
func (f Field) Annotation(d memory.Declared) string {
	text := strings.Join(f.write(d, nil), ", ")
	switch {
	case text == "" || f.Levels&CommentLevel == 0:
		return ""
	case f.Flag && text == "true":
		return f.Key
	case f.comment != nil:
		text = f.comment(text)
	}
	return f.Key + ": " + text
}

// MemoriesKey is the key of the list of entries.
const MemoriesKey = "memories"

// Find returns the field of a key in any case, or nil.
func Find(key string, p Level) *Field {
	key = strings.TrimSpace(key)
	for i := range All {
		if f := &All[i]; f.Levels&p != 0 && key != "" && f.HasKey(key) {
			return f
		}
	}
	return nil
}

// HasKey reports whether a key, in any case, is that of the field.
func (f Field) HasKey(key string) bool {
	return strings.EqualFold(f.Key, key) || f.Alias != "" && strings.EqualFold(f.Alias, key)
}

// EntryOnlyKeys are decisions about single memories that people also try on a
// whole file.
var EntryOnlyKeys = []string{"pinned", "forgotten"}

// KeysOf lists, by level, the words that a misspelled key may mean.
var KeysOf = map[Level][]string{
	FileLevel:  slices.Concat([]string{MemoriesKey}, KeysAt(FileLevel), EntryOnlyKeys),
	EntryLevel: slices.Concat(IdentityKeys, KeysAt(EntryLevel)),
}

// KeysAt returns the keys of the fields at a level, with their aliases.
func KeysAt(p Level) (keys []string) {
	for _, f := range All {
		if f.Levels&p != 0 {
			keys = append(keys, f.Key)
		}
		if f.Levels&p != 0 && f.Alias != "" {
			keys = append(keys, f.Alias)
		}
	}
	return keys
}

// IdentityKeys identify the memory of an entry, in writing order.
var IdentityKeys = []string{"id", "path", "quote"}
