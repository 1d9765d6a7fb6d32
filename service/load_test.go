package service_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memory-tiered/memory/internal/machine"
	"github.com/memory-tiered/memory/service"
)

func TestWorkWaitsAfterTheStart(t *testing.T) {
	if machine.OnBattery() {
		t.Skip("this machine runs on battery, which holds all work")
	}
	synctest.Test(t, func(t *testing.T) {
		l := &service.Load{}
		requireHold(t, l, "has just started")
		time.Sleep(11 * time.Second)
		requireHold(t, l, "")
	})
}

func requireHold(t *testing.T, l *service.Load, want string) {
	t.Helper()
	if got := l.Hold(); want == "" && got != "" || !strings.Contains(got, want) {
		t.Errorf("work waits because %q, want %q", got, want)
	}
}
