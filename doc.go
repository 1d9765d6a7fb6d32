// Package memory defines the types that every other package uses: memories,
// blocks, tiers, queries, hits, requests and answers. [Resolve] is the one
// function that decides which of several declarations about a memory wins.
//
// The package imports only the standard library. It defines, parses and prints
// these types. It opens no file and no database, and it reads no clock.
package memory
