// Package alignment decides what one text says about another one: the same, a new value, a
// contradiction, or something else. It lays the words of both side by side, in their order.
//
// Equal words in an equal order say the same. If the texts differ in one place below one
// subject, and that place holds a value, the newer value replaces the older one. Another
// order, or an opposite, is related and never the same. All else is unknown: both texts stay,
// and a reader decides. The words that mean something here are tables, in folder words.
package alignment
