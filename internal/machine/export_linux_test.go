package machine

// GroupLimits is tested with files of the test's own.
var GroupLimits = groupLimits
