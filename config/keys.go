package config

import (
	"cmp"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Key is one setting, with its name in the configuration file.
type Key struct {
	Name    string // embedding.provider
	Env     string // MEMORY_EMBEDDING_PROVIDER
	Default string
	Unit    string // empty: none
	Doc     string
	OneOf   []string // the allowed values; empty: not limited to a list
	Secret  bool     // the value is not shown, only where it is kept
	Kind    string   // of a text: see checkKind; empty: any text

	DependsOn string // autoRecall=true: without this value the key has no effect; | divides several; empty: it always has one

	Restart bool // a running service uses a new value only after a restart
	min     *float64
	max     *float64
	index   []int // of the field
}

// Keys lists every setting in the order of the reference page, except the settings
// of a workspace: see [WorkspaceKeys].
func Keys() []Key { return keysOf(reflect.TypeFor[Config](), Key{}) }

// WorkspaceKeys lists the settings of a workspace; its name is NAME in the keys.
func WorkspaceKeys() []Key {
	return keysOf(reflect.TypeFor[Workspace](), Key{Name: "workspaces.NAME."})
}

// keysOf lists the keys of a struct. group has what they share.
func keysOf(t reflect.Type, group Key) []Key {
	var keys []Key
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), group.index...), i)
		name := group.Name + keyName(f)
		dependsOn := cmp.Or(f.Tag.Get("dependsOn"), group.DependsOn)
		switch {
		case f.Type.Kind() == reflect.Struct:
			keys = append(keys, keysOf(f.Type, Key{Name: name + ".", index: at, DependsOn: dependsOn})...)
		case f.Type.Kind() != reflect.Map:
			keys = append(keys, Key{Name: name, Env: envName(name), Default: f.Tag.Get("default"),
				Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"), OneOf: strings.Fields(f.Tag.Get("oneof")),
				Secret:  f.Tag.Get("secret") != "",
				Restart: f.Tag.Get("restart") != "", DependsOn: dependsOn,
				Kind: f.Tag.Get("kind"),
				min:  numberTag(f, "min"), max: numberTag(f, "max"), index: at})
		}
	}
	return keys
}

// keyName returns the name of a field's key.
func keyName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}

func numberTag(f reflect.StructField, tag string) *float64 {
	n, err := strconv.ParseFloat(f.Tag.Get(tag), 64)
	if err != nil {
		return nil
	}
	return &n
}

// envName turns embedding.baseUrl into MEMORY_EMBEDDING_BASE_URL.
func envName(key string) string {
	var b strings.Builder
	b.WriteString("MEMORY_")
	runes := []rune(key)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && unicode.IsLower(runes[i-1]) {
			b.WriteByte('_')
		}
		if r == '.' {
			r = '_'
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// Condition returns when a setting has an effect: "only while autoRecall is true"; empty: always.
func (k Key) Condition() string {
	name, values, depends := strings.Cut(k.DependsOn, "=")
	if !depends {
		return ""
	}
	if values == "" {
		return "only while " + name + " is empty"
	}
	return "only while " + name + " is " + strings.ReplaceAll(values, "|", " or ")
}

// HasEffect reports whether the setting on which k depends has one of the values for it.
func (l *Loaded) HasEffect(k Key) bool {
	name, values, depends := strings.Cut(k.DependsOn, "=")
	on, known := KeyNamed(name)
	if !depends || !known {
		return true
	}
	value := reflect.ValueOf(&l.Config).Elem().FieldByIndex(on.index).Interface()
	return slices.Contains(strings.Split(values, "|"), fmt.Sprint(value))
}

// KeyNamed finds a setting by its name. Settings of a workspace have the name of
// the workspace, for example workspaces.notes.path.
func KeyNamed(name string) (Key, bool) {
	for _, k := range Keys() {
		if k.Name == name {
			return k, true
		}
	}
	if k, ok := identityKey(name); ok {
		return k, true
	}
	rest, ok := strings.CutPrefix(name, "workspaces.")
	dot := strings.LastIndexByte(rest, '.')
	if !ok || dot <= 0 {
		return Key{}, false
	}
	for _, k := range WorkspaceKeys() {
		if k.Name == "workspaces.NAME"+rest[dot:] {
			k.Name = name
			return k, true
		}
	}
	return Key{}, false
}

// assign sets the field of k from text.
func (k Key) assign(field reflect.Value, text string) error {
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		field.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a whole number%s", text, k.rangeText())
		}
		field.SetInt(int64(n))
	case reflect.Slice:
		if err := field.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
			return err
		}
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number%s", text, k.rangeText())
		}
		field.SetFloat(n)
	default:
		return fmt.Errorf("it can be set only in config.yaml")
	}
	return k.validate(field)
}

// validate checks a field against the allowed values or the range of its key.
func (k Key) validate(field reflect.Value) error {
	if len(k.OneOf) > 0 {
		for _, allowed := range k.OneOf {
			if field.String() == allowed {
				return nil
			}
		}
		return fmt.Errorf("%q is not one of: %s", field.String(), strings.Join(k.OneOf, ", "))
	}
	if k.Kind != "" && field.String() != "" {
		return checkKind(k.Kind, field.String())
	}
	if rules, ok := field.Interface().(ScopeRules); ok {
		return rules.check()
	}
	var n float64
	switch field.Kind() {
	case reflect.Int:
		n = float64(field.Int())
	case reflect.Float64:
		n = field.Float()
	default:
		return nil
	}
	if n != n || (k.min != nil && n < *k.min) || (k.max != nil && n > *k.max) {
		return fmt.Errorf("%s is out of range%s", numberText(n), k.rangeText())
	}
	return nil
}

func (k Key) rangeText() string {
	switch {
	case k.min != nil && k.max != nil:
		return fmt.Sprintf(" (%s to %s)", numberText(*k.min), numberText(*k.max))
	case k.min != nil:
		return fmt.Sprintf(" (at least %s)", numberText(*k.min))
	}
	return ""
}

// numberText writes a number without an exponent, as people write it in the file. A
// number of more digits than any setting has keeps its exponent.
func numberText(n float64) string {
	if math.Abs(n) < 1e15 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(n)
}
