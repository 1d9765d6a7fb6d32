// Package fields knows what stands in front matter. It reads the text as a tree with line
// numbers. It knows the keys that declare, and the properties of other programs. It has what
// each key declares, how its value is read and written, and how declarations about one memory
// are merged.
//
// decode.go reads YAML and TOML to one kind of tree. fields.go has the table of keys, in
// front matter and in comments. kinds.go has how the values of a key are read and written, and
// values.go reads what several keys share. properties.go finds what other programs and people
// wrote: birthday, status, aliases. It is text of the file, in one memory, and declares nothing.
// It is read from block style YAML only, because single lines of the other forms cannot be
// removed safely.
//
// The package knows no file: package frontmatter finds the keys in a file, and edits them
// there.
package fields
