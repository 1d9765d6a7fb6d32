package block

// Exceeds is the quick test of [Budget.Fits].
var Exceeds = exceeds

// Line returns the line of an entry.
func Line(e Entry) string { return e.render(true) }

// LineBounds returns how long the line of an entry is without its text at least, and as a
// whole at most.
func LineBounds(e Entry) (label, most int) { return e.leastLabel(), e.mostBytes() }
