// Package dates reads times: those that a question names ("in May", "last week", "since
// March"), and those that the text of a memory names. It compares both.
//
// Its words and its grammar are the tables dates.txt of package lang; lang/dates.md tells what
// their lines mean. grammar.go compiles them, tokens.go splits a text, match.go finds what the
// lines match, and meanings.go gives each match its time. read.go reads a question, and day.go
// the day and the text of a memory. The package reads no clock: times are relative to a parameter.
package dates
