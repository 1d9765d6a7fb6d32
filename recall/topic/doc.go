// Package topic finds what a memory is about, as its author wrote it: the label before
// the first colon of its text.
package topic
