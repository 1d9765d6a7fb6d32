package question

import (
	"testing"

	"github.com/memory-tiered/memory/lang"
)

func TestPhrasesOfTheTables(t *testing.T) {
	for section, texts := range map[string][]string{
		"asks phone": {"Ann's phone", "cell number", "fax no", "Handynummer", "Nummer von Ann", "numéro de Ann", "teléfono de Ann", "Ann's number", "Ann Telefon", "MOBILE NUMBER"},
		"asks mail":  {"email address", "Mailadresse", "Ann's e-mail", "adresse mail", "correo de Ann", "Ann email"},
		"asks how to reach": {"how do I reach Ann", "how to call Ann", "contact details", "Wie erreiche ich Ann", "Wie kann ich Ann erreichen", "Kontaktdaten", "comment joindre Ann",
			"cómo llamar a Ann"},
		"asks address": {"home address", "the address", "Anschrift", "dirección de Ann", "Ann address"},
		"asks past": {"our old port", "used to be", "use to work", "in the past", "back then", "before that", "what was it before", "was hatten wir vorher",
			"qu'est-ce qu'on avait avant", "qué usaba antes", "以前", "过去", "原来", "昔", "かつて", "従来"},
		"hands over": {"sort this list: a", "übersetze folgenden Text: a"},
		"asks days": {"when", "which days", "what date", "how often", "wann", "welche tage", "wie oft", "quand", "quels jours", "combien de fois",
			"cuántas veces", "qué fechas", "cuándo", "什么时候", "哪天", "几次", "いつ", "何回"},
		"asks":   {"tell me", "And, please remind me", "what's up", "Wo ist es", "où est-ce", "dónde está", "これは何か"},
		"street": {"12 Mill Lane", "4b, Old Mill Road", "Ahornweg 4", "Hauptstr. 12", "rue de la Paix 4", "calle Mayor, 3"},
	} {
		for _, text := range texts {
			if !has(section, lang.Fold(text)) {
				t.Errorf("%s: %q has no phrase", section, text)
			}
		}
	}
}

func TestTextsWithoutPhrases(t *testing.T) {
	for section, texts := range map[string][]string{
		"asks phone":   {"my new phone is black", "Which phone does Ann use?", "a fax came"},
		"asks mail":    {"I sent an email"},
		"asks address": {"we address this"},
		"asks past":    {"How old is Mila?", "the oldest one", "before lunch"},
		"hands over":   {"this is a list", "at 12:30 this train leaves"},
		"asks days":    {"whenever", "days"},
		"asks":         {"Somebody asks what it is", "whatever"},
		"street":       {"the 12 apostles", "4 is a number", "on the way 4", "on 12 Dec, St Mary"},
	} {
		for _, text := range texts {
			if has(section, lang.Fold(text)) {
				t.Errorf("%s: %q has a phrase", section, text)
			}
		}
	}
}
