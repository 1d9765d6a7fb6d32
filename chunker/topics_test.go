package chunker_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

func TestHeadingsThatNameNoTopicAreLeftOut(t *testing.T) {
	got := chunker.Topics([]string{"Notes", "Monday, 8 May 2023", "13:56", "Databases:", "Log", "The 3rd of June", "Staging"})
	if want := []string{"Databases", "Staging"}; !slices.Equal(got, want) {
		t.Errorf("topics %q, want %q", got, want)
	}
}

// The key of a vector depends on the topics above the text, and on no date.
func TestKeyOfAVectorDependsOnTheTopic(t *testing.T) {
	key := func(headings ...string) memory.Chunk {
		c := chunker.Chunks("Port 5432")[0]
		chunker.SetTopic(&c, headings)
		return c
	}
	plain := chunker.Fingerprint("Port 5432")
	if c := key("Monday, 8 May 2023"); c.Fingerprint != plain || c.Topic != "" {
		t.Errorf("under a date: %+v", c)
	}
	a, b := key("Notes", "Databases", "Staging"), key("Databases", "Production")
	if a.Fingerprint == plain || a.Fingerprint == b.Fingerprint || a.Topic != "Databases: Staging" {
		t.Errorf("under two topics: %+v and %+v", a, b)
	}
}

func TestStruckOutHeadingKeepsItsTildes(t *testing.T) {
	for source, want := range map[string]string{
		"## ~~Hosting~~\n- Heroku\n":            "~~Hosting~~",
		"## The ~~old~~ new office\n- Lisbon\n": "The old new office",
	} {
		if got := chunker.Blocks([]byte(source), 0)[0].Heading; !slices.Equal(got, []string{want}) {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}
