package memory_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// maxWords is the number of words that a sentence may have. Most readers learned English
// as a second language.
const maxWords = 25

// TestSentencesOfPagesAndCommentsAreShort reads the pages of this repository and the
// comments of its code. It leaves out tables and code.
func TestSentencesOfPagesAndCommentsAreShort(t *testing.T) {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/decisions/*.md", "index/schema/*.md", "eval/*/README.md", "cmd/memory/help.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			checkSentences(t, name, markdownParagraphs(readText(t, name)))
		}
	}
	for _, name := range goFiles(t) {
		checkSentences(t, name, commentParagraphs(readText(t, name)))
	}
}

func TestSentencesAreCounted(t *testing.T) {
	long := strings.Repeat("word ", maxWords) + "end."
	for text, want := range map[string]int{
		"Short. " + long:                             1,
		"- " + long + "\n- " + long:                  2,
		"| " + long + " |":                           0,
		"```\n" + long + "\n```\n":                   0,
		"Text.\n\n    " + long:                       0,
		strings.Repeat("`a b c` ", maxWords) + ".":   0,
		strings.Replace(long, "word ", "word.\n", 1): 0,
	} {
		got := 0
		for _, p := range markdownParagraphs(text) {
			got += len(longSentences(p))
		}
		if got != want {
			t.Errorf("%q: %d long sentences, want %d", text, got, want)
		}
	}
	if p := commentParagraphs("// Package x\n// " + long + "\n//\n//\tcode\nfunc x() {} // no comment\n"); len(p) != 1 || len(longSentences(p[0])) != 1 {
		t.Errorf("comments: %q", p)
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	src := must.Get(os.ReadFile(name))(t)
	return string(src)
}

// goFiles lists the files of Go code that git knows, or all where there is no git. The
// folder tools is another module.
func goFiles(t *testing.T) (names []string) {
	t.Helper()
	if out, err := exec.Command("git", "ls-files", "*.go", ":!tools").Output(); err == nil && len(out) > 0 {
		return strings.Fields(string(out))
	}
	must.Do(t, filepath.WalkDir(".", func(name string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, "tools") {
			names = append(names, name)
		}
		return err
	}))
	return names
}

func checkSentences(t *testing.T, name string, paragraphs []string) {
	t.Helper()
	for _, p := range paragraphs {
		for _, sentence := range longSentences(p) {
			t.Errorf("%s: a sentence has more than %d words: %s", name, maxWords, sentence)
		}
	}
}

var (
	inlineCode  = regexp.MustCompile("`[^`]*`")
	linkTarget  = regexp.MustCompile(`\]\([^)]*\)`)
	sentenceEnd = regexp.MustCompile(`[.!?]["')*]*\s+`)
	hasWord     = regexp.MustCompile(`[\pL\pN]`)
	listItem    = regexp.MustCompile(`^\s*([-*]|\d+\.)\s+`)
	comment     = regexp.MustCompile(`^\s*// (\S.*)$`)
)

// longSentences returns the sentences of a paragraph with too many words. Code in a
// sentence counts as one word.
func longSentences(paragraph string) (long []string) {
	text := linkTarget.ReplaceAllString(inlineCode.ReplaceAllString(paragraph, "CODE"), "]")
	for _, sentence := range sentenceEnd.Split(text, -1) {
		words := 0
		for _, word := range strings.Fields(sentence) {
			if hasWord.MatchString(word) {
				words++
			}
		}
		if words > maxWords {
			long = append(long, sentence)
		}
	}
	return long
}

// markdownParagraphs returns the paragraphs and list items of a page, without headings,
// tables and code.
func markdownParagraphs(page string) (paragraphs []string) {
	var lines []string
	end := func() {
		paragraphs, lines = append(paragraphs, strings.Join(lines, " ")), nil
	}
	inCode := false
	for _, line := range strings.Split(page, "\n") {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "```"):
			end()
			inCode = !inCode
		case inCode, text != "" && len(lines) == 0 && strings.HasPrefix(line, "    "):
		case text == "", text[0] == '|', text[0] == '#':
			end()
		case listItem.MatchString(line):
			end()
			lines = append(lines, listItem.ReplaceAllString(line, ""))
		default:
			lines = append(lines, strings.TrimLeft(text, "> "))
		}
	}
	end()
	return paragraphs
}

// commentParagraphs returns the paragraphs of the comments on lines of their own. A line
// with more than one blank is code.
func commentParagraphs(code string) (paragraphs []string) {
	var lines []string
	for _, line := range append(strings.Split(code, "\n"), "") {
		if m := comment.FindStringSubmatch(line); m != nil {
			if listItem.MatchString(m[1]) && len(lines) > 0 {
				paragraphs, lines = append(paragraphs, strings.Join(lines, " ")), nil
			}
			lines = append(lines, m[1])
		} else if len(lines) > 0 {
			paragraphs, lines = append(paragraphs, strings.Join(lines, " ")), nil
		}
	}
	return paragraphs
}
