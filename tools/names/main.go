// Command names is a developer's tool. It measures the gazetteer on notes with labelled names,
// one folder a person:
//
//	go -C tools run ./names -data FOLDER             # the half that nobody tunes to
//	go -C tools run ./names -data FOLDER -half tune  # the half for tuning, with every mistake
//	go -C tools run ./names -data FOLDER -baseline   # runs of words with a capital instead
//
// A folder has memory/*.md, notes.jsonl with the place of each note, and entities.jsonl with its
// names. A name counts if its note spells it out. The halves are told apart by the order of
// folders.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	data := flag.String("data", "", "the folder with the persons")
	half := flag.String("half", "test", "tune, test or all")
	baseline := flag.Bool("baseline", false, "runs of words with a capital")
	prose := flag.Bool("prose", false, "only notes in a person's own words")
	flag.Parse()
	if err := run(*data, *half, *baseline, *prose); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func run(data, half string, baseline, prose bool) error {
	people, err := readPeople(data, half, prose)
	if err != nil {
		return err
	}
	var mentions, names score
	for _, p := range people {
		found := p.find(baseline)
		mentions.add(found, p.gold, p.silent, half == "tune")
		names.add(p.merge(found), p.merge(p.gold), p.merge(p.silent), false)
	}
	mentions.print("mentions")
	names.print("names of a person")
	return nil
}
