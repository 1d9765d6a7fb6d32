package githistory

// AlignLines returns the date of each line of a file.
var AlignLines = alignLines
