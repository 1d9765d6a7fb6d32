package receipts

import (
	"slices"
	"strings"
)

// The prompts that are kept, and of each so many bytes: some days of one person, below
// 2 MB.
const (
	maxPrompts     = 1000
	maxPromptBytes = 2000
)

// prompts are the prompts of the latest answers. They are in memory only, because no prompt
// is ever written to the disk.
type prompts struct {
	byReceipt map[string]string
	order     []string // receipts, oldest first
}

// KeepPrompt keeps the beginning of the prompt of an answer for a while.
func (u *Buffer) KeepPrompt(receipt, prompt string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.prompts.byReceipt == nil {
		u.prompts.byReceipt = map[string]string{}
	}
	u.prompts.byReceipt[receipt] = strings.ToValidUTF8(strings.Clone(prompt[:min(len(prompt), maxPromptBytes)]), "")
	u.prompts.order = append(u.prompts.order, receipt)
	if n := len(u.prompts.order) - maxPrompts; n > 0 {
		for _, old := range u.prompts.order[:n] {
			delete(u.prompts.byReceipt, old)
		}
		u.prompts.order = slices.Delete(u.prompts.order, 0, n)
	}
}

// Prompt returns what is kept of the prompt of an answer; empty: nothing.
func (u *Buffer) Prompt(receipt string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.prompts.byReceipt[receipt]
}

// DropPrompts forgets all prompts: one may have a text that was destroyed.
func (u *Buffer) DropPrompts() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.prompts = prompts{}
}
