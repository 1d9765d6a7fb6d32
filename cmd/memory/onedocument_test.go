package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/memory-tiered/memory/cmd/memory/display"
)

// A command that fails after its answer, such as on a full disk when it ends, prints no
// second document.
func TestJSONIsOneDocument(t *testing.T) {
	for _, answered := range []bool{true, false} {
		var out, errs bytes.Buffer
		a := &app{out: display.NewWriter(&out, ""), err: &errs, json: true}
		if answered {
			fmt.Fprintln(a.out, `{"memories":[]}`)
		}
		if code := a.reportError(nil, nil, errors.New("no space left")); code == 0 {
			t.Error("the error is not reported")
		}
		var document map[string]any
		if err := json.Unmarshal(out.Bytes(), &document); err != nil || (document["error"] == nil) != answered || errs.Len() == 0 {
			t.Errorf("answered %t: %s, %v", answered, out.String(), err)
		}
	}
}
