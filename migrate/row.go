package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// rowReader reads rows whose fields have one of the names that memory systems use.
type rowReader struct {
	now    time.Time
	noDate int // rows whose date is not believed
}

// read returns the entry of a row. ref names the row if it has no id.
func (r *rowReader) read(row map[string]any, ref string) Entry {
	e := Entry{Ref: ref, Text: firstText(row, "text", "content", "memory", "document")}
	if id := firstText(row, "id", "memoryId", "memory_id", "uuid"); id != "" {
		e.Ref = id
	}
	e.Owner = firstText(row, "agentId", "agent_id", "agent")
	e.Declared = readProtecting(row).Declared
	d := &e.Declared
	var tag string
	if kind, err := memory.ParseType(firstText(row, "memory_type")); err == nil {
		d.Type = kind
		delete(row, "memory_type") // elsewhere it is a category
	}
	if d.Category, tag = categoryOf(firstText(row, "category", "cell_type", "kind", "memory_type")); tag != "" {
		d.Tags = append(d.Tags, tag)
	}
	d.Importance, d.ImportanceLabel = importanceOf(row)
	e.setScope(scopeText(row["scope"]))
	for _, tag := range append(textList(row["tags"]), firstText(row, "scene")) {
		if tag = tagOf(tag); tag != "" && !slices.Contains(d.Tags, tag) {
			d.Tags = append(d.Tags, tag)
		}
	}
	d.Pinned = trueOrNil(row["pinned"])
	if at := r.timeOf(row, "createdAt", "created_at", "created", "timestamp", "ts"); isPlausible(at, r.now) {
		d.Created = at.Truncate(time.Second)
	} else if !at.IsZero() {
		r.noDate++
	}
	d.Expires = r.timeOf(row, "expires", "expiresAt", "expires_at").Truncate(time.Second)
	return e
}

// setScope sets the scope. Some systems write an agent or a user in the same field.
func (e *Entry) setScope(scope string) {
	kind, name, _ := strings.Cut(scope, ":")
	switch {
	case scope == string(memory.ScopeGlobal):
	case kind == "agent" && name != "":
		e.Owner = name
	case kind == "user" && name != "":
		e.setUser(memory.FoldUser(name))
	case name != "":
		e.Declared.Scope = cleanScope(kind + "/" + name)
	default:
		e.Declared.Scope = cleanScope(scope)
	}
}

// setUser sets the user. Of two different users, neither gets the memory.
func (e *Entry) setUser(user string) {
	if had := e.Declared.User; had != "" && had != user {
		user = memory.NobodyUser
	}
	e.Declared.User = user
}

// scopeText returns a scope as a text. A list or an object is not lost: that would show
// the memory in every scope.
func scopeText(value any) string {
	switch value.(type) {
	case map[string]any, []any:
		if raw, err := json.Marshal(value); err == nil {
			return string(raw)
		}
	}
	return firstText(map[string]any{"": value}, "")
}

// scopeGap matches what no scope may contain.
var scopeGap = lazyregexp.New(`[^\pL\pN._/]+`)

// cleanScope returns a scope without the characters that no scope may have. A memory
// never loses its scope: that would show it in every scope.
func cleanScope(scope string) memory.Scope {
	if scope = strings.TrimSpace(scope); memory.Scope(scope).CheckName() == nil {
		return memory.Scope(scope)
	}
	clean := memory.Scope(strings.Trim(scopeGap().ReplaceAllString(scope, "-"), "-._/"))
	if clean == "" || clean.CheckName() != nil {
		sum := sha256.Sum256([]byte(scope))
		return memory.Scope("scope-" + hex.EncodeToString(sum[:6]))
	}
	return clean
}

// timeOf returns the time in the first of some fields that has one.
func (r *rowReader) timeOf(row map[string]any, names ...string) time.Time {
	for _, name := range names {
		switch v := row[name].(type) {
		case float64:
			return timeOfNumber(v)
		case int64:
			return timeOfNumber(float64(v))
		case string:
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				return timeOfNumber(n)
			}
			if at := timeOfText(v); !at.IsZero() {
				return at
			}
		}
	}
	return time.Time{}
}

// importanceOf returns the importance of a row as a number from 0 to 1, and its label.
func importanceOf(row map[string]any) (*float64, memory.ImportanceLabel) {
	label, _ := memory.ParseImportanceLabel(firstText(row, "importance_label"))
	for _, name := range []string{"importance", "salience"} {
		value := row[name]
		if fields, ok := value.(map[string]any); ok {
			value = fields["score"]
			if l, err := memory.ParseImportanceLabel(firstText(fields, "label")); err == nil && label == "" {
				label = l
			}
		}
		if n, ok := number(value); ok {
			return readImportance(n), label
		}
	}
	if n, ok := priorities[strings.Trim(strings.ToLower(firstText(row, "priority")), `"`)]; ok {
		return &n, label
	}
	return nil, label
}

// priorities maps the words of systems that have no numbers.
var priorities = map[string]float64{"low": 0.4, "medium": 0.7, "high": 1}

// readImportance returns a number on either scale as one from 0 to 1. Others are no
// importance. Vector databases store single precision, so three digits are enough.
func readImportance(n float64) *float64 {
	if n > 1 && n <= 10 {
		n /= 10
	}
	if !(n >= 0 && n <= 1) {
		return nil
	}
	n = math.Round(n*1000) / 1000
	return &n
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil
	}
	return 0, false
}

// firstText returns the first of some fields that has a text.
func firstText(row map[string]any, names ...string) string {
	for _, name := range names {
		switch v := row[name].(type) {
		case string:
			if v != "" {
				return v
			}
		case []byte:
			if len(v) > 0 {
				return string(v)
			}
		case int64:
			return strconv.FormatInt(v, 10)
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return ""
}

// textList reads a list, also one that is written as JSON or with commas.
func textList(v any) (list []string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if text, ok := item.(string); ok {
				list = append(list, text)
			}
		}
	case string:
		if json.Unmarshal([]byte(v), &list) != nil && v != "" {
			list = strings.Split(v, ",")
		}
	}
	return list
}

func trueOrNil(v any) *bool {
	yes := false
	switch v := v.(type) {
	case bool:
		yes = v
	case int64:
		yes = v != 0
	case float64:
		yes = v != 0
	case string:
		read, err := memory.ReadBool(v)
		yes = read && err == nil
	}
	if !yes {
		return nil
	}
	return &yes
}
