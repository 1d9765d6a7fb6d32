// Package uses counts how often memories reached a model: once per memory, session and
// day. It also counts which uses were earned, because only these keep a memory from
// ageing.
//
// The package writes only inside a transaction of its caller, and reports which memories
// changed.
package uses
