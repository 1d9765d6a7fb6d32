package lang

// SplitUnicode is SplitWords without its short way for ASCII.
var SplitUnicode = splitUnicode
