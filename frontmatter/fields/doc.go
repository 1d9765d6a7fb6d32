// Package fields holds the keys of front matter: what each declares, how its value is
// read, and how it is written. It also merges declarations about one memory.
//
// fields.go has the table of keys. read.go and write.go have a function for each key, and
// values.go reads values that several keys share. The package knows no file: package
// frontmatter finds the keys in a file, and edits them there.
package fields
