package similar

import "slices"

// bothHappened reports whether two statements tell of two events, as far as their words
// tell. Examples are two invoices, or a meeting on 12 March and another one on 18
// September. A word of change shows that they are one thing.
func (s *Statement) bothHappened(older *Statement) bool {
	if s.cjk || older.cjk {
		return false
	}
	a, b := s.readClaim(), older.readClaim()
	if a.change&(becomes|ends) != 0 || len(a.words) == 0 || len(b.words) == 0 {
		return false
	}
	return a.tellsEvent() && b.tellsEvent() || hasOtherDate(a, b) && hasOtherDate(b, a)
}

// tellsEvent reports whether a claim tells what somebody did. It may also begin with a
// word such as "invoice", without a word such as "is". Or it tells of a state of one day:
// "absent on Tuesday".
func (c *claim) tellsEvent() bool {
	hasDay := slices.ContainsFunc(c.words, func(w claimWord) bool { return w.kind&day != 0 })
	return c.event || c.transacts && !c.links || c.passes && hasDay
}

// hasOtherDate reports whether a claim has a day of a month that the other one lacks. The
// day must not be the value itself, as in "the deadline is 3 April".
func hasOtherDate(c, other *claim) bool {
	for i := 1; i < len(c.words); i++ {
		first, second := c.words[i-1], c.words[i]
		isDate := first.kind&number != 0 && second.kind == day || first.kind == day && second.kind&number != 0
		if isDate && !first.direct && (!other.has(first.stem) || !other.has(second.stem)) {
			return true
		}
	}
	return false
}

var (
	// transactions are nouns for what happens many times, each with its own amount.
	transactions = set(`invoice receipt donation payment purchase expense transfer refund rechnung quittung spende zahlung einkauf überweisung
bestellung erstattung facture reçu don paiement achat virement commande factura recibo donación pago compra transferencia pedido`)

	// passingStates last a day or some days.
	passingStates = set("absent ill sick late abwesend krank verspätet absente malade retard ausente enfermo enferma")
)
