// Package config contains the settings. A value comes from the defaults, the file
// config.yaml, the environment or a flag; the later source wins. Every key has a
// meaning, a unit and a default, and the package reports where its value came from.
// dependsOn names the setting without which a key has no effect, and its values.
// Every number has a range. Its upper end is far above what is useful, and small enough
// that no calculation with it overflows.
package config

// Config contains every setting. The tags of a field describe its key: they make
// the reference page and the completion of keys.
type Config struct {
	Embedding   Embedding            `yaml:"embedding"`
	Model       Model                `yaml:"model"`
	DBPath      string               `yaml:"dbPath" kind:"path" default:"" doc:"database of the workspace main; empty: tiered.db in the state folder"`
	Index       Index                `yaml:"index"`
	Workspaces  map[string]Workspace `yaml:"workspaces"`
	Native      Words                `yaml:"native" default:"" doc:"clients of agents whose own memories are workspaces: a client and its folder, such as claude-code=/home/me/.claude, between commas. memory workspace add --native sets it"`
	AutoRecall  bool                 `yaml:"autoRecall" default:"true" doc:"recall returns memories; false: it returns only the current context"`
	AutoCapture bool                 `yaml:"autoCapture" default:"true" doc:"keep what is worth keeping of the conversations that a host sends; false: keep nothing"`
	Capture     Capture              `yaml:"capture" dependsOn:"autoCapture=true"`
	Identities  map[string]Words     `yaml:"identities"`
	Scopes      ScopeRules           `yaml:"scopes" default:"" doc:"scopes of requests that name none: rules between commas, such as work agent=coder, home channel=telegram. The first that matches applies; * stands for any text"`
	Tiers       Tiers                `yaml:"tiers"`
	Decay       Decay                `yaml:"decay"`
	Grade       Grade                `yaml:"grade"`
	Scoring     Scoring              `yaml:"scoring"`
	Search      Search               `yaml:"search"`
	Injection   Injection            `yaml:"injection" dependsOn:"autoRecall=true"`
	Context     Context              `yaml:"context"`
	Receipts    Receipts             `yaml:"receipts"`
	Retention   Retention            `yaml:"retention"`
	Log         Log                  `yaml:"log"`
	Server      Server               `yaml:"server"`
}

// Embedding chooses the provider that turns text into vectors.
type Embedding struct {
	Provider   string         `yaml:"provider" default:"local" oneof:"local openai gemini auto none" doc:"makes the vectors. local: a model on this machine. openai: OpenAI or a compatible server. gemini: Google Gemini. auto: the configured folder, server or key, or else local. none: keyword search only"`
	Model      string         `yaml:"model" default:"" doc:"the provider's model; empty: the provider's default. For local: static or transformer"`
	APIKey     string         `yaml:"apiKey" dependsOn:"embedding.provider=openai|gemini|auto" default:"" secret:"true" doc:"the provider's key: better env:NAME (a variable), file:PATH or credential:NAME. It is never shown"`
	BaseURL    string         `yaml:"baseUrl" kind:"address" dependsOn:"embedding.provider=openai|gemini|auto" default:"" doc:"URL of another server, for example http://localhost:11434/v1"`
	Dimensions int            `yaml:"dimensions" default:"0" min:"0" max:"8192" unit:"numbers" doc:"length of a vector; 0: the model's default"`
	Local      EmbeddingLocal `yaml:"local" dependsOn:"embedding.provider=local|auto"`
}

// EmbeddingLocal configures a model on this machine.
type EmbeddingLocal struct {
	ModelPath string `yaml:"modelPath" kind:"path" default:"" doc:"folder of a sentence transformer, with model.onnx, tokenizer.json and config.json"`
	Quality   string `yaml:"quality" default:"auto" oneof:"auto fast best" doc:"which model in the binary makes the vectors. fast: the table. best: the transformer, which takes some 30 ms per text. auto: the transformer on a machine with 2 cores and 2 GB of memory; the table answers until it has every vector"`
}

// Model is a language model on a server, which reads conversations for memory extract.
type Model struct {
	BaseURL      string `yaml:"baseUrl" kind:"address" default:"" doc:"URL of a server with OpenAI's chat API; empty: no language model (docs/capture.md)"`
	Name         string `yaml:"name" default:"" doc:"the model on that server"`
	APIKey       string `yaml:"apiKey" default:"" secret:"true" doc:"the key of that server, as embedding.apiKey"`
	TokensPerDay int    `yaml:"tokensPerDay" default:"100000" min:"0" max:"1000000000" unit:"tokens" doc:"what the language model may take a day; 0: it is not used"`
}

// Index chooses where the indexes of all workspaces are.
type Index struct {
	Backend string `yaml:"backend" default:"sqlite" oneof:"sqlite postgres" doc:"the index is in a file, or on a PostgreSQL server with pgvector"`
	URL     string `yaml:"url" dependsOn:"index.backend=postgres" default:"" secret:"true" doc:"URL of that database: a secret, as embedding.apiKey"`
}

