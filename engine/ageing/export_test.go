package ageing

// NextSlice is nextSlice.
var NextSlice = nextSlice

// GradeOf is gradeMemory.
var GradeOf = gradeMemory
