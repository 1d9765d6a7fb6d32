package knowledge

import (
	"time"

	"github.com/memory-tiered/memory"
)

// Entity is a person or thing that the memories name.
type Entity struct {
	Name     string              `json:"name"`
	Aliases  memory.List[string] `json:"aliases"`  // its other names
	Sources  memory.List[string] `json:"sources"`  // what states its names: title, heading, link, tag, alias, email, repository, relation, recurs, decided
	Memories int                 `json:"memories"` // how many have one of its names
	First    time.Time           `json:"first"`    // when the oldest of them was created
	Last     time.Time           `json:"last"`
}

// EntitiesAnswer lists the people and things that some memories name, those with most memories
// first. If the request names one, it has all that the name may mean.
type EntitiesAnswer struct {
	Entities memory.List[Entity] `json:"entities"`
	Like     memory.List[string] `json:"like,omitempty"` // other names with the same words, which may mean the same
	Total    int                 `json:"total"`
	Stale    bool                `json:"stale,omitempty"`
}

// Scene is a group of memories that belong together: see package scene. Its words are theirs.
type Scene struct {
	ID       string           `json:"id"`
	Kind     string           `json:"kind"` // conversation, section or name
	Title    string           `json:"title"`
	From     time.Time        `json:"from"` // when the oldest of them was created
	To       time.Time        `json:"to"`
	Memories int              `json:"memories"`
	Trust    memory.TrustTier `json:"trust_tier"` // the least of them
	Extract  string           `json:"extract"`    // the sentences that stand for all, one a line
}

// ScenesAnswer lists scenes, the newest first.
type ScenesAnswer struct {
	Scenes memory.List[Scene] `json:"scenes"`
	Total  int                `json:"total"`
	Stale  bool               `json:"stale,omitempty"`
}

// ChangeEntityRequest decides that two names mean the same.
type ChangeEntityRequest struct {
	Action    string `json:"action"` // alias: Other is another name; rename: it is the one to show; merge: it has memories too
	Name      string `json:"name"`
	Other     string `json:"other"`
	Workspace string `json:"workspace,omitempty"`
}
