package hostsetup

import "context"

// StepCount is the number of steps of a setup.
func (s *Setup) StepCount() int { return len(s.steps()) }

// RunFirst makes the first n steps and then ends, as a killed process does.
func (s *Setup) RunFirst(ctx context.Context, n int) error {
	for _, step := range s.steps()[:n] {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
