package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Changed lists the keys whose values differ between two configurations, in the order
// of the reference page. It compares the values themselves, wherever they come from.
func Changed(from, to *Config) (names []string) {
	a, b := reflect.ValueOf(from).Elem(), reflect.ValueOf(to).Elem()
	for _, k := range Keys() {
		if !reflect.DeepEqual(a.FieldByIndex(k.index).Interface(), b.FieldByIndex(k.index).Interface()) {
			names = append(names, k.Name)
		}
	}
	for _, name := range namesOf(from.Identities, to.Identities) {
		if !reflect.DeepEqual(from.Identities[name], to.Identities[name]) {
			names = append(names, "identities."+name)
		}
	}
	for _, name := range namesOf(from.Workspaces, to.Workspaces) {
		a, b := reflect.ValueOf(from.Workspaces[name]), reflect.ValueOf(to.Workspaces[name])
		for _, k := range WorkspaceKeys() {
			if !reflect.DeepEqual(a.FieldByIndex(k.index).Interface(), b.FieldByIndex(k.index).Interface()) {
				names = append(names, strings.Replace(k.Name, "NAME", name, 1))
			}
		}
	}
	return names
}

// namesOf returns the sorted keys of either map.
func namesOf[V any](a, b map[string]V) []string {
	all := map[string]V{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// NeedsRestart reports whether a running service uses a new value of a key only after
// a restart.
func NeedsRestart(name string) bool {
	k, known := KeyNamed(name)
	return known && k.Restart
}
