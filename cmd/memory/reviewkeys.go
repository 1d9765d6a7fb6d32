package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// reviewKeys are the keys of a step, in the order in which they are shown.
var reviewKeys = []struct {
	key    byte
	label  string
	action memory.ReviewAction
	pair   bool // only for two memories
}{
	{'k', "[k]eep", memory.ReviewKeep, false}, {'m', "[m]erge", memory.ReviewMerge, true},
	{'p', "[p]in", memory.ReviewPin, false}, {'t', "[t]rust", memory.ReviewTrust, false}, {'f', "[f]orget", memory.ReviewForget, false},
}

// keysOf lists the keys for a point.
func keysOf(item memory.ReviewItem) string {
	var labels []string
	for _, k := range reviewKeys {
		if !k.pair || item.Other != nil {
			labels = append(labels, k.label)
		}
	}
	if item.Other != nil {
		labels = append(labels, "[o]ther first")
	}
	return strings.Join(append(labels, "[e]dit", "[s]kip", "[u]ndo", "[q]uit"), " ")
}

// handleKey reads a key and does what it means. more is false when the person quits.
func (v *review) handleKey() (more bool, err error) {
	key, err := v.keys.Next()
	if errors.Is(err, io.EOF) {
		key, err = 'q', nil
	}
	if err != nil {
		return false, err
	}
	switch key {
	case 'q', display.Interrupt, display.End:
		fmt.Fprintln(v.err, "quit")
		return false, nil
	case 'u':
		fmt.Fprintln(v.err, "undo")
		return true, v.report(v.undo())
	}
	known := false
	if len(v.items) > 0 {
		known, err = v.handleItemKey(v.items[0], key)
	}
	if !known {
		fmt.Fprintln(v.err, "press one of the letters in brackets")
	}
	return true, err
}

// handleItemKey does what a key means for a point. It returns false if the key means
// nothing there.
func (v *review) handleItemKey(item memory.ReviewItem, key byte) (known bool, err error) {
	switch {
	case key == 's':
		fmt.Fprintln(v.err, "skip")
		v.skipped, v.done = append(v.skipped, pointKey(item)), append(v.done, doneStep{skipped: pointKey(item)})
		v.items = v.items[1:]
		return true, nil
	case key == 'e':
		fmt.Fprintln(v.err, "edit")
		return true, v.report(v.edit(item.Memory))
	case key == 'o' && item.Other != nil:
		fmt.Fprintln(v.err, "other first")
		other := item.Memory
		item.Memory, item.Other = *item.Other, &other
		v.items[0] = item
		return true, nil
	}
	for _, k := range reviewKeys {
		if k.key == key && (!k.pair || item.Other != nil) {
			fmt.Fprintln(v.err, k.action)
			return true, v.report(v.do(item, k.action))
		}
	}
	return false, nil
}

// report prints what keeps a step from being done, such as a line that changed
// meanwhile. The review goes on with the present points.
func (v *review) report(err error) error {
	if known, ok := errors.AsType[*memory.Error](err); ok {
		fmt.Fprintf(v.err, "%s\n", known.Error())
		if known.Hint != "" {
			fmt.Fprintf(v.err, "hint: %s\n", known.Hint)
		}
		err = nil
	}
	return errors.Join(err, v.load())
}

// do does one step and remembers it for undo.
func (v *review) do(item memory.ReviewItem, action memory.ReviewAction) error {
	r := memory.ReviewStepRequest{Action: action, Kind: item.Kind, ID: string(item.Memory.ID)}
	if item.Other != nil {
		r.Other = string(item.Other.ID)
	}
	answer, err := v.step(r)
	if err == nil {
		v.done = append(v.done, doneStep{batch: answer.Batch})
	}
	return err
}

// edit opens the file of a memory in the editor, and indexes it afterwards.
func (v *review) edit(m memory.Memory) error {
	if v.editor() == "" {
		return memory.Unavailable(nil, "no editor is set").WithHint("set VISUAL or EDITOR")
	}
	var file string
	err := v.withSession(v.c.Context(), readsIndex, func(s *session) error {
		file = filepath.Join(s.Dir, filepath.FromSlash(m.Path))
		return nil
	})
	if err == nil {
		err = v.openEditor(v.c, file, m.LineStart)
	}
	if err != nil {
		return err
	}
	return v.withSession(v.c.Context(), writesIndex, func(s *session) error {
		_, err := s.Index(v.c.Context(), memory.IndexRequest{Workspace: s.Workspace, Paths: []string{m.Path}}, nil)
		return err
	})
}

func (v *review) step(r memory.ReviewStepRequest) (answer memory.ReviewStepAnswer, err error) {
	err = v.withSession(v.c.Context(), writesIndex, func(s *session) error {
		r.Workspace = s.Workspace
		answer, err = s.ReviewStep(v.c.Context(), r)
		return err
	})
	v.notes(answer.Notices)
	return answer, err
}

// undo reverses the last step of this review. A skipped point comes up again.
func (v *review) undo() error {
	if len(v.done) == 0 {
		return memory.Invalid("", "there is no step to undo").WithHint("memory undo reverses earlier commands")
	}
	last := v.done[len(v.done)-1]
	if last.batch != "" {
		if _, err := v.step(memory.ReviewStepRequest{Action: memory.ReviewUndo, Batch: last.batch}); err != nil {
			return err
		}
	}
	v.done = v.done[:len(v.done)-1]
	v.skipped = slices.DeleteFunc(v.skipped, func(key string) bool { return key == last.skipped })
	return nil
}
