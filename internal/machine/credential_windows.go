package machine

import (
	"context"
	"fmt"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	advapi32 = windows.NewLazySystemDLL("advapi32.dll")
	credRead = advapi32.NewProc("CredReadW")
	credFree = advapi32.NewProc("CredFree")
)

// genericCredential is CREDENTIALW of wincred.h.
type genericCredential struct {
	flags, kind           uint32
	target, comment       *uint16
	written               windows.Filetime
	size                  uint32
	secret                *byte
	persist, attributes   uint32
	firstAttribute        uintptr
	targetAlias, userName *uint16
}

// genericKind is CRED_TYPE_GENERIC.
const genericKind = 1

func credential(_ context.Context, service, name string) (string, error) {
	target, err := windows.UTF16PtrFromString(service + ":" + name)
	if err != nil {
		return "", err
	}
	var found *genericCredential
	if ok, _, err := credRead.Call(uintptr(unsafe.Pointer(target)), genericKind, 0, uintptr(unsafe.Pointer(&found))); ok == 0 {
		return "", fmt.Errorf("the Credential Manager: %w", err)
	}
	secret := string(unsafe.Slice(found.secret, found.size))
	_, _, _ = credFree.Call(uintptr(unsafe.Pointer(found))) // it returns nothing
	return strings.ReplaceAll(secret, "\x00", ""), nil      // cmdkey keeps UTF-16, and a key is ASCII
}

// KeepCredential returns the command with which a person keeps a secret.
func KeepCredential(service, name string) string {
	return fmt.Sprintf("cmdkey /generic:%s:%s /user:memory /pass", service, name)
}
