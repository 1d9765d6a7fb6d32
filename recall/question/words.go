package question

import "github.com/memory-tiered/memory/lang"

// The tables of lang/question.md.
var (
	phrasesOf = lang.PhrasesOf("question")

	isAmount      = lang.Words("question", "amount")
	isMeasure     = lang.Words("question", "measure")
	isAuxiliary   = lang.Words("question", "auxiliary")
	joinsQuestion = lang.Words("question", "joins")
	followsName   = lang.Words("question", "verb")
	isPerson      = lang.Words("question", "person")

	isMonth     = lang.Words("question", "month")
	isUsualTime = lang.Words("question", "time", "relative time", "month")
	isTime      = lang.Words("question", "time", "relative time", "month", "more time")
	isLength    = lang.Words("question", "time", "month", "more time")
	isNumber    = lang.Words("question", "number")

	isRole        = lang.Words("question", "role")
	isPast        = lang.Words("question", "past")
	isRequestWord = lang.Words("question", "request")
	isPlainVerb   = lang.Words("question", "plain verb")
	isDoing       = lang.Words("question", "doing")
)

// has reports whether a text has a phrase of a section.
func has(section string, f lang.Folded) bool { return phrasesOf(section).Match(f) }
