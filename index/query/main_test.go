package query_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain lowers rapid's number of checks, because each opens three real databases.
// -rapid.checks overrides it, as make fuzz does.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "30"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}
