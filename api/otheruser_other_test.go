//go:build !linux

package api_test

// runAsOtherUser does nothing: only Linux tests how the service checks users.
func runAsOtherUser() bool { return false }
