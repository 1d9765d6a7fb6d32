// Package frontmatter is the only one that knows how a person's decisions are
// written at the head of a Markdown file: it reads what is declared there for
// the file and for single memories ([Parse]), shows a file as an agent may see
// it ([Redact]), and changes the lines of single decisions while every other
// byte stays as it was ([Set]).
//
// It is pure: bytes in, bytes out. Reading never fails. What cannot be used is
// a fault with its line, and the rest is understood all the same; where that
// leaves a choice, it is made in favour of not showing what somebody wanted
// hidden.
package frontmatter
