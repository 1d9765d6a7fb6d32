// Package ageing connects the ageing policy with the tables. It finds the memories
// that the policy may move to another tier, and moves a memory. It notes when a
// sweep ran and what holds the next one. Package decay is the policy and decides.
package ageing
