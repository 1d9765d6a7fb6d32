// Package notation reads what the author of a memory wrote in it about it: what it is about,
// and whether it still holds.
//
// Its label tells what it is about: the text before the first colon. So do the cells of a table.
// It no longer holds if it is struck out, checked as done, or under a heading such as "Outdated".
// [Succeeds] finds the memory that took the place of an outdated one.
package notation
