// Package migrate brings the memories of another memory system into a workspace, as
// Markdown, and takes them back.
//
// A [Source] reads another system and never writes to it. [NewPlan] decides what comes
// over and writes the files in memory. [Journal] notes the files before they are on the
// disk. So a migration that was killed leaves nothing that cannot be removed.
package migrate
