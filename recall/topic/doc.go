// Package topic finds what a memory is about, as its author wrote it. That is the
// label before the first colon of its text, and those of its headings that name a
// topic.
package topic
