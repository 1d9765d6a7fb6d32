package hugot

// CheckFolder returns the dimension of the model in a folder.
func CheckFolder(dir string) (int, error) {
	n, err := dimension(dir)
	if err == nil {
		err = checkTokens(dir + "/tokenizer.json")
	}
	return n, err
}
