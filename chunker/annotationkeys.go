package chunker

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// annotationKey is a key of an annotation. read sets its value in b. An error
// either names the assumed value or leaves b unchanged.
type annotationKey struct {
	flag bool // it needs no value
	free bool // it takes any words, and other tools use it as a word of their own
	read func(a *annotator, b *memory.Block, value string) error
}

// annotationKeys are the keys of front matter that a comment may have, and some of its own.
var annotationKeys = readableKeys()

// annotationNames lists the keys of annotationKeys.
var annotationNames = slices.Sorted(maps.Keys(annotationKeys))

func readableKeys() map[string]annotationKey {
	keys := map[string]annotationKey{
		"trigger":   {free: true, read: readTriggers},
		"triggers":  {free: true, read: readTriggers},
		"forgotten": {flag: true, read: readForgotten},
		"since": {free: true, read: func(*annotator, *memory.Block, string) error {
			return errors.New("it has no effect in a comment; use a line in front matter")
		}},
	}
	for _, f := range fields.All {
		if f.Levels&fields.CommentLevel != 0 {
			keys[f.Key] = annotationKey{flag: f.Flag, free: f.Words, read: readField(f)}
		}
		if f.Alias != "" {
			keys[f.Alias] = annotationKey{free: true, read: readField(f)}
		}
	}
	keys["project"] = keys["scope"] // as OpenClaw writes it
	return keys
}

// readField returns the reader of a key of front matter. Of two comments, the value that
// protects more counts.
func readField(f fields.Field) func(*annotator, *memory.Block, string) error {
	return func(a *annotator, b *memory.Block, value string) error {
		var read memory.Declared
		err := f.Read(&read, fields.InComment(value, a.zone))
		if had := b.Annotations.User; err == nil && had != "" && read.User != "" && had != read.User {
			err = errors.New("it is another user than before; treated as nobody's")
		}
		b.Annotations, _ = fields.Merge(b.Annotations, read, a.zone)
		if f.Words && read.User == "" && errors.Is(err, fields.ErrEmpty) {
			return nil
		}
		return err
	}
}

// readForgotten makes a memory private: a person wants it hidden.
func readForgotten(_ *annotator, b *memory.Block, value string) error {
	if yes, err := memory.ReadBool(value); err != nil || yes {
		b.Annotations.Private = new(true)
	}
	return errors.New("it works only in front matter; treated as private; use memory forget, or a line in front matter")
}

func readTriggers(_ *annotator, b *memory.Block, value string) error {
	for t := range strings.SplitSeq(value, ",") {
		b.Triggers = appendMark(b.Triggers, strings.TrimSpace(t))
	}
	return nil
}
