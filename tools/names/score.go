package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// score counts names that were found and names that are right. Strict compares whole names.
// Loose takes a name that has the other one as whole words.
type score struct {
	gold, found                  int
	strict, looseFound, looseGot int
}

// add counts the names of each note. What is like a name that the note does not spell out
// counts neither for nor against.
func (s *score) add(found, gold, silent names, mistakes bool) {
	for _, note := range slices.Sorted(maps.Keys(union(found, gold))) {
		s.gold += len(gold[note])
		for _, name := range slices.Sorted(maps.Keys(found[note])) {
			switch isLike := likeAny(name, gold[note]); {
			case !isLike && likeAny(name, silent[note]):
				delete(found[note], name)
				continue
			case isLike:
				s.looseFound++
			case mistakes:
				fmt.Println("wrong", note, name)
			}
			if s.found++; gold[note][name] {
				s.strict++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(gold[note])) {
			if likeAny(name, found[note]) {
				s.looseGot++
			} else if mistakes {
				fmt.Println("missed", note, name)
			}
		}
	}
}

func (s score) print(what string) {
	share := func(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
	fmt.Printf("%-18s %4d names, %4d found; strict precision %.1f recall %.1f; loose precision %.1f recall %.1f\n", what, s.gold, s.found,
		share(s.strict, s.found), share(s.strict, s.gold), share(s.looseFound, s.found), share(s.looseGot, s.gold))
}

func union(a, b names) map[string]bool {
	all := map[string]bool{}
	for _, n := range []names{a, b} {
		for note := range n {
			all[note] = true
		}
	}
	return all
}

func likeAny(name string, list map[string]bool) bool {
	for other := range list {
		if strings.Contains(" "+name+" ", " "+other+" ") || strings.Contains(" "+other+" ", " "+name+" ") {
			return true
		}
	}
	return false
}

var (
	notInNames = regexp.MustCompile(`[^\p{L}\p{N}\p{M}_&+#@.'’-]+`)
	runs       = regexp.MustCompile(`[A-Z][\p{L}\p{N}_&'’.-]*(?:[ ,]+(?:of |the |de )?[A-Z][\p{L}\p{N}_&'’.-]*)*`)
	beginnings = regexp.MustCompile(`(?:^[\d:]* ?|[.!?:] )$`)
)

// normalize returns a name without what makes no difference: case, marks around its words, an
// article, and the s of a possessive.
func normalize(name string) string {
	var words []string
	for w := range strings.FieldsSeq(strings.ToLower(notInNames.ReplaceAllString(strings.ReplaceAll(name, "’", "'"), " "))) {
		if w = strings.TrimSuffix(strings.Trim(w, ".'-"), "'s"); w != "" {
			words = append(words, w)
		}
	}
	if len(words) > 1 && slices.Contains([]string{"the", "a", "an"}, words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// capitals returns the runs of words with a capital, but for a single word that begins a
// sentence. It is the baseline.
func capitals(text string) (found []string) {
	for _, at := range runs.FindAllStringIndex(text, -1) {
		if run := text[at[0]:at[1]]; strings.Contains(run, " ") || !beginnings.MatchString(text[:at[0]]) {
			found = append(found, run)
		}
	}
	return found
}
