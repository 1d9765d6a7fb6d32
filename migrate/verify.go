package migrate

import "github.com/memory-tiered/memory"

// Verified is the result of comparing what was written with what the index has.
type Verified struct {
	Memories int       `json:"memories"` // that were written
	Found    int       `json:"found"`    // of these, in the index with the same text
	Missing  []Missing `json:"missing"`  // never null
}

// OK reports whether every text is in the index.
func (v Verified) OK() bool { return v.Found == v.Memories }

// Missing is a file with texts that the index does not have.
type Missing struct {
	Path  string `json:"path"`
	Texts int    `json:"texts"`
}

// Verify compares the texts of a plan with the memories of the index, text by text.
func Verify(p *Plan, memories []memory.Memory) Verified {
	indexed := map[string]map[string]int{}
	for _, m := range memories {
		if indexed[m.Path] == nil {
			indexed[m.Path] = map[string]int{}
		}
		indexed[m.Path][m.Text]++
	}
	v := Verified{Missing: []Missing{}}
	for _, f := range p.Files {
		missing := 0
		for _, text := range f.Texts {
			if v.Memories++; indexed[f.Path][text] > 0 {
				indexed[f.Path][text]--
				v.Found++
			} else {
				missing++
			}
		}
		if missing > 0 {
			v.Missing = append(v.Missing, Missing{f.Path, missing})
		}
	}
	return v
}
