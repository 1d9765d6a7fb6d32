// Package block writes the block of memories that goes before a model: <relevant-memories>
// with the current context and a line for each memory. It escapes the texts, so that no
// memory can end the block, pose as an instruction or call a tool. [Budget] counts the
// space that the block has left.
//
// The package renders what it gets. Which memories are in the block, and in which order,
// is decided by package recall.
package block
