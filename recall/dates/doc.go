// Package dates reads times: those that a question names ("in May", "last week", "since
// the move"), and those that the text of a memory names. It compares both.
//
// One grammar serves questions, texts, headings and names of files. tokens.go splits a text.
// months.go, figures.go and parse.go read a date, range.go reads several, and
// relative.go an expression such as "three days ago" (relativewords.go lists them).
// weekday.go reads a weekday, monthday.go a day without its month, and part.go a third of
// a month. yearpart.go reads a half, a quarter or a numbered week. calendar has the spans.
// tense.go tells whether such a day is past or to come. cjk.go reads the dates of scripts
// without spaces. relation.go reads a relation to a date or an event. read.go finds all times
// that a question names, and named.go holds them. text.go finds the times in a memory's text,
// and day.go the day on which it was written. relativeday.go finds days such as "tomorrow" in
// a text. spelling.go gives the words with which people write a day. event.go finds the time
// that an event gives to a question.
//
// English, German, Spanish and French are understood, and the commonest expressions in
// Chinese and Japanese. The package reads no clock: times are relative to a parameter.
package dates
