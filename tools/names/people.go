package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/entity"
	"github.com/memory-tiered/memory/frontmatter"
)

// names are the names of each note, by its id.
type names map[string]map[string]bool

func (n names) add(note, name string) {
	if n[note] == nil {
		n[note] = map[string]bool{}
	}
	n[note][name] = true
}

// person is the notes of one person, with the names that they have.
type person struct {
	name     string
	notes    map[string]string // by path:line
	memories []memory.Memory
	gold     names // that the notes spell out
	silent   names // others, which count neither for nor against
}

// readPeople reads the folders of one half.
func readPeople(data, half string, prose bool) (people []person, err error) {
	folders, err := filepath.Glob(filepath.Join(data, "*", "notes.jsonl"))
	for i, file := range folders {
		if half != "all" && (i%2 == 0) != (half == "tune") {
			continue
		}
		p, err := readPerson(filepath.Dir(file), prose)
		if err != nil {
			return nil, err
		}
		people = append(people, p)
	}
	if len(people) == 0 && err == nil {
		err = fmt.Errorf("%q has no folder with notes.jsonl", data)
	}
	return people, err
}

func readPerson(folder string, prose bool) (person, error) {
	p := person{name: filepath.Base(folder), notes: map[string]string{}, gold: names{}, silent: names{}}
	counted := map[string]bool{}
	err := eachLine(filepath.Join(folder, "notes.jsonl"), func(n struct {
		Note, Path string
		Line       int
		Prose      bool
	}) {
		p.notes[fmt.Sprintf("%s:%d", n.Path, n.Line)] = n.Note
		counted[n.Note] = n.Prose || !prose
	})
	if err != nil {
		return p, err
	}
	err = eachLine(filepath.Join(folder, "entities.jsonl"), func(e struct {
		Note, Entity string
		Literal      bool
	}) {
		name := normalize(e.Entity)
		switch {
		case name == "" || !counted[e.Note]:
		case e.Literal:
			p.gold.add(e.Note, name)
		default:
			p.silent.add(e.Note, name)
		}
	})
	if err != nil {
		return p, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "memory", "*.md"))
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return p, err
		}
		for _, b := range chunker.Blocks(src, frontmatter.Parse(src, time.UTC).BodyStart) {
			p.memories = append(p.memories, memory.Memory{Text: b.Text, Trust: memory.TrustTrusted, Path: "memory/" + filepath.Base(file), LineStart: b.LineStart, LineEnd: b.LineEnd,
				Heading: b.Heading, Entities: b.Links, Tags: b.Annotations.Tags})
		}
	}
	for place, note := range p.notes {
		if !counted[note] {
			p.notes[place] = ""
		}
	}
	return p, err
}

func eachLine[T any](name string, see func(T)) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		var line T
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		see(line)
	}
	return lines.Err()
}

// find returns the names that are found in the notes.
func (p person) find(baseline bool) names {
	found := names{}
	add := func(i int, name string) {
		m := p.memories[i]
		for line := m.LineStart; line <= m.LineEnd; line++ {
			if note := p.notes[fmt.Sprintf("%s:%d", m.Path, line)]; note != "" && normalize(name) != "" {
				found.add(note, normalize(name))
			}
		}
	}
	if baseline {
		for i, m := range p.memories {
			for _, name := range capitals(m.Text) {
				add(i, name)
			}
		}
		return found
	}
	g := entity.New(entity.Notes{Memories: p.memories})
	for _, e := range g.Entities() {
		for _, i := range e.At {
			add(i, e.Name)
		}
	}
	return found
}

// merge returns the names of all notes as those of one.
func (p person) merge(all names) names {
	one := names{}
	for _, list := range all {
		for name := range list {
			one.add(p.name, name)
		}
	}
	return one
}
