// Package validity reads from a memory whether it still holds. Its author may have
// struck it out, checked it as done, or put it under a heading such as "Outdated".
// [Succeeds] finds the memory that took the place of an outdated one.
package validity
