//go:build !windows

package unit

import "context"

// Run runs the service. Only the service manager of Windows needs more than the
// process itself.
func Run(ctx context.Context, daemon func(context.Context) error) error { return daemon(ctx) }
