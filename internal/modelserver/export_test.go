package modelserver

// ParseChat reads the answer of a server.
func ParseChat(body []byte) (Completion, error) { return parseChat(body) }
