package ageing

// NextSlice is nextSlice.
var NextSlice = nextSlice
