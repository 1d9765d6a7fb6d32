//go:build !unix

package main

// startAgain returns the error: the service manager starts a service again that
// fails, with the new binary.
func startAgain(replaced error, _ []string) error { return replaced }
