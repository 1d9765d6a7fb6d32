package question_test

import (
	"testing"

	"github.com/memory-tiered/memory/recall/question"
)

func TestFollowUpOfStopWordsIsTrivial(t *testing.T) {
	for _, prompt := range []string{
		"What about this one?", "what about the other one", "is it?", "no, not that one", "and for the other?", "What about it then?", "the of", "and then?", "WHY?", "It's what?",
		"Und die andere?", "Was ist das?", "und was hat er dann?", "Et les autres ?", "c'est quoi ça ?", "¿Y el otro?", "¿y por qué?", "E l'altro?", "En de andere?",
		"这个呢？", "为什么？", "それは？", "もう一つは？", "그건?",
		`{"a":1}`, "x = 1", "a", "a = b", "Z?", "7", "if (a) b", "е", "é",
	} {
		if !question.IsTrivial(prompt) {
			t.Errorf("%q is not trivial", prompt)
		}
	}
}

func TestWordThatNamesAThingIsNotTrivial(t *testing.T) {
	for _, prompt := range []string{
		"What about Lena?", "and the other van?", "where is the hat?", "who is the man?", "the son?", "who does the IT?", "which of the US ones?", "who is 👍", "猫", "の猫", "ネ", "x = 4821", "port 1", "C++",
		"Wo ist der Hut?", "¿y el perro?", "Et la clé ?", "quand ?!! le vélo",
	} {
		if question.IsTrivial(prompt) {
			t.Errorf("%q is trivial", prompt)
		}
	}
}
