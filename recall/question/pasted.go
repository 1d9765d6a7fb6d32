package question

import "strings"

var (
	// handsOver matches the words before something to work on: "sort this list: …",
	// "translate the following text: …".
	handsOver = newPattern(`(?i)\p{L} (?:this|these|the following|dies\p{L}*|folgende\p{L}*|cette|ces|ce|est[aeo]s?|siguientes?|suivante?s?)(?: [\p{L}\d'-]+){0,4}:(?:\s|$)`, ":")
	// trace matches a line of code, or of the trace of a program that failed.
	trace = newPattern("(?:^|\\s)```|Traceback \\(most recent call last\\)|(?:^|\\s)at [\\w$.<>]+\\(|\\bgoroutine \\d+ \\[", "```,(,goroutine ")
)

// handsOverMaterial reports whether a prompt brings what it is about: code, a trace, or what
// follows "this:". Notes that share no word with it are near to it by chance.
func handsOverMaterial(prompt string) bool {
	lower := strings.ToLower(prompt)
	return handsOver.matches(prompt, lower) || trace.matches(prompt, lower)
}