// Workspace is a folder of Markdown that is served under a name.
type Workspace struct {
	Path      string `yaml:"path" kind:"path" doc:"the folder that contains MEMORY.md and memory/: an absolute path, or one that begins with ~/"`
	Timezone  string `yaml:"timezone" kind:"zone" default:"" doc:"IANA time zone of daily notes and dates; empty: the system's time zone"`
	ReadOnly  bool   `yaml:"readOnly" default:"false" doc:"never write to the folder"`
	Decisions string `yaml:"decisions" default:"frontmatter" oneof:"frontmatter file" doc:"where decisions about single memories are written. frontmatter: in their files; file: in memory/.decisions.yaml. Both are read"`
	Machines  bool   `yaml:"machines" default:"false" doc:"share uses, tiers and forgotten texts with your other machines (docs/workspaces.md)"`
	Schema    string `yaml:"schema" default:"" doc:"the schema of its index on a PostgreSQL server (docs/server.md); empty: one of its own"`
	Client    string `yaml:"client" default:"" doc:"the agent's client whose own memory the folder is, such as claude-code (docs/native.md), or documents (docs/documents.md); empty: it is a folder of yours"`
	Inject    bool   `yaml:"inject" default:"false" doc:"of a folder of documents: put its passages before prompts too"`
	Globs     Globs  `yaml:"globs" doc:"more files to index: patterns relative to the folder, such as **/*.md. In the file, a pattern may have a tier, a scope, and inject: false"`
}

// Tiers configures when memories move to another tier.
type Tiers struct {
	Hot  TierHot  `yaml:"hot"`
	Warm TierWarm `yaml:"warm"`
	Cold TierCold `yaml:"cold"`
}

// TierHot configures when a HOT memory becomes COLD.
type TierHot struct {
	TTLHours float64 `yaml:"ttlHours" default:"72" min:"0.01" max:"876000" unit:"hours" doc:"a HOT memory that was not created, edited or used for so long becomes COLD"`
}

// TierWarm configures when a WARM memory becomes COLD.
type TierWarm struct {
	DemotionDays float64 `yaml:"demotionDays" default:"60" min:"0.01" max:"36500" unit:"days" doc:"a WARM memory that was not created, edited or used for so long becomes COLD"`
}

// TierCold configures when a COLD memory becomes WARM.
type TierCold struct {
	PromotionUses int `yaml:"promotionUses" default:"3" min:"1" max:"1000000" unit:"uses" doc:"a COLD memory with so many uses since it became COLD becomes WARM"`
	PromotionDays int `yaml:"promotionDays" default:"2" min:"1" max:"36500" unit:"days" doc:"and if the uses were on so many days of the workspace's time zone"`
}

// Decay configures when the service looks for memories that age.
type Decay struct {
	Schedule    string  `yaml:"schedule" default:"" kind:"cron" doc:"a cron expression in the workspace's time zone, such as \"30 3 * * *\", which is 03:30 every day; empty: every 6 hours"`
	CompactDays float64 `yaml:"compactDays" default:"0" min:"0" max:"36500" unit:"days" doc:"a sweep archives scenes that nobody used for this many days, except their extracts (docs/ageing.md); 0: never"`
}

// Grade configures when the service grades memories.
type Grade struct {
	Schedule string `yaml:"schedule" default:"" kind:"cron" doc:"a cron expression, as decay.schedule: the service then grades importance and labels (docs/grading.md); empty: never"`
}

// Capture configures what is kept of conversations.
type Capture struct {
	Categories Words `yaml:"categories" default:"preference, decision" doc:"what is kept without an explicit request: categories between commas"`
	Triggers   Words `yaml:"triggers" default:"" doc:"more phrases between commas; a sentence with one is kept (docs/capture.md)"`
}

// Scoring contains the weights of a memory's score.
type Scoring struct {
	Preset     string    `yaml:"preset" default:"balanced" oneof:"balanced prd" doc:"order of the hits. balanced: by similarity, then by the composite; prd: by the composite only"`
	Similarity float64   `yaml:"similarity" default:"0.5" min:"0" max:"1" doc:"weight of similarity in the composite"`
	Recency    float64   `yaml:"recency" default:"0.3" min:"0" max:"1" doc:"weight of recency in the composite"`
	Frequency  float64   `yaml:"frequency" default:"0.2" min:"0" max:"1" doc:"weight of use in the composite"`
	HalfLives  HalfLives `yaml:"halfLives"`
}

// HalfLives configures how fast each memory type ages.
type HalfLives struct {
	Procedural float64 `yaml:"procedural" default:"180" min:"0.01" max:"36500" unit:"days" doc:"half-life of procedural memories: how something is done"`
	Factual    float64 `yaml:"factual" default:"90" min:"0.01" max:"36500" unit:"days" doc:"half-life of factual memories: what is true"`
	Project    float64 `yaml:"project" default:"45" min:"0.01" max:"36500" unit:"days" doc:"half-life of project memories: what a project is about"`
	Episodic   float64 `yaml:"episodic" default:"10" min:"0.01" max:"36500" unit:"days" doc:"half-life of episodic memories: what happened"`
}

