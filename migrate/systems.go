package migrate

// The systems whose memories can be migrated.
const (
	LanceDB     = "lancedb"
	MemoryCore  = "memory-core"
	OpenClawMem = "openclaw-mem"
	ClawMem     = "clawmem"
	OCMemory    = "oc-memory"
)

// Systems lists the systems whose memories can be migrated.
var Systems = []string{LanceDB, MemoryCore, OpenClawMem, ClawMem, OCMemory}

// system is how the data of another memory system is found and read.
type system struct {
	place   string   // of its data in OpenClaw's folder; empty: no usual place
	inCache bool     // place is in the user's cache
	table   string   // of the LanceDB database; empty: a folder has Markdown
	layouts []layout // the forms of its SQLite database; nil: it has none
}

// systems describes the systems. There are several programs named oc-memory.
var systems = map[string]system{
	LanceDB:    {place: "memory/lancedb", table: "memories"},
	MemoryCore: {place: "workspace"},
	OpenClawMem: {place: "memory/openclaw-mem.sqlite", table: "memories_engine", layouts: []layout{
		{"observations", []string{"ts", "kind", "summary", "detail_json"}, readObservations}}},
	ClawMem: {place: "clawmem/index.sqlite", inCache: true, layouts: []layout{
		{"documents", []string{"collection", "path", "hash", "active"}, readCollections}}},
	OCMemory: {layouts: []layout{
		{"mem_cells", []string{"content", "cell_type", "salience"}, readCells},
		{"memories", []string{"content", "title", "memory_type", "priority"}, readTitled}}},
}
