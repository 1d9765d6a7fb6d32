// Package lang holds the words of human languages as tables: a folder for every language,
// and in it a file for every subject. The packages that use the words contain none. A
// language is added by a folder, without Go. [Words] and [PhrasesOf] compare a text with the
// tables.
//
// It also knows how texts are written: where words end, which scripts do not separate them,
// which words are stop words, which characters are invisible. Questions and memories are read
// with the same rules. The search index has an analyser of its own, which returns the tokens of
// FTS5.
package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
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

// tables holds the lines of each subject that was read, by their section.
var tables sync.Map

func tableOf(subject string) map[string][]Line {
	if table, ok := tables.Load(subject); ok {
		return table.(map[string][]Line)
	}
	table := map[string][]Line{}
	for line := range Lines(subject) {
		table[line.Section] = append(table[line.Section], line)
	}
	tables.Store(subject, table)
	return table
}

// Section returns the lines of a section of a subject in all languages.
func Section(subject, section string) iter.Seq[Line] { return slices.Values(tableOf(subject)[section]) }

// List returns the words of some sections of a subject in all languages. "no_longer" is
// two words.
func List(subject string, sections ...string) (words []string) {
	for _, section := range sections {
		lines := tableOf(subject)[section]
		if len(lines) == 0 {
			panic(fmt.Errorf("no language has words of %s, section %q", subject, section))
		}
		for _, line := range lines {
			for word := range strings.FieldsSeq(line.Text) {
				words = append(words, strings.ReplaceAll(word, "_", " "))
			}
		}
	}
	return words
}

// Words returns a function that reports whether a word, in lower case, is among those of
// [List]. They are read when it is first called.
func Words(subject string, sections ...string) func(word string) bool {
	return Set(func() []string { return List(subject, sections...) })
}

// Set returns a function that reports whether a list has a word. The list is made when it is
// first called.
func Set(list func() []string) func(word string) bool {
	set := sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, word := range list() {
			set[word] = true
		}
		return set
	})
	return func(word string) bool { return set()[word] }
}
