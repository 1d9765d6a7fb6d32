package entity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/entity"
)

func notes(texts ...string) (n entity.Notes) {
	for _, text := range texts {
		n.Memories = append(n.Memories, memory.Memory{Text: text, Path: "memory/a.md"})
	}
	return n
}

// names returns the names of what is found, and in brackets its other names.
func names(found []entity.Found) string {
	var all []string
	for _, f := range found {
		all = append(all, strings.Join(append([]string{f.Name}, f.Aliases...), "/"))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestDecisionsJoinNames(t *testing.T) {
	n := notes("Lunch with Frauke.", "Cake by Frauke.", "Papers for Frauke Jensen.", "The notary is Frauke Jensen.")
	for _, c := range []struct {
		name    string
		decided [][]string
		want    string
	}{
		{"none", nil, "Frauke, Frauke Jensen"},
		{"one", [][]string{{"Frauke", "Frauke Jensen"}}, "Frauke/Frauke Jensen"},
		{"a later one shows another name", [][]string{{"Frauke", "Frauke Jensen"}, {"Frauke Jensen", "Frauke"}}, "Frauke Jensen/Frauke"},
		{"three names", [][]string{{"Frauke", "Frauke Jensen"}, {"Frauke Jensen", "Frauke"}, {"FJ", "Frauke Jensen"}}, "FJ/Frauke/Frauke Jensen"},
		{"of somebody else", [][]string{{"Ada", "Countess"}}, "Ada/Countess, Frauke, Frauke Jensen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n.Decided = c.decided
			if got := names(entity.New(n).Entities()); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestOnlyFoundNamesLeavesOutTheRest(t *testing.T) {
	n := notes("Lunch with Frauke.", "Cake by Frauke.")
	n.Decided, n.OnlyFound = [][]string{{"Frauke Jensen", "Frauke"}, {"Frauke Jensen", "FJ"}}, true
	g := entity.New(n)
	if got := names(g.Entities()); got != "Frauke" {
		t.Errorf("got %q", got)
	}
	if found := g.Find("Frauke Jensen"); len(found) > 0 {
		t.Errorf("the name that no memory has is found: %v", found)
	}
}

func TestNamesEndWithTheirWords(t *testing.T) {
	for text, want := range map[string]string{
		"Tea with Ada, Berta and Carl.": "ada",
		"Ask Ada. Berta is ill.":        "ada",
		"Ask Ada\nBerta":                "ada berta",
		"Ask Ada's sister.":             "ada",
		"See «Ada».":                    "ada",
	} {
		n := notes(text, text)
		found := entity.New(n).Entities()
		if !slices.ContainsFunc(found, func(f entity.Found) bool { return entity.KeyOf(f.Name) == want }) {
			t.Errorf("%q: %q is not found, but %s", text, want, names(found))
		}
	}
}

// Files that all name each other have more paths between them than anybody can follow.
func TestFilesThatNameEachOther(t *testing.T) {
	n := entity.Notes{Aliases: map[string][]string{}}
	var all []string
	for i := range 20 {
		all = append(all, "Ada"+string(rune('A'+i)))
	}
	for _, name := range all {
		path := "memory/" + name + ".md"
		n.Memories = append(n.Memories, memory.Memory{Text: name + " is here.", Path: path})
		n.Aliases[path] = all
	}
	if found := entity.New(n).Entities(); len(found) != len(all) {
		t.Errorf("%d of %d are found", len(found), len(all))
	}
}

// A text without sentences takes no longer than one with them.
func TestLongTextsStateNothing(t *testing.T) {
	for _, part := range []string{"Ada works at ", "Ada's brother is ", "田中工作在", "X は Y の "} {
		n := notes("Ada works at Acme.", strings.Repeat(part, 20_000))
		n.Memories[0].Trust, n.Memories[1].Trust = memory.TrustTrusted, memory.TrustTrusted
		g := entity.New(n)
		short, _ := g.States(0)
		if long, _ := g.States(1); !short || long {
			t.Errorf("%q: %v, %v", part, short, long)
		}
	}
}

// What a sentence states of several names at its beginning, it states of each.
func TestSeveralSubjects(t *testing.T) {
	for text, want := range map[string]string{
		"Ada and Bo work at Acme.":                "Ada, Bo",
		"Ada, Bo and Carl work at Acme.":          "Ada, Bo, Carl",
		"Ada, Bo, and Carl now work for Acme.":    "Ada, Bo, Carl",
		"Ada Byron and Bo Li work at Acme.":       "Ada Byron, Bo Li",
		"Ada und Bo arbeiten bei Acme.":           "Ada, Bo",
		"Ada et Bo travaillent chez Acme.":        "Ada, Bo",
		"Ada y Bo trabajan en Acme.":              "Ada, Bo",
		"Ada and Bo's employer is Acme.":          "Ada, Bo",
		"Ada works at Acme.":                      "Ada",
		"I met Ada and Bo works at Acme.":         "",
		"Ada lives in Bern and Bo met Acme.":      "",
		"Either Ada or Bo work at Acme.":          "",
		"Maybe Ada and Bo work at Acme.":          "",
		"Do Ada and Bo work at Acme?":             "",
		"The friends of Ada and Bo work at Acme.": "",
	} {
		n, got := notes(text), []string(nil)
		n.Memories[0].Trust = memory.TrustTrusted
		graph, _ := entity.New(n).Graph("Acme", 1, 10)
		for _, e := range graph.Edges {
			if e.Relation == "works at" {
				got = append(got, e.Subject)
			}
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %v, want %s", text, got, want)
		}
	}
}

func TestCodeAndQuotesStateNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"Ada works at Acme.":                                     true,
		"```\nAda works at Acme.\n```":                           false,
		"For example:\n\n```text\nAda works at Acme.\n```":       false,
		"```\nx := 1\n```\n\nAda works at Acme.":                 true,
		"Ada works at Acme.\n\n```\nAda works at Globex.\n```":   true,
		"The line `Ada works at Acme` is an example.":            false,
		"> Ada works at Acme.":                                   false,
		"> He asked who she is.\n\nAda works at Acme.":           true,
		"```\nAda is married to Ben.\nAda works at Acme.\n```\n": false,
	} {
		n := notes(text)
		n.Memories[0].Trust = memory.TrustTrusted
		g := entity.New(n)
		if got, _ := g.States(0); got != want || len(g.Find("Globex")) > 0 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func FuzzNew(f *testing.F) {
	f.Add("Ask Ada's sister about Dr. Mommsen & Co.", "ada@example.org #tag [[田中]]")
	f.Add("Ada works at Acme.\nX's brother is Y. 田中さんはトヨタで働いている。", "employer: Acme, [[Bo]]\nmanager:: Ada")
	f.Add("’s 's É. \xff \u2011", "A = B")
	f.Fuzz(func(t *testing.T, text, other string) {
		n := notes(text, text, other)
		n.Memories[0].Heading, n.Memories[1].Entities = []string{other}, []string{other}
		for i := range n.Memories {
			n.Memories[i].Trust = memory.TrustTrusted
		}
		n.Memories[2].IsProperties = true
		n.Decided, n.Aliases = [][]string{{text, other}, {other, text}}, map[string][]string{"memory/a.md": {other, text}}
		for _, n.OnlyFound = range []bool{false, true} {
			g := entity.New(n)
			for _, e := range g.Entities() {
				if found := g.Find(e.Name); len(found) == 0 || e.Memories != len(e.At) || strings.TrimSpace(e.Name) == "" {
					t.Errorf("%q, of %d memories, is not found", e.Name, e.Memories)
				}
				g.Like(e.Name)
				graph, _ := g.Graph(e.Name, 2, 3)
				for _, edge := range graph.Edges {
					if edge.Subject == "" || edge.Object == "" || edge.Memories == 0 || len(edge.Sources) == 0 {
						t.Errorf("%s: %+v", e.Name, edge)
					}
				}
			}
		}
	})
}

// The target of a link is a name, whatever signs it has. A heading with such signs is none.
func TestLinkedNamesHaveAnySigns(t *testing.T) {
	for _, name := range []string{`North "Star" Ltd`, "<Angle> & Co", `R&D <Lab> "North"`, "Harbour: plans"} {
		n := notes("Met [["+name+"]] about the boat.", "Paid "+name+" for it.", "No name is here.")
		n.Memories[0].Entities = memory.List[string]{name}
		n.Memories[2].Heading = memory.List[string]{"Boats: old"}
		g := entity.New(n)
		if found := g.Find(name); len(found) != 1 || found[0].Name != name || !slices.Equal(found[0].At, []int{0, 1}) {
			t.Errorf("%s: %+v", name, found)
		}
		if found := g.Find("Boats: old"); len(found) > 0 {
			t.Errorf("a heading is a name: %+v", found)
		}
	}
}

func TestAnAddressNamesAPersonWhoIsNamedElsewhere(t *testing.T) {
	for text, want := range map[string]string{
		"The boat is in Bremen.": "lena.koehler@example.org",
		"I met Lena Koehler.":    "Lena Koehler/lena.koehler@example.org",
	} {
		if got := names(entity.New(notes("Write to lena.koehler@example.org.", text)).Entities()); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
