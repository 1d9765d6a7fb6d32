package api

import (
	"errors"
	"net/http"
	"reflect"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api/caller"
)

// callerOf returns who sent a request. Over the socket that is the owner of the service, who
// has no limits. Whether the service is alive is no secret: what balances the load asks it.
func (s *server) callerOf(r *http.Request) (c caller.Caller, err error) {
	if s.Authenticate == nil {
		return c, checkCaller(r)
	}
	if err := refuseBrowser(r); err != nil || r.URL.Path == healthRoute.path {
		return c, err
	}
	c, err = s.Authenticate(r)
	switch {
	case errors.Is(err, caller.ErrUnknown):
		err = &httpError{err, http.StatusUnauthorized}
	case errors.Is(err, caller.ErrTooMany):
		err = &httpError{err, http.StatusTooManyRequests}
	case err != nil:
		s.Log.Error("nobody can be let in", "error", err)
		err = memory.Unavailable(nil, "the server cannot check tokens now").WithHint("its log says why")
	}
	return c, err
}

// reach keeps a request within the limits of its caller. A caller with limits reaches the
// requests that have a sender, because the answers to these follow one rule about who gets what.
func reach(c caller.Caller, to *route, request any) (err error) {
	if !c.IsLimited() || to == healthRoute.route || to == workspacesRoute.route {
		return nil
	}
	fields := reflect.ValueOf(request).Elem()
	sender, workspace := fields.FieldByName("Sender"), fields.FieldByName("Workspace")
	if !sender.IsValid() || to.owner {
		return &memory.Error{Kind: memory.ErrForbidden, Message: "this token does not reach " + to.method + " " + to.path,
			Hint: "a token without a user, a workspace and --model reaches it"}
	}
	if confirm := fields.FieldByName("Confirm"); confirm.IsValid() && confirm.Bool() {
		return &memory.Error{Kind: memory.ErrForbidden, Message: "this token does not reach what cannot be undone", Field: "confirm",
			Hint: "forget the memory; a token without a user, a workspace and --model can destroy it"}
	}
	name, err := c.Workspace(workspace.String())
	if err != nil {
		return err
	}
	workspace.SetString(name)
	if c.User != "" {
		sender.Set(reflect.ValueOf(memory.Sender{User: c.User}))
	}
	if message := fields.FieldByName("UserMessage"); message.IsValid() && c.User != "" && c.User != memory.OwnerIdentity {
		message.SetString("") // these are not the owner's words
		fields.FieldByName("Source").SetString(string(memory.SourceTool))
	}
	if audience := fields.FieldByName("For"); c.Model && audience.IsValid() {
		audience.Set(reflect.ValueOf(memory.AudienceModel))
	}
	if folder := fields.FieldByName("Folder"); folder.IsValid() && folder.String() != "" {
		return memory.Invalid("folder", "this token does not reach other workspaces by a folder")
	}
	return nil
}

// within leaves out of an answer which workspaces there are beside those of a caller, and where
// they are.
func within(c caller.Caller, answer any) any {
	listed, ok := answer.(memory.WorkspacesAnswer)
	if !ok || !c.IsLimited() {
		return answer
	}
	left := []memory.WorkspaceInfo{}
	for _, w := range listed.Workspaces {
		if len(c.Workspaces) == 0 || slices.Contains(c.Workspaces, w.Name) {
			left = append(left, memory.WorkspaceInfo{Name: w.Name})
		}
	}
	return memory.WorkspacesAnswer{Workspaces: left}
}
