package display

import (
	"fmt"
	"io"

	"github.com/memory-tiered/memory"
)

// Captured prints what was kept. A preview also prints each message that was
// left out, with the reason.
func Captured(w io.Writer, answer memory.CaptureAnswer, texts map[string]string) {
	printKept(w, answer)
	for _, s := range answer.Skipped {
		if s.NotKept != "" {
			fmt.Fprintf(w, "not kept, although the message asks for it: %s\n", s.NotKept)
		}
	}
	if answer.Preview {
		printLeftOut(w, answer.Skipped, texts)
	} else {
		fmt.Fprintf(w, "%d kept, %d left out%s\n", len(answer.Stored), len(answer.Skipped), reasonCounts(answer.Skipped))
	}
}

// printKept prints the memories that were kept, and those that they replace.
func printKept(w io.Writer, answer memory.CaptureAnswer) {
	verb := "kept"
	if answer.Preview {
		verb = "would keep"
	}
	for _, m := range answer.Stored {
		label := string(m.Category)
		if m.Trust != memory.TrustTrusted {
			label += ", " + string(m.Trust)
		}
		if m.ID != "" {
			label += " " + m.ID.Short()
		}
		fmt.Fprintf(w, "%s [%s] %s\n", verb, label, MemoryLine(m.Text, 200))
	}
	for _, id := range answer.Superseded {
		fmt.Fprintf(w, "replaces %s\n", id.Short())
	}
}

func printLeftOut(w io.Writer, skipped []memory.CaptureSkipped, texts map[string]string) {
	for _, s := range skipped {
		text := Line(texts[s.Key], 80)
		switch {
		case s.Reason == "secret", s.Reason == "forgotten":
			text = s.Detail // never the message
		case s.ID != "":
			text = s.ID.Short() + " " + text
		case s.Detail != "":
			text += " (" + s.Detail + ")"
		}
		fmt.Fprintf(w, "left out [%s] %s\n", s.Reason, text)
	}
}

// reasonCounts lists how many messages were left out for each reason.
func reasonCounts(skipped []memory.CaptureSkipped) string {
	counts := map[string]int{}
	for _, s := range skipped {
		counts[s.Reason]++
	}
	if len(counts) == 0 {
		return ""
	}
	return " (" + countsText(counts) + ")"
}

// CapturedFrom prints what was kept of many conversations, and counts the rest.
func CapturedFrom(w io.Writer, answer memory.CaptureAnswer, files int) {
	printKept(w, answer)
	verb := "kept"
	if answer.Preview {
		verb = "would be kept"
	}
	fmt.Fprintf(w, "%s: %d %s, %d left out%s\n", Plural(files, "conversation", "conversations"), len(answer.Stored), verb, len(answer.Skipped), reasonCounts(answer.Skipped))
}
