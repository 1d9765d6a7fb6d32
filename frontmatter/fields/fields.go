package fields

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Field is one key that declares something. Read sets it in d and leaves d
// unchanged on an error, unless the error names the assumed value. Write
// returns the value as text, empty if d does not declare it.
type Field struct {
	Key    string
	Alias  string // an alternative key
	Levels Level
	Shared bool // other programs use the alias or the key too: at file level an unknown value is no fault
	Read   func(d *memory.Declared, v Value) error
	Write  func(d memory.Declared, zone *time.Location) string
}

// Level tells where a key has a meaning.
type Level uint8

// The levels: a whole file, and one memory.
const (
	FileLevel Level = 1 << iota
	EntryLevel
)

// All lists the keys in writing order.
var All = []Field{
	{Key: "pinned", Levels: EntryLevel, Read: readPinned, Write: writePinned},
	{Key: "forgotten", Levels: EntryLevel, Read: readForgotten, Write: writeForgotten},
	{Key: "only", Levels: EntryLevel, Read: readOnly, Write: writeOnly},
	{Key: "tier", Levels: FileLevel | EntryLevel, Read: readTier, Write: writeTier},
	{Key: "since", Levels: EntryLevel, Read: readSince, Write: writeSince},
	{Key: "memory_type", Alias: "type", Levels: FileLevel | EntryLevel, Read: readType, Write: writeType},
	{Key: "category", Levels: FileLevel | EntryLevel, Shared: true, Read: readCategory, Write: writeCategory},
	{Key: "scope", Levels: FileLevel | EntryLevel, Read: readScope, Write: writeScope},
	{Key: "user", Levels: FileLevel | EntryLevel, Read: readUser, Write: writeUser},
	{Key: "importance", Levels: FileLevel | EntryLevel, Read: readImportance, Write: writeImportance},
	{Key: "importance_label", Levels: FileLevel | EntryLevel, Read: readLabel, Write: writeLabel},
	{Key: "trust", Levels: FileLevel | EntryLevel, Read: readTrust, Write: writeTrust},
	{Key: "source", Levels: FileLevel | EntryLevel, Read: readSource, Write: writeSource},
	{Key: "source_ref", Levels: FileLevel | EntryLevel, Read: readSourceRef, Write: writeSourceRef},
	{Key: "created", Levels: FileLevel | EntryLevel, Read: readCreated, Write: writeCreated},
	{Key: "expires", Levels: FileLevel | EntryLevel, Read: readExpires, Write: writeExpires},
	{Key: "private", Levels: FileLevel | EntryLevel, Read: readPrivate, Write: writePrivate},
	{Key: "superseded_by", Levels: EntryLevel, Read: readSupersededBy, Write: writeSupersededBy},
	{Key: "tags", Levels: FileLevel | EntryLevel, Read: readTags, Write: writeTags},
}

// digitsInFile is the number of digits of an id that front matter contains.
const digitsInFile = 12

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
