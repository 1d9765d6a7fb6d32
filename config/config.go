// Package config is the settings: defaults, then config.yaml, then the
// environment, then flags, each key with its meaning, unit, default and the
// place that its value came from. It validates and explains; it runs nothing.
package config

// Config is every setting. The tags of a field are the whole truth about its
// key: the reference page and the completion of keys are made from them.
type Config struct {
	Embedding  Embedding            `yaml:"embedding"`
	DBPath     string               `yaml:"dbPath" default:"" doc:"database of the workspace main; empty: tiered.db in the state folder"`
	Workspaces map[string]Workspace `yaml:"workspaces"`
	AutoRecall bool                 `yaml:"autoRecall" default:"true" doc:"recall answers with memories; false: with the current context alone"`
	Scoring    Scoring              `yaml:"scoring"`
	Search     Search               `yaml:"search"`
	Injection  Injection            `yaml:"injection"`
	Context    Context              `yaml:"context"`
	Receipts   Receipts             `yaml:"receipts"`
	Index      Index                `yaml:"index"`
	Retention  Retention            `yaml:"retention"`
	Log        Log                  `yaml:"log"`
	Limits     Limits               `yaml:"limits"`
}

// Embedding chooses what turns text into vectors.
type Embedding struct {
	Provider   string         `yaml:"provider" default:"local" oneof:"local openai gemini auto none" doc:"what makes vectors: local (the model inside the binary, or the one that the next keys name), openai (and any server like it), gemini, auto (the best there is), none (keyword search only)"`
	Model      string         `yaml:"model" default:"" doc:"the provider's model; empty: the provider's default. local: one that memory model list shows"`
	APIKey     string         `yaml:"apiKey" default:"" secret:"true" doc:"the provider's key, best as env:NAME (a variable that holds it) or file:PATH; never shown"`
	BaseURL    string         `yaml:"baseUrl" default:"" doc:"another server than the provider's own, as http://localhost:11434/v1; one on this machine's loopback address is not another machine"`
	Dimensions int            `yaml:"dimensions" default:"0" min:"0" max:"8192" unit:"numbers" doc:"length of a vector; 0: the model's own"`
	Local      EmbeddingLocal `yaml:"local"`
	MaxChars   int            `yaml:"maxChars" default:"6000" min:"0" unit:"characters" doc:"a longer text is embedded by its beginning and its end; 0: whole"`
	HeadChars  int            `yaml:"headChars" default:"500" min:"0" unit:"characters" doc:"how much of a longer text's maxChars is its beginning"`
	MaxBytes   int            `yaml:"maxBytes" default:"0" min:"0" unit:"bytes" doc:"the same in bytes, for servers that count those; 0: no limit"`
}

// EmbeddingLocal is a model on this machine.
type EmbeddingLocal struct {
	ModelPath string `yaml:"modelPath" default:"" doc:"folder of a sentence transformer: model.onnx, tokenizer.json, config.json"`
}

// Workspace is a folder of Markdown that is served under a name.
type Workspace struct {
	Path      string `yaml:"path" doc:"the folder that holds MEMORY.md and memory/"`
	Timezone  string `yaml:"timezone" default:"" doc:"IANA zone in which daily notes and dates are meant; empty: the system's"`
	ReadOnly  bool   `yaml:"readOnly" default:"false" doc:"never write into the folder"`
	Decisions string `yaml:"decisions" default:"frontmatter" oneof:"frontmatter file" doc:"where decisions about single memories are written: frontmatter of their files, or file: memory/.decisions.yaml, so that no Markdown file changes; both are read"`
	Globs     []Glob `yaml:"globs" doc:"further files to index: glob, tier, scope, inject"`
}

// Glob names further Markdown files of a workspace.
type Glob struct {
	Glob   string `yaml:"glob"`
	Tier   string `yaml:"tier"`
	Scope  string `yaml:"scope"`
	Inject *bool  `yaml:"inject"`
}

// Scoring weighs what a memory's score is made of.
type Scoring struct {
	Preset     string    `yaml:"preset" default:"balanced" oneof:"balanced prd" doc:"balanced: similarity orders, the composite decides among near equals; prd: the composite orders alone"`
	Similarity float64   `yaml:"similarity" default:"0.5" min:"0" max:"1" doc:"weight of similarity in the composite"`
	Recency    float64   `yaml:"recency" default:"0.3" min:"0" max:"1" doc:"weight of recency in the composite"`
	Frequency  float64   `yaml:"frequency" default:"0.2" min:"0" max:"1" doc:"weight of use in the composite"`
	HalfLives  HalfLives `yaml:"halfLives"`
}

