// Package ranking holds the model that ranks candidates: a table of signals with fitted
// weights. [Features.Measure] computes the signals of one candidate for a question. Their
// weighted sum orders the candidates of the question. Their log-odds give the similarity:
// the probability that the candidate answers.
//
// signals.go has the signals and the weights, meaning.go the cases in which the cosine
// counts instead of words.
package ranking
