package workspace

// ChangedJustNow lets tests choose the times of the file system and of the clock.
var ChangedJustNow = changedJustNow
