package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/learn"
)

// example is a text with its label.
type example struct{ Text, Label, Language string }

// read reads the examples of a folder: a file for each language, a section for each label, and
// a text on each line.
func read(folder string) (examples []example, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no examples", folder)
	}
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		if readErr != nil {
			return nil, readErr
		}
		language := strings.TrimSuffix(filepath.Base(file), ".txt")
		for line := range lang.Read(string(text)) {
			examples = append(examples, example{line.Text, line.Section, language})
		}
	}
	return examples, err
}

// gateLabels names what a sentence of a conversation is as a prompt. A label that is missing says
// nothing about a prompt.
var gateLabels = map[string]string{
	"smalltalk": learn.Trivial, "agree": learn.Trivial,
	"question": learn.Needs, "instruction": learn.Needs, "preference": learn.Needs, "fact": learn.Needs, "decision": learn.Needs,
	"task": learn.Needs, "transient": learn.Needs, "entity": learn.Needs,
}

// minWord is the fewest bytes of a word that is a prompt by itself.
const minWord = 5

// readGate reads the examples that [learn.Gate] is trained with: prompts, and sentences of
// conversations, which have far more words. Each word that only sentences have is an example
// too: alone it is a prompt for what memories say about it.
func readGate(folder string) ([]example, error) {
	examples, err := read(filepath.Join(folder, "gate/train"))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, e := range examples {
		for word := range wordsOf(e.Text) {
			known[word] = true
		}
	}
	sentences, err := readCapture(folder)
	for _, s := range sentences {
		if s.Label = gateLabels[s.Label]; s.Label != "" {
			examples = append(examples, s)
		}
		for word := range wordsOf(s.Text) {
			if s.Label == learn.Needs && len(word) >= minWord && !known[word] {
				examples = append(examples, example{word, learn.Needs, s.Language})
				known[word] = true
			}
		}
	}
	return examples, err
}

// readCapture reads the examples that [learn.Capture] is trained with: sentences of conversations.
func readCapture(folder string) ([]example, error) { return read(filepath.Join(folder, "capture")) }

func wordsOf(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(learn.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) || lang.IsEastAsian(r) })
}

// hashOf returns a hash of examples. It tells whether a model was trained with them.
func hashOf(examples []example) string {
	h := sha256.New()
	for _, e := range examples {
		fmt.Fprintf(h, "%q %q\n", e.Label, e.Text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
