package dates

// maxEventDays is the longest time over which an event may be mentioned if the
// question asks for "during" or "around". "During her studies" is no week. Measured
// with the thresholds of recall.
const maxEventDays = 14

// Resolve returns the referenced time for an event dated within some days. Other
// memories of these days are as often after the event as before it. So "before"
// ends with the start of the last day, and "after" begins with the first one.
func (r Reference) Resolve(dated Span) Span {
	if !dated.IsSet() {
		return Span{}
	}
	const week = 7
	switch r.Relation {
	case relBefore:
		dated.From = dated.To.AddDate(0, 0, -1)
	case relAfter:
		r.Relation = relSince
	case relDuring, relAround:
		if dated.To.After(dated.From.AddDate(0, 0, maxEventDays)) {
			return Span{}
		}
		margin := week / 2
		if r.Relation == relAround {
			margin = week
		}
		dated = Span{From: dated.From.AddDate(0, 0, -margin), To: dated.To.AddDate(0, 0, margin)}
	}
	return r.spanFrom(dated)
}
