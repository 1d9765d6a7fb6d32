package capture_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/internal/property"
)

// requestText is a line of testdata/requests.tsv.
type requestText struct{ kind, lang, text string }

// readRequests returns the lines of testdata/requests.tsv in two halves. Nobody looks at what
// goes wrong in the second one, line by line.
func readRequests(t *testing.T) (halves [2][]requestText) {
	t.Helper()
	data, err := os.ReadFile("testdata/requests.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			text := strings.ReplaceAll(f[2], `\n`, "\n")
			halves[n[f[0]]%2] = append(halves[n[f[0]]%2], requestText{f[0], f[1], text})
			n[f[0]]++
		}
	}
	return halves
}

// ask is a message that asks to keep some texts.
type ask struct {
	form, message string
	wanted        []string
}

// asks returns every form of a half with every text of the same language and half.
func asks(half []requestText) (all []ask) {
	of := func(kind, lang string) (texts []string) {
		for _, r := range half {
			if r.kind == kind && r.lang == lang {
				texts = append(texts, r.text)
			}
		}
		return texts
	}
	for _, r := range half {
		switch r.kind {
		case "form":
			for _, s := range of("statement", r.lang) {
				all = append(all, ask{r.text, strings.Replace(r.text, "{}", s, 1), []string{s}})
			}
		case "list":
			items := of("item", r.lang)
			if !strings.Contains(r.text, "{*}") && !strings.Contains(r.text, "{#}") { // a question ends what is no list
				items = slices.DeleteFunc(items, func(item string) bool { return strings.ContainsAny(item, "?？") })
			}
			for n := range items {
				wanted := append(slices.Clone(items[n:]), items[:n]...)
				wanted = append([]string{"plain one " + fmt.Sprint(n)}, wanted...)
				all = append(all, ask{r.text, listIn(r.text, wanted), wanted})
			}
		}
	}
	return all
}

// listIn returns a form with a list of items.
func listIn(form string, items []string) string {
	bullets, numbers := make([]string, len(items)), make([]string, len(items))
	for i, item := range items {
		bullets[i], numbers[i] = "- "+item, fmt.Sprintf("%d. %s", i+1, item)
	}
	return strings.NewReplacer("{*}", strings.Join(bullets, "\n"), "{#}", strings.Join(numbers, "\n"),
		"{+}", strings.Join(items, "\n"), "{P}", strings.Join(items, ".\n\n")).Replace(form)
}

// outcome returns which wanted texts are kept, and how many are left out with a reason.
func outcome(a ask, found []capture.Candidate) (missing []string, told int) {
	texts := strings.Join(kept(found), "\n")
	for _, w := range a.wanted {
		if !strings.Contains(texts, strings.TrimRight(w, "?？.;")) {
			missing = append(missing, w)
		}
	}
	for _, c := range found {
		if c.Explicit && !c.Kept() {
			told++
		}
	}
	return missing, told
}

func TestWhatIsAskedForIsKept(t *testing.T) {
	for i, name := range []string{"tune", "test"} {
		t.Run(name, func(t *testing.T) {
			asked, silent := 0, 0
			forms := map[string]int{}
			for _, a := range asks(readRequests(t)[i]) {
				missing, told := outcome(a, extract(a.message))
				asked += len(a.wanted)
				if len(missing) != told {
					silent += len(missing)
					forms[a.form]++
					if name == "tune" {
						t.Logf("%q: %q missing, %d reported", a.message, missing, told)
					}
				}
			}
			t.Logf("%d texts asked for, %d lost in silence, by %d forms", asked, silent, len(forms))
			if name == "tune" && silent > 0 || 20*silent > asked {
				t.Errorf("%d of %d texts are lost in silence", silent, asked)
			}
		})
	}
}

// Whatever speaks against a text that is asked for, it is kept or reported.
func TestWhatIsAskedForIsKeptOrReported(t *testing.T) {
	halves := readRequests(t)
	all := append(asks(halves[0]), asks(halves[1])...)
	all = slices.DeleteFunc(all, func(a ask) bool { return !strings.HasSuffix(a.form, "{*}") && !strings.HasSuffix(a.form, "{#}") })
	property.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(all).Draw(t, "form")
		n := rapid.IntRange(1, 20).Draw(t, "items")
		a.wanted = nil
		for i := range n {
			mark := fmt.Sprintf("zz%dqx ", i)
			a.wanted = append(a.wanted, mark+rapid.SampledFrom([]string{"the rowing boat", "Kai?", "the wifi password is Otter!77x", "forget that", "a long way" + strings.Repeat(" a long way", 50), "far" + strings.Repeat(" far", 30)}).Draw(t, "item"))
		}
		message := listIn(a.form, a.wanted)
		missing, told := outcome(a, extract(message))
		isCut := utf8.RuneCountInString(message) > 3000 // one reason is for all that is cut off
		if len(missing) != told && !isCut || len(missing) > 0 && told == 0 {
			t.Fatalf("%q: %d missing, %d reported", a.form, len(missing), told)
		}
	})
}

// The last clause of a request may take it back, and a list may have words of a joke.
func TestARequestIsTakenBackInItsLastClause(t *testing.T) {
	for _, tail := range []string{"just kidding", "never mind", "war nur ein Scherz", "je plaisante", "era broma"} {
		found := extract("Remember that the kite is red, " + tail + ".")
		if len(kept(found)) > 0 || !found[0].Explicit {
			t.Errorf("%s: kept %q, %+v", tail, kept(found), found)
		}
	}
}

func TestWhatIsTakenBackInManyWordsIsNotKept(t *testing.T) {
	for i, name := range []string{"tune", "test"} {
		all, stays := 0, 0
		for _, r := range readRequests(t)[i] {
			if r.kind != "takeback" {
				continue
			}
			all++
			if len(kept(extract("Remember that the kite is red.", r.text))) > 0 || !capture.TakesBack(r.text) {
				stays++
				if name == "tune" {
					t.Errorf("%q takes nothing back", r.text)
				}
			}
		}
		t.Logf("%s: %d of %d take nothing back", name, stays, all)
		if 5*stays > all {
			t.Errorf("%s: %d of %d take nothing back", name, stays, all)
		}
	}
}
