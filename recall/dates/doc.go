// Package dates reads times: those that a question names ("in May", "last week", "since
// the move"), and those that the text of a memory names. It compares both.
//
// Files: parse.go reads a date, relative.go an expression such as "three days ago",
// and relation.go a relation to a date or an event. named.go holds all times that a
// question names. text.go finds the times in a memory's text, and day.go the day
// that a memory is about. event.go finds the time that an event gives to a
// question.
//
// English, German, Spanish and French are understood, and the commonest expressions in
// Chinese and Japanese. The package reads no clock: times are relative to a parameter.
package dates
