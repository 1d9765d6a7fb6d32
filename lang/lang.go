// Package lang holds the words of human languages as tables: a folder for every language,
// and in it a file for every subject. The packages that use the words contain none. A
// language is added by a folder, without Go.
package lang

import (
	"embed"
	"io/fs"
	"iter"
	"path"
	"strings"
	"sync"
)

//go:embed */*.txt
var files embed.FS

// Line is a line of a table.
type Line struct {
	File    string // empty for a table that is in no folder of a language
	Section string
	Number  int // in the file, from 1
	Text    string
}

// Languages returns the languages that have tables, such as "de", in the order of the
// alphabet.
var Languages = sync.OnceValue(func() (all []string) {
	folders, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, folder := range folders {
		all = append(all, folder.Name())
	}
	return all
})

// Lines returns the lines of the tables of a subject in all languages, because people mix
// languages.
func Lines(subject string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for _, language := range Languages() {
			for line := range LinesOf(language, subject) {
				if !yield(line) {
					return
				}
			}
		}
	}
}

// LinesOf returns the lines of the table of a subject in one language. A language may lack
// the table.
func LinesOf(language, subject string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		file := path.Join(language, subject+".txt")
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return
		}
		for line := range Read(string(text)) {
			line.File = file
			if !yield(line) {
				return
			}
		}
	}
}

// Read returns the lines of a table, without blank ones and comments. A line in brackets
// names the section of the lines below it. A comment begins with "#".
func Read(table string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		section, number := "", 0
		for line := range strings.SplitSeq(table, "\n") {
			number++
			line = strings.TrimSpace(line)
			switch {
			case line == "" || strings.HasPrefix(line, "#"):
			case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !strings.Contains(line, "] "):
				section = line[1 : len(line)-1]
			case !yield(Line{"", section, number, line}):
				return
			}
		}
	}
}
