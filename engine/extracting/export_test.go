package extracting

import (
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
)

// Checked returns the texts of the facts in an answer about one message, and their dates.
func Checked(answer, said string, at time.Time) (texts, dates []string, err error) {
	facts, err := parseFacts(answer)
	b := batch{[]message{{key: "k", at: at, trust: memory.TrustUntrusted, stated: []capture.Statement{{Text: said, States: true}}}}}
	for _, raw := range facts {
		if f, reason, _ := b.check(raw); reason == "" {
			texts, dates = append(texts, f.Text), append(dates, f.Date)
		}
	}
	return texts, dates, err
}

// Schema returns the schema of an answer about some messages.
func Schema(messages int) []byte { return schema(messages) }
