package extracting_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/extracting"
)

// TestSchemaAllowsWhatIsChecked compares the schema with what a fact may contain.
func TestSchemaAllowsWhatIsChecked(t *testing.T) {
	var s struct {
		Properties struct {
			Facts struct {
				Items struct {
					Properties struct {
						Text           struct{ MaxLength int }
						Category, Type struct{ Enum []string }
						From           struct{ Items struct{ Maximum int } }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(extracting.Schema(7), &s); err != nil {
		t.Fatal(err)
	}
	fact := s.Properties.Facts.Items.Properties
	if fact.Text.MaxLength != capture.MaxChars || fact.From.Items.Maximum != 7 || len(fact.Category.Enum) != len(memory.Categories) ||
		!slices.Contains(fact.Type.Enum, string(memory.TypeEpisodic)) || len(fact.Type.Enum) != len(memory.Types) {
		t.Errorf("%+v", fact)
	}
}
