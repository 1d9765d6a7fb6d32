package workspace

// nameTable remembers by which of its names each file is listed, so that a look
// at one path answers as the whole scan would.
type nameTable struct {
	byReal map[string]string   // one file through several symbolic links
	byID   map[identity]string // one file through several hard links
}

// choose gives the name that the candidate's file is listed by, and whether
// that is this candidate's.
func (t *nameTable) choose(c candidate) (chosen string, first bool) {
	if chosen, known := t.lookup(c.real, c.file.id); known {
		return chosen, false
	}
	if t.byReal == nil {
		t.byReal, t.byID = map[string]string{}, map[identity]string{}
	}
	t.byReal[c.real] = c.file.Path
	if c.file.id != (identity{}) {
		t.byID[c.file.id] = c.file.Path
	}
	return c.file.Path, true
}

func (t *nameTable) lookup(real string, id identity) (chosen string, known bool) {
	if chosen, known = t.byReal[real]; !known {
		chosen, known = t.byID[id]
	}
	return chosen, known
}
