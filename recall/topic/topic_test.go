package topic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/recall/topic"
)

func ExampleNames() {
	for _, name := range topic.Names("Dead letter queue (DLQ, failed messages): empty it on Mondays") {
		fmt.Println(strings.Join(name, " "))
	}
	// Output:
	// dead letter queue
	// dlq
	// failed message
}

func TestASentenceHasNoTopicNames(t *testing.T) {
	for _, text := range []string{"Call Ann. Then: write it down", "The meeting is at 14:30", "see https://example.org", "Notes: nothing", "no colon here"} {
		if names := topic.Names(text); len(names) != 0 {
			t.Errorf("%q names %q", text, names)
		}
	}
}
