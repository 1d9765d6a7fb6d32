// Package capture alone decides which sentences of a conversation are worth
// keeping. It gets the messages of a turn and returns candidates. Each comes
// with its category, type and trust, or with the reason why it is left out. It
// knows nothing of stored memories, files, clocks or databases.
package capture