// Search configures how the results of the lanes are combined.
type Search struct {
	InMemory     bool    `yaml:"inMemory" default:"true" doc:"the service answers from memory, about 1.5 kB per memory. false: from the database, which is slower"`
	VectorWeight float64 `yaml:"vectorWeight" default:"0.7" min:"0" max:"1" doc:"weight of the vector lane"`
	TextWeight   float64 `yaml:"textWeight" default:"0.3" min:"0" max:"1" doc:"weight of the keyword lane"`
}

// Injection limits what is injected into a prompt.
type Injection struct {
	MaxItems  int     `yaml:"maxItems" default:"20" min:"0" max:"200" unit:"memories" doc:"largest number of memories in a block"`
	MaxTokens int     `yaml:"maxTokens" default:"1000" min:"0" max:"100000" unit:"tokens of 4 bytes" doc:"largest size of a block"`
	Floor     float64 `yaml:"floor" default:"-1" min:"-1" max:"1" doc:"smallest similarity of an injected memory; half of it for pinned ones; -1: the measured default"`
	Profile   bool    `yaml:"profile" default:"false" doc:"a session of a client begins with the memories of memory profile too"`
	Budgets   Budgets `yaml:"budgets"`
	Reader    bool    `yaml:"reader" default:"false" doc:"a model reads the prompt with each of the first five memories, and judges whether it answers (docs/scoring.md); only with the transformer"`
	SceneLine bool    `yaml:"sceneLine" default:"false" doc:"name the scene that three memories of a block share (docs/scenes.md)"`
}

// Budgets divides the places of a block among the tiers. Places that a tier does
// not use go to the best memories of the others.
type Budgets struct {
	Pinned float64 `yaml:"pinned" default:"25" min:"0" max:"100" unit:"%" doc:"share of maxItems for pinned memories"`
	Hot    float64 `yaml:"hot" default:"45" min:"0" max:"100" unit:"%" doc:"share of maxItems for HOT memories"`
	Warm   float64 `yaml:"warm" default:"25" min:"0" max:"100" unit:"%" doc:"share of maxItems for WARM memories"`
	Cold   float64 `yaml:"cold" default:"5" min:"0" max:"100" unit:"%" doc:"share of maxItems for COLD memories"`
}

// Context configures the current context.
type Context struct {
	TTLHours float64 `yaml:"ttlHours" default:"4" min:"0.01" max:"87840" unit:"hours" doc:"how long a current context is valid"`
}

// Receipts configures the receipts of recalls.
type Receipts struct {
	Enabled bool    `yaml:"enabled" default:"true" doc:"keep a receipt of each recall: ids and figures, but no text"`
	Days    float64 `yaml:"days" default:"30" min:"0.01" max:"36500" unit:"days" doc:"how long a receipt is kept; at most 5,000 are kept"`
}

// Retention configures how long the index keeps what is not in the Markdown.
type Retention struct {
	MissingDays float64 `yaml:"missingDays" default:"90" min:"1" max:"36500" unit:"days" doc:"how long a memory without text keeps its id and state"`
}

// Log configures the log of the service.
type Log struct {
	Level  string `yaml:"level" default:"info" oneof:"debug info warn error" doc:"lowest level of the messages"`
	Format string `yaml:"format" default:"text" oneof:"text json" restart:"true" doc:"format of the messages"`
}

// Server configures how the service answers over the network.
type Server struct {
	Listen            string `yaml:"listen" kind:"listen" default:"" restart:"true" doc:"address at which other machines reach the service, such as 0.0.0.0:7443; empty: only the socket (docs/server.md)"`
	Certificate       string `yaml:"certificate" kind:"path" default:"" restart:"true" doc:"file with the TLS certificate and its chain, in PEM"`
	Key               string `yaml:"key" kind:"path" default:"" restart:"true" doc:"file with the key of the certificate, in PEM"`
	RequestsPerMinute int    `yaml:"requestsPerMinute" default:"600" min:"1" max:"1000000" unit:"requests" restart:"true" doc:"what one caller may send"`
	OIDC              OIDC   `yaml:"oidc"`
}

// OIDC configures an OpenID provider, whose identity tokens the server accepts.
type OIDC struct {
	Issuer     string `yaml:"issuer" kind:"address" default:"" restart:"true" doc:"URL of an OpenID provider; empty: none"`
	Audience   string `yaml:"audience" default:"" restart:"true" doc:"whom its tokens must be for: a client id"`
	Claim      string `yaml:"claim" default:"email" restart:"true" doc:"names the person; identities lists oidc: and its value"`
	Workspaces Words  `yaml:"workspaces" default:"" restart:"true" doc:"what these people reach, between commas; empty: every workspace"`
}
