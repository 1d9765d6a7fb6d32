package inspector

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/memory-tiered/memory"
)

// do carries out a form, and returns to the page that it came from.
func (i *Inspector) do(w http.ResponseWriter, r *http.Request) {
	s := r.Context().Value(sessionKey{}).(*session)
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		fail(w, http.StatusBadRequest, "This form cannot be read", "A text may have 10,000 characters.")
		return
	}
	if r.PostForm.Get("token") != s.csrf {
		fail(w, http.StatusForbidden, "This form is of another session", "Go back, load the page again, and try once more.")
		return
	}
	f := form{Request: r}
	err := i.Connect(r.Context(), f.get("w"), true, func(b Backend, workspace string) error {
		f.backend, f.workspace = b, workspace
		return f.run(r.Context())
	})
	if err != nil {
		_, message, hint := i.Describe(err)
		f.flash = flash{Text: message, Hint: hint, IsError: true, id: f.flash.id, draft: f.flash.draft}
	}
	s.setFlash(&f.flash)
	http.Redirect(w, r, localPath(f.get("back")), http.StatusSeeOther)
}

// localPath returns an address of these pages: the given one, or else the first page.
func localPath(back string) string {
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.ContainsAny(back, "\\\r\n") {
		return "/"
	}
	return back
}

// form is a form that is being carried out.
type form struct {
	*http.Request
	backend   Backend
	workspace string
	flash     flash
}

func (f *form) get(name string) string { return f.PostForm.Get(name) }

// run does what the button of the form says.
func (f *form) run(ctx context.Context) error {
	word := f.get("do")
	if step, isStep := strings.CutPrefix(word, "review-"); isStep {
		return f.review(ctx, step)
	}
	if verdict, err := memory.ParseVerdict(word); err == nil {
		return f.feedback(ctx, verdict)
	}
	switch word {
	case "edit":
		return f.edit(ctx)
	case "undo":
		return f.undo(ctx)
	case "forget-session":
		return f.forgetSession(ctx)
	}
	action, err := memory.ParseAction(word)
	if err != nil {
		return err
	}
	if action == memory.ActionDestroy || action == memory.ActionUndo {
		return memory.Invalid("do", "%s is not offered here", action).WithHint("memory %s does it", action)
	}
	return f.decide(ctx, action, []string{f.get("id")})
}

// done notes what a command changed, and how it is undone.
func (f *form) done(what string, changed []memory.Memory, batch string, notices []string) {
	f.flash = flash{Text: what, Batch: batch, Hint: strings.Join(notices, " ")}
	switch {
	case len(changed) == 1:
		f.flash.Text += ": " + excerpt(changed[0].Text)
	case len(changed) > 1:
		f.flash.Text += ": " + plural(len(changed), "memory")
	}
}

// excerpt returns the beginning of a text in one line.
func excerpt(text string) string {
	const most = 90 // a line of a phone in landscape
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) <= most {
		return "“" + string(words) + "”"
	}
	return "“" + string(words[:most]) + "…”"
}

func (f *form) decide(ctx context.Context, action memory.Action, ids []string) error {
	a, err := f.backend.Decide(ctx, memory.DecideRequest{Action: action, Workspace: f.workspace, IDs: ids})
	if err != nil {
		return err
	}
	if len(a.Changed) == 0 && len(a.Unchanged) > 0 {
		return memory.Conflict("%s", a.Unchanged[0].Reason)
	}
	f.done(pastOf(string(action)), a.Changed, a.Batch, a.Notices)
	return nil
}

// pastOf returns what was done: Pinned for pin.
func pastOf(word string) string {
	past := capitalised(strings.TrimSuffix(word, "e"))
	switch {
	case word == string(memory.ActionForget):
		return "Forgotten"
	case strings.HasSuffix(word, "pin"):
		past += "n"
	}
	return past + "ed"
}

func (f *form) feedback(ctx context.Context, verdict memory.Verdict) error {
	r := memory.FeedbackRequest{ID: f.get("id"), Verdict: verdict, Workspace: f.workspace}
	if verdict != memory.VerdictNever {
		if r.Query = strings.TrimSpace(f.get("q")); r.Query == "" {
			r.Receipt = f.get("receipt")
		}
	}
	a, err := f.backend.Feedback(ctx, r)
	if err != nil {
		return err
	}
	what := "Never given again"
	if a.Query != "" {
		what = fmt.Sprintf("Noted as %s for questions like %s", verdict, excerpt(a.Query))
	}
	f.done(what, a.Changed, a.Batch, a.Notices)
	return nil
}

func (f *form) edit(ctx context.Context) error {
	text := strings.TrimSpace(strings.ReplaceAll(f.get("text"), "\r\n", "\n"))
	a, err := f.backend.Edit(ctx, memory.EditRequest{ID: f.get("id"), Text: text, Was: strings.ReplaceAll(f.get("was"), "\r\n", "\n"), Workspace: f.workspace})
	if err != nil {
		f.flash = flash{id: f.get("id"), draft: text}
		return err
	}
	f.done("Edited", a.Changed, a.Batch, a.Notices)
	return nil
}

func (f *form) undo(ctx context.Context) error {
	a, err := f.backend.ReviewStep(ctx, memory.ReviewStepRequest{Action: memory.ReviewUndo, Batch: f.get("batch"), Workspace: f.workspace})
	if err != nil {
		return err
	}
	f.done("Undone", a.Changed, "", a.Notices)
	return nil
}

func (f *form) review(ctx context.Context, step string) error {
	action, err := memory.ParseReviewAction(step)
	if err != nil {
		return err
	}
	a, err := f.backend.ReviewStep(ctx, memory.ReviewStepRequest{Action: action, Workspace: f.workspace, Kind: memory.ReviewKind(f.get("kind")),
		ID: f.get("id"), Other: f.get("other")})
	if err != nil {
		return err
	}
	past := pastOf(step)
	if action == memory.ReviewKeep {
		past = "Kept"
	}
	f.done(past, a.Changed, a.Batch, a.Notices)
	return nil
}

// forgetSession forgets what was kept of one conversation, as one command.
func (f *form) forgetSession(ctx context.Context) error {
	session := f.get("session")
	if session == "" {
		return memory.Invalid("session", "the conversation has no name, so that its memories are not known")
	}
	receipts, err := f.backend.Receipts(ctx, memory.ReceiptsRequest{Workspace: f.workspace, Session: session, Kind: memory.ReceiptCapture})
	if err != nil {
		return err
	}
	var ids []string
	for _, r := range receipts.Receipts {
		for _, id := range r.IDs {
			if shown, err := f.backend.Show(ctx, memory.ShowRequest{ID: string(id), Workspace: f.workspace}); err == nil && !shown.Forgotten {
				ids = append(ids, string(id))
			}
		}
	}
	if len(ids) == 0 {
		return &memory.Error{Kind: memory.ErrNotFound, Field: "session", Message: "nothing of this conversation is left to forget"}
	}
	return f.decide(ctx, memory.ActionForget, ids)
}