// HalfLives says how fast each memory type fades.
type HalfLives struct {
	Procedural float64 `yaml:"procedural" default:"180" min:"0.01" unit:"days" doc:"half-life of how something is done"`
	Factual    float64 `yaml:"factual" default:"90" min:"0.01" unit:"days" doc:"half-life of what is so"`
	Project    float64 `yaml:"project" default:"45" min:"0.01" unit:"days" doc:"half-life of what a project is about"`
	Episodic   float64 `yaml:"episodic" default:"10" min:"0.01" unit:"days" doc:"half-life of what happened"`
}

// Search says how the lanes become one answer.
type Search struct {
	Fusion       string  `yaml:"fusion" default:"ranking" oneof:"ranking weighted rrf" doc:"ranking: sum of measured signals; weighted: sum of the lanes' scores by the weights below; rrf: reciprocal rank fusion of the lanes"`
	Alike        bool    `yaml:"alike" default:"true" doc:"words that mean nearly the same as those of a query count as well, for less; English alone"`
	InMemory     bool    `yaml:"inMemory" default:"true" doc:"the daemon keeps a copy of the index in memory, about 1.5 kB a memory, and answers from it; false, for small machines: from the database alone, slower"`
	VectorWeight float64 `yaml:"vectorWeight" default:"0.7" min:"0" max:"1" doc:"weight of the vector lane"`
	TextWeight   float64 `yaml:"textWeight" default:"0.3" min:"0" max:"1" doc:"weight of the keyword lane"`
}

// Injection bounds what is put before a model.
type Injection struct {
	MaxItems  int     `yaml:"maxItems" default:"20" min:"0" max:"200" unit:"memories" doc:"at most so many memories in a block"`
	MaxTokens int     `yaml:"maxTokens" default:"1000" min:"0" max:"100000" unit:"tokens of 4 bytes" doc:"at most so much text in a block"`
	Floor     float64 `yaml:"floor" default:"-1" min:"-1" max:"1" doc:"similarity below which nothing is injected (pinned ones at half of it); -1: the measured default"`
	Budgets   Budgets `yaml:"budgets"`
}

// Budgets splits an injection's places among the tiers; what a tier does not
// use goes to the best of the others.
type Budgets struct {
	Pinned float64 `yaml:"pinned" default:"25" min:"0" max:"100" unit:"%" doc:"share of the places for pinned memories"`
	Hot    float64 `yaml:"hot" default:"45" min:"0" max:"100" unit:"%" doc:"share for HOT"`
	Warm   float64 `yaml:"warm" default:"25" min:"0" max:"100" unit:"%" doc:"share for WARM"`
	Cold   float64 `yaml:"cold" default:"5" min:"0" max:"100" unit:"%" doc:"share for COLD"`
}

// Context is the current-context slot.
type Context struct {
	TTLHours float64 `yaml:"ttlHours" default:"4" min:"0.01" unit:"hours" doc:"how long a current context holds"`
}

// Receipts says what is kept of each recall: ids and figures, never a text.
type Receipts struct {
	Enabled   bool    `yaml:"enabled" default:"true" doc:"keep a receipt of each recall: ids and figures, never a text"`
	Verbosity string  `yaml:"verbosity" default:"low" oneof:"low high" doc:"low: the ten nearest of what was left out; high: a hundred"`
	MaxItems  int     `yaml:"maxItems" default:"3" min:"0" max:"10" unit:"memories" doc:"at most so many of each lane's best"`
	Days      float64 `yaml:"days" default:"30" min:"0.01" unit:"days" doc:"a receipt is kept so long; and never more than 5,000 of them"`
}

// Index bounds what is read.
type Index struct {
	MaxFileMiB   int     `yaml:"maxFileMiB" default:"16" min:"1" max:"1024" unit:"MiB" doc:"a larger Markdown file is a fault and is not indexed"`
	SweepSeconds float64 `yaml:"sweepSeconds" default:"60" min:"1" unit:"seconds" doc:"how often the daemon looks for changes that no event told of"`
}

// Retention says how long the index remembers what is not in the Markdown.
type Retention struct {
	MissingDays float64 `yaml:"missingDays" default:"90" min:"1" unit:"days" doc:"a memory whose text is gone keeps its id and state so long, should the text come back"`
}

// Log says how much the daemon tells.
type Log struct {
	Level  string `yaml:"level" default:"info" oneof:"debug info warn error" doc:"the least severe message that is written"`
	Format string `yaml:"format" default:"text" oneof:"text json" doc:"how a message is written"`
}

// Limits keep one client from taking the daemon.
type Limits struct {
	Concurrency int `yaml:"concurrency" default:"64" min:"1" max:"4096" unit:"requests" doc:"answered at once; more are told to try again"`
}
