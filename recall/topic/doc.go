// Package topic finds what a memory is about, as its author wrote it. That is the label
// before the first colon of its text, or the name before a dash.
package topic
