package extracting

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/wording"
	"github.com/memory-tiered/memory/recall/dates"
)

// Reasons why a fact of the model is dropped, beside those of capture.
const (
	dropMalformed = "malformed" // it has other fields than were asked for
	dropCategory  = "category"  // its category or type is not in the list
	dropSource    = "source"    // it names no message of the batch, or too many
	dropWords     = "words"     // no message states it in these words
	dropMarkup    = "markup"    // Markdown would read a mark, a tag or a link in it
	dropForgotten = "forgotten" // it says what is forgotten
	dropDeleted   = "deleted"   // it was stored before, and a person deleted it
)

// Bounds of the model's facts.
const (
	maxFacts   = 40 // of one batch
	maxSources = 4  // of one fact
	maxTexts   = 6  // that capture kept of these: a reference to all fits into a mark
)

// fact is what the model returns, and then what was found about it.
type fact struct {
	Text     string `json:"text"`
	Category string `json:"category"`
	Type     string `json:"type"`
	Date     string `json:"date"`
	From     []int  `json:"from"`

	category memory.Category
	kind     memory.Type
	trust    memory.TrustTier // the lowest of its messages
	keys     []string         // of its messages
	of       message          // the one that states it
}

// parseFacts reads the answer of the model strictly: one object with a list, and no field else. Many
// models write the object in a block of code.
func parseFacts(answer string) (facts []json.RawMessage, err error) {
	var a struct {
		Facts []json.RawMessage `json:"facts"`
	}
	object := answer[:strings.LastIndex(answer, "}")+1]
	if begin := strings.Index(object, "{"); begin > 0 {
		object = object[begin:]
	}
	if err := decodeStrictly([]byte(object), &a); err != nil {
		return nil, fmt.Errorf("it is not the JSON that was asked for: %w", err)
	}
	return a.Facts, nil
}

func decodeStrictly(src []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New("a field is missing, unknown or of another kind") // the error may quote a text
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more text follows")
	}
	return nil
}

// check reads a fact of the model, and returns why it is dropped. A date that no message states is
// removed.
func (b batch) check(raw json.RawMessage) (f fact, reason string, hasFalseDate bool) {
	if decodeStrictly(raw, &f) != nil {
		return f, dropMalformed, false
	}
	f.Text = capture.WithoutLabel(chunker.Clean(f.Text))
	var categoryErr, kindErr error
	f.category, categoryErr = memory.ParseCategory(f.Category)
	f.kind, kindErr = memory.ParseType(f.Type)
	slices.Sort(f.From)
	f.From = slices.Compact(f.From)
	switch {
	case categoryErr != nil || kindErr != nil:
		return f, dropCategory, false
	case wording.IsFragment(f.Text):
		return f, capture.SkipTooShort, false
	case utf8.RuneCountInString(f.Text) > capture.MaxChars:
		return f, capture.SkipTooLong, false
	case strings.Contains(f.Text, "\n") || !isPlain(f.Text):
		return f, dropMarkup, false
	case len(f.From) == 0 || len(f.From) > maxSources || f.From[0] < 1 || f.From[len(f.From)-1] > len(b.messages):
		return f, dropSource, false
	}
	stated, isPassing := b.statedBy(&f)
	if f.Date != "" && !isStated(f.Date, stated, f.of.at) {
		f.Date, hasFalseDate = "", true
	}
	switch {
	case stated == "":
		return f, dropWords, false
	case isPassing && f.Date == "":
		return f, capture.SkipTemporary, false
	}
	return f, "", hasFalseDate
}

// isPlain reports whether Markdown reads a text as it is, without any mark, tag or link.
func isPlain(text string) bool {
	blocks := chunker.Blocks([]byte("- "+text+"\n"), 0)
	if len(blocks) != 1 || strings.Contains(text, "<!--") {
		return false
	}
	b := blocks[0]
	return b.Text == text && b.BlockID == "" && len(b.Annotations.Tags)+len(b.Links)+len(b.Triggers) == 0
}

// maxWindow is how many sentences in a row state one fact.
const maxWindow = 3

// statedBy returns the fewest sentences in a row that have a fact's words, of its messages that
// follow one another. It notes the message of the last one, and the keys and the trust of all.
func (b batch) statedBy(f *fact) (stated string, isPassing bool) {
	var sentences []capture.Statement
	var of []message
	for _, n := range f.From {
		m := b.messages[n-1]
		f.keys, f.trust = append(f.keys, m.key), memory.LowerTrust(f.trust, m.trust)
		for _, s := range m.stated {
			sentences, of = append(sentences, s), append(of, m)
		}
	}
	wanted := alignment.Read(wording.Visible(f.Text))
	for size := 1; size <= maxWindow; size++ {
		for i := 0; i+size <= len(sentences); i++ {
			var texts []string
			isPassing = false
			if !areInRow(of[i : i+size]) {
				continue
			}
			for _, s := range sentences[i : i+size] {
				texts, isPassing = append(texts, s.Text), isPassing || s.IsPassing
			}
			stated = strings.Join(texts, " ")
			if alignment.Read(wording.Visible(stated)).Contains(wanted) {
				f.of = of[i+size-1]
				return stated, isPassing
			}
		}
	}
	return "", false
}

// areInRow reports whether no message is between these.
func areInRow(messages []message) bool {
	for i, m := range messages[1:] {
		if m.N-messages[i].N > 1 {
			return false
		}
	}
	return true
}

// isStated reports whether a text that was sent at a time names the day of a date.
func isStated(date, text string, sent time.Time) bool {
	day, err := time.ParseInLocation(time.DateOnly, date, sent.Location())
	return err == nil && dates.States(text, day, sent)
}
