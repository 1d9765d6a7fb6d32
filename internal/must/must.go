// Package must ends a test when a step that it needs fails.
package must

// TB is the part of a test, a benchmark or a property that this package needs.
type TB interface {
	Helper()
	Fatal(...any)
}

// Do ends the test if a step failed.
func Do(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns the value of a step, or ends the test: must.Get(os.ReadFile(name))(t).
func Get[T any](value T, err error) func(TB) T {
	return func(t TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}
