package chunker

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// annotationKey is a key of an annotation. read sets its value in b. An error
// either names the assumed value or leaves b unchanged.
type annotationKey struct {
	flag bool // it needs no value
	free bool // it takes any words, and other tools use it as a word of their own
	read func(a *annotator, b *memory.Block, value string) error
}

// annotationKeys maps the keys that OpenClaw and this product write, and those
// of front matter, to their readers.
var annotationKeys = map[string]annotationKey{
	"importance":       {read: readImportance},
	"importance_label": {read: readWord(func(d *memory.Declared) *memory.ImportanceLabel { return &d.ImportanceLabel }, memory.ParseImportanceLabel)},
	"trigger":          {free: true, read: readTriggers},
	"triggers":         {free: true, read: readTriggers},
	"project":          {free: true, read: readScope},
	"scope":            {free: true, read: readScope},
	"user":             {free: true, read: readUser},
	"private":          {flag: true, read: readPrivate},
	"pinned":           {flag: true, read: readPinned},
	"source":           {free: true, read: readSource},
	"source_ref":       {free: true, read: readSourceRef},
	"trust":            {read: readTrust},
	"tier":             {read: readWord(func(d *memory.Declared) *memory.Tier { return &d.Tier }, memory.ParseTier)},
	"memory_type":      {read: readWord(func(d *memory.Declared) *memory.Type { return &d.Type }, memory.ParseType)},
	"type":             {free: true, read: readWord(func(d *memory.Declared) *memory.Type { return &d.Type }, memory.ParseType)},
	"category":         {read: readWord(func(d *memory.Declared) *memory.Category { return &d.Category }, memory.ParseCategory)},
	"created":          {read: readCreated},
	"expires":          {read: readExpires},
	"tags":             {free: true, read: readTags},
	"forgotten":        {flag: true, read: readForgotten},
	"since":            {free: true, read: refuse("it has no effect in a comment; use a line in front matter")},
}

// readForgotten makes a memory private: a person wants it hidden.
func readForgotten(_ *annotator, b *memory.Block, value string) error {
	if yes, err := memory.ReadBool(value); err != nil || yes {
		b.Annotations.Private = ptr(true)
	}
	return errors.New("it works only in front matter; treated as private; use memory forget, or a line in front matter")
}

func refuse(reason string) func(*annotator, *memory.Block, string) error {
	return func(*annotator, *memory.Block, string) error { return errors.New(reason) }
}

// readWord returns the reader of a field whose values are a list of words.
func readWord[W ~string](field func(*memory.Declared) *W, parse func(string) (W, error)) func(*annotator, *memory.Block, string) error {
	return func(_ *annotator, b *memory.Block, value string) error {
		word, err := parse(value)
		var e *memory.Error
		if errors.As(err, &e) {
			return fmt.Errorf("%s (%s)", e.Message, e.Hint)
		}
		if err == nil {
			*field(&b.Annotations) = word
		}
		return err
	}
}

// readImportance accepts both scales. A bare 1 is the lowest value, because the
// scale of a comment is 1 to 10.
func readImportance(_ *annotator, b *memory.Block, value string) error {
	n, err := memory.ReadImportance(value, 0.1)
	if err == nil {
		b.Annotations.Importance = &n
	}
	return err
}

func readTriggers(_ *annotator, b *memory.Block, value string) error {
	for t := range strings.SplitSeq(value, ",") {
		b.Triggers = appendMark(b.Triggers, strings.TrimSpace(t))
	}
	return nil
}

// readTags accepts a list as front matter has it, too.
func readTags(_ *annotator, b *memory.Block, value string) error {
	for t := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
		b.Annotations.Tags = appendMark(b.Annotations.Tags, strings.TrimPrefix(strings.Trim(t, " \t\n\"'"), "#"))
	}
	return nil
}

func readScope(_ *annotator, b *memory.Block, value string) error {
	b.Annotations.Scope = memory.Scope(value)
	return nil
}

// readUser reads a user with the escapes %20 and so on, which the program writes. Of
// two comments with different users, neither user may read the memory.
func readUser(_ *annotator, b *memory.Block, value string) error {
	if plain, err := url.PathUnescape(value); err == nil {
		value = plain
	}
	user := memory.FoldUser(value)
	had := b.Annotations.User
	switch {
	case user == "" || strings.ContainsAny(value, "\n<,[]{}\""):
		b.Annotations.User = memory.NobodyUser
		return errors.New("it is no name; treated as nobody's")
	case had != "" && had != user:
		b.Annotations.User = memory.NobodyUser
		return errors.New("it is another user than before; treated as nobody's")
	}
	b.Annotations.User = user
	return nil
}

// readPrivate treats every value as true that is no clear denial: a typing error
// must not publish a text. Of two comments, private wins.
func readPrivate(_ *annotator, b *memory.Block, value string) error {
	yes, err := true, error(nil)
	if value != "" {
		if yes, err = memory.ReadBool(value); err != nil {
			yes, err = true, fmt.Errorf("%w; treated as private", err)
		}
	}
	if d := b.Annotations.Private; d == nil || yes {
		b.Annotations.Private = &yes
	}
	return err
}

func readPinned(_ *annotator, b *memory.Block, value string) error {
	if value == "" {
		value = "true"
	}
	yes, err := memory.ReadBool(value)
	if err == nil {
		b.Annotations.Pinned = &yes
	}
	return err
}

// readSource accepts a source of the product's own. Any other words become the
// source reference.
func readSource(_ *annotator, b *memory.Block, value string) error {
	if s, err := memory.ParseSource(value); err == nil {
		b.Annotations.Source = s
		return nil
	}
	b.Annotations.SourceRef = value
	return nil
}

func readSourceRef(_ *annotator, b *memory.Block, value string) error {
	b.Annotations.SourceRef = value
	return nil
}

// readTrust treats an unknown word as quarantined, never as trusted. Of two
// comments, the lower trust wins.
func readTrust(_ *annotator, b *memory.Block, value string) error {
	t, err := memory.ReadTrust(value)
	was := slices.Index(memory.TrustTiers, b.Annotations.Trust)
	if slices.Index(memory.TrustTiers, t) > was {
		b.Annotations.Trust = t
	}
	return err
}

func readCreated(a *annotator, b *memory.Block, value string) error {
	at, _, err := memory.ReadTime(value, a.zone)
	if err == nil {
		b.Annotations.Created = at
	}
	return err
}

func readExpires(a *annotator, b *memory.Block, value string) error {
	at, _, err := memory.ReadTime(value, a.zone)
	if err == nil {
		b.Annotations.Expires = at
	}
	return err
}
