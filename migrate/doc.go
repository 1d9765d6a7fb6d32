// Package migrate reads the memories of other systems. It never writes to them.
// [Content.Export] turns what was read into an export, which an import brings into a
// workspace.
package migrate
