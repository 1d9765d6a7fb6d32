package unit

import (
	"context"
	"os"
	"sync"

	"github.com/kardianos/service"
)

// Run runs the service. Under the service manager of Windows it reports the start,
// and ends the service when the manager asks for it.
func Run(ctx context.Context, daemon func(context.Context) error) error {
	if service.Interactive() {
		return daemon(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &windowsProgram{run: func() error { return daemon(ctx) }, cancel: cancel}
	s, err := service.New(p, &service.Config{Name: name})
	if err != nil {
		return err
	}
	return s.Run()
}

// windowsProgram runs the service between Start and Stop.
type windowsProgram struct {
	run    func() error
	cancel context.CancelFunc
	done   sync.WaitGroup
	err    error
}

// Start returns at once, as the service manager demands.
func (p *windowsProgram) Start(service.Service) error {
	p.done.Go(func() {
		if p.err = p.run(); p.err != nil {
			os.Exit(1) // the manager starts a service again that ends without a report
		}
	})
	return nil
}

// Stop waits until the service has ended.
func (p *windowsProgram) Stop(service.Service) error {
	p.cancel()
	p.done.Wait()
	return p.err
}
