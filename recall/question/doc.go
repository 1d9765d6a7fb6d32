// Package question reads a question or a prompt. [IsTrivial] finds small talk, which no
// memory can help with. [Parse] extracts the terms to search for, and [Expand] adds other
// forms and synonyms of them. [ParseIntent] finds what else the question asks for: whom
// it names, whether it wants a time or a number, and which time it is about.
//
// The package is pure. It searches nothing and knows no candidates.
package question
