package inspector_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/api/inspector"
	"github.com/memory-tiered/memory/internal/leaks"
	"github.com/memory-tiered/memory/internal/must"
)

func TestMain(m *testing.M) { leaks.Check(m) }

func optionsWithoutBackend() inspector.Options {
	return inspector.Options{Now: time.Now, Zone: time.UTC}
}

func TestThePortClosesWhenNobodyUsesIt(t *testing.T) {
	s := inspector.NewServer(optionsWithoutBackend(), time.Millisecond)
	address, err := s.Open()
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("%s: %v", address, err)
	}
	must.Do(t, s.Wait(t.Context()))
	if answer, err := http.Get(address); err == nil {
		answer.Body.Close()
		t.Errorf("it still answers: %s", answer.Status)
	}
}

func TestOpenTwiceIsOnePortAndTwoTokens(t *testing.T) {
	s := inspector.NewServer(optionsWithoutBackend(), time.Hour)
	first := must.Get(s.Open())(t)
	second, err := s.Open()
	base, _, _ := strings.Cut(first, "/open")
	if err != nil || first == second || !strings.HasPrefix(second, base+"/open?token=") {
		t.Errorf("%s, %s: %v", first, second, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	must.Do(t, s.Wait(ended))
	if _, err := s.Open(); err == nil {
		t.Error("a closed server opens again")
	}
}
