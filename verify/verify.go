// Package verify looks for a text on every route that returns texts and in every
// file that is ours or that we index. It changes nothing. [Routes] asks as an
// agent would, [Files] reads the bytes, and [Matcher] finds many texts in one pass.
package verify
