package git

// What the fuzz targets call without running git.
var (
	ParseBlame  = parseBlame
	ReadObjects = readObjects
)
