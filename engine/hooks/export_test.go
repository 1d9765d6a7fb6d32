package hooks

// OwnWords returns a prompt as the user wrote it.
var OwnWords = ownWords

// Blocks lists the tags around what hosts put into prompts.
func Blocks() []string { return table().Blocks }
