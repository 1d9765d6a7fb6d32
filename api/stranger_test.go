package api_test

func asStranger() bool { return false }
