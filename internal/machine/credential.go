package machine

import (
	"context"
	"time"
)

// credentialTime is how long the store of a system may take: it may ask the person to
// unlock it.
const credentialTime = 30 * time.Second

// Credential returns the secret that the credential store of this system has for a service
// and a name. The store is the keychain of macOS, the Credential Manager of Windows, or else
// the Secret Service of the desktop. A secret that is not there is an error.
func Credential(ctx context.Context, service, name string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, credentialTime)
	defer cancel()
	return credential(ctx, service, name)
}
