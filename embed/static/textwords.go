package static

// textWords is the words of a text that the model knows, as rows of its table. It is
// never changed.
type textWords struct {
	tokens []int32 // of all words
	words  []tokenSpan
}

// tokenSpan is a word: its tokens are those up to end.
type tokenSpan struct {
	end    int32
	length float32 // see word
}

// each calls yield for each word.
func (t *textWords) each(yield func(word)) {
	start := int32(0)
	for _, w := range t.words {
		yield(word{pieces: t.tokens[start:w.end], length: w.length})
		start = w.end
	}
}

// bytes estimates the memory of a text under a key.
func (t *textWords) bytes(key int) int {
	const entry = 128 // of the map, and the headers of the slices
	return entry + key + 4*len(t.tokens) + 8*len(t.words)
}

// maxTextBytes bounds the memory of the texts whose words are kept: those of some 10,000
// notes. To find the words of a note takes longer than to compare them with a question.
const maxTextBytes = 6 << 20

// findAll returns the words of a text.
func (w *wordVectors) findAll(text []string, t *table) textWords {
	var buffer [512]byte // most texts fit
	key := buffer[:0]
	for _, word := range text {
		key = append(append(key, word...), 0)
	}
	w.mu.Lock()
	found, known := w.texts[string(key)]
	w.mu.Unlock()
	if known {
		return found
	}
	for _, each := range text {
		one := w.find(each, t)
		if one.length == 0 {
			continue
		}
		found.tokens = append(found.tokens, one.tokens()...)
		found.words = append(found.words, tokenSpan{int32(len(found.tokens)), one.length})
	}
	w.keep(string(key), found)
	return found
}

// keep keeps the words of a text. If there are too many, any other ones have to go: those
// of a note that is often near a question soon come back.
func (w *wordVectors) keep(key string, of textWords) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.texts == nil {
		w.texts = map[string]textWords{}
	}
	if _, known := w.texts[key]; known { // by another goroutine
		return
	}
	w.texts[key] = of
	w.textBytes += of.bytes(len(key))
	for other, t := range w.texts {
		if w.textBytes <= maxTextBytes {
			break
		}
		w.textBytes -= t.bytes(len(other))
		delete(w.texts, other)
	}
}
