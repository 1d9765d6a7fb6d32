package display

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/memory-tiered/memory"
)

// Memory prints everything that is known about a memory.
func Memory(w io.Writer, answer memory.ShowAnswer) {
	m := answer.Memory
	fmt.Fprintf(w, "%s\n\n", m.Text)
	rows := []struct{ name, value string }{
		{"id", string(m.ID)},
		{"location", Location(m)},
		{"heading", strings.Join(m.Heading, " › ")},
		{"state", strings.TrimSpace(State(m))},
		{"tier", string(m.Tier)},
		{"type", string(m.Type)},
		{"category", string(m.Category)},
		{"scope", string(m.Scope)},
		{"user", m.User},
		{"tags", strings.Join(m.Tags, ", ")},
		{"entities", strings.Join(m.Entities, ", ")},
		{"importance", importanceText(m)},
		{"source", fmt.Sprintf("%s, %s", m.Source, m.Trust)},
		{"created", createdText(m)},
		{"edited", TimeOrNever(m.EditedAt)},
		{"used", fmt.Sprintf("%d times, last %s", m.UseCount, TimeOrNever(m.LastAccessedAt))},
	}
	Columns(w, 0, func(table io.Writer) {
		for _, row := range rows {
			if row.value != "" {
				fmt.Fprintf(table, "%s\t%s\n", row.name, row.value)
			}
		}
		if m.ExpiresAt != nil {
			fmt.Fprintf(table, "expires\t%s\n", Time(*m.ExpiresAt))
		}
		if m.SupersededBy != nil && len(answer.Successors) == 0 {
			fmt.Fprintf(table, "superseded by\t%s\n", m.SupersededBy.Short())
		}
		printVersions(table, "superseded by", answer.Successors)
		printVersions(table, "supersedes", answer.Supersedes)
	})
}

// importanceText returns the importance with its label, if there is one.
func importanceText(m memory.Memory) string {
	if m.ImportanceLabel == memory.ImportanceUnknown {
		return fmt.Sprintf("%.2f", m.Importance)
	}
	return fmt.Sprintf("%.2f (%s)", m.Importance, m.ImportanceLabel)
}

// createdText returns when a memory was created, and why another time is not believed. The
// name of a daily note has no time.
func createdText(m memory.Memory) string {
	text := Time(m.CreatedAt)
	if m.CreatedFrom == memory.DateNote {
		text = m.CreatedAt.Local().Format(time.DateOnly)
	}
	if m.DateReason != "" {
		text += ": " + m.DateReason
	}
	return text
}

// versionWidth is how much of a version shows, in characters: the rest of a line of 100.
const versionWidth = 60

// printVersions prints other versions of a memory, one line each. Only the first has the
// name of the row.
func printVersions(table io.Writer, name string, versions []memory.Version) {
	for _, v := range versions {
		state := State(memory.Memory{Forgotten: v.Forgotten, Missing: v.Missing})
		fmt.Fprintf(table, "%s\t%s  %s  %s%s\n", name, v.ID.Short(), v.CreatedAt.Local().Format(time.DateOnly), state, MemoryLine(v.Text, versionWidth))
		name = " "
	}
}

// Explanation prints a memory, and what its score consists of.
func Explanation(w io.Writer, answer memory.ExplainAnswer) {
	Memory(w, memory.ShowAnswer{Memory: answer.Memory})
	ageing := "it does not age"
	if answer.HalfLifeDays != nil {
		ageing = fmt.Sprintf("half-life %g days", *answer.HalfLifeDays)
	}
	fmt.Fprintf(w, "\ntier: %s\nage: %.1f days since its last change or use, %s\ndays of use: %s\ninjected: %s\n\n",
		answer.TierReason, answer.EffectiveAgeDays, ageing, daysOfUse(answer.Memory.UseDays), answer.Reason)
	Columns(w, tabwriter.AlignRight, func(table io.Writer) {
		for _, f := range answer.Factors {
			fmt.Fprintf(table, "%s\t%.4f\t× %.2f\t= %.4f\t\n", f.Name, f.Value, f.Weight, f.Points)
		}
		fmt.Fprintf(table, "score\t\t\t%.4f\t\n", answer.Score)
	})
}

// shownDays is how many days of use are printed: a line of 80 characters has room for them.
const shownDays = 5

// daysOfUse returns how many days of use are known, and the latest of them.
func daysOfUse(days []string) string {
	if len(days) <= shownDays {
		return strings.Join(append([]string{fmt.Sprint(len(days))}, days...), " ")
	}
	return fmt.Sprintf("%d, the latest %s", len(days), strings.Join(days[len(days)-shownDays:], " "))
}

// Columns prints the lines of fill as a table. A tab ends each cell but the last. The caller
// looks for errors of w.
func Columns(w io.Writer, flags uint, fill func(table io.Writer)) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', flags)
	fill(table)
	_ = table.Flush()
}

// MatchingIDs lists the ids with a prefix, each with the beginning of its text.
func MatchingIDs(memories []memory.Memory, prefix string) (found []string) {
	const most = 50 // one screen
	for _, m := range memories {
		if strings.HasPrefix(string(m.ID), strings.ToLower(prefix)) && len(found) < most {
			about := m.Text
			if m.Forgotten {
				about = m.Path // a forgotten text is not shown unasked
			}
			found = append(found, m.ID.Short()+"\t"+Line(about, 40))
		}
	}
	return found
}
