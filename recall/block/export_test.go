package block

// Exceeds is the quick test of [Budget.Fits].
var Exceeds = exceeds

// Line returns the line of an entry.
func Line(e Entry) string { return e.render(true) }
