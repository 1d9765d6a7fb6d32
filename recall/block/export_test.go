package block

// Exceeds is the quick test of [Budget.Fits].
var Exceeds = exceeds

// Line returns the line of an entry.
func Line(e Entry) string { return e.render(true) }

// LeastLabel and MostBytes are the bounds of [Budget.LacksSpace].
const LeastLabel = leastLabel

var MostBytes = mostBytes
