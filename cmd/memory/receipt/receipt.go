// Package receipt keeps the receipts of destroy in files, and prints them.
package receipt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/erasure"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// Backend destroys, and looks for what is left.
type Backend interface {
	Decide(context.Context, memory.DecideRequest) (memory.DecideAnswer, error)
	Verify(context.Context, memory.VerifyRequest, func(memory.Progress)) (memory.VerifyAnswer, error)
}

// Check returns why a receipt cannot be written to a file. A receipt replaces no file: it may
// be the only one of another destroy.
func Check(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return memory.Conflict("%s exists already", path).WithHint("give the receipt another name; nothing was destroyed")
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return &memory.Error{Kind: memory.ErrNotFound, Field: "receipt", Message: "there is no folder " + dir, Hint: "create it first; nothing was destroyed"}
	case err != nil:
		return memory.Unavailable(err, "write %s", path)
	}
	return nil
}

// maxReceipt is the length in bytes of the largest request, which carries a receipt.
const maxReceipt = 1 << 20

// Read returns the receipt in a file.
func Read(path string) (r erasure.Receipt, src []byte, err error) {
	src, err = read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil, &memory.Error{Kind: memory.ErrNotFound, Field: "receipt", Message: path + " does not exist", Hint: "memory destroy ID --receipt FILE writes one"}
	}
	if err != nil && !errors.Is(err, memory.ErrInvalid) {
		err = memory.Unavailable(err, "read %s", path)
	}
	if err != nil {
		return r, nil, err
	}
	r, err = erasure.Parse(src)
	return r, src, err
}

// read reads a regular file. Another one, such as a device, may never end.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxReceipt) {
		err = memory.Invalid("receipt", "%s is no receipt of destroy: it is too large, or no file", path)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Parse returns the receipt of an answer.
func Parse(src []byte) (erasure.Receipt, error) { return erasure.Parse(src) }

func write(path string, r json.RawMessage) error {
	var indented bytes.Buffer
	err := json.Indent(&indented, r, "", "  ")
	if err == nil {
		err = atomicfile.Write(path, append(indented.Bytes(), '\n'), 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "write the receipt %s", path)
	}
	return nil
}

// Destroy destroys memories and writes a receipt. It is in its file before the first text is
// removed, so that a later look tells what is left if the destroy is interrupted.
func Destroy(ctx context.Context, b Backend, path string, r memory.DecideRequest) (memory.DecideAnswer, error) {
	preview := r
	preview.Preview, preview.Confirm, preview.Receipt = true, false, json.RawMessage("{}")
	begun, err := b.Decide(ctx, preview)
	if err == nil {
		err = write(path, begun.Receipt)
	}
	if err != nil {
		return begun, err
	}
	r.Receipt = begun.Receipt
	answer, err := b.Decide(ctx, r)
	if err != nil {
		return answer, errors.Join(err, afterFailure(ctx, b, path, r))
	}
	return answer, write(path, answer.Receipt)
}

// afterFailure removes the receipt of a destroy that has not begun. One that has begun keeps
// it, with what is left now.
func afterFailure(ctx context.Context, b Backend, path string, r memory.DecideRequest) error {
	answer, err := b.Verify(context.WithoutCancel(ctx), memory.VerifyRequest{Workspace: r.Workspace, Receipt: r.Receipt}, r.Progress)
	if err != nil {
		return err
	}
	if now, err := erasure.Parse(answer.Receipt); err != nil || now.State != erasure.Kept {
		return errors.Join(err, write(path, answer.Receipt))
	}
	return os.Remove(path)
}
