/**
 * The part of OpenClaw's plugin interface that this plugin uses. It is declared
 * here so that the plugin builds and is tested without the host.
 * check/host.check.ts compares it with the types of the tested host version.
 */

export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** The origin of a turn. The host fills it; a model cannot. */
export interface TurnContext {
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  workspaceDir?: string;
  /** The channel's name, as in `telegram`. */
  channel?: string;
  messageProvider?: string;
  /** What started the turn: user, cron, heartbeat, memory … */
  trigger?: string;
  /** Unique only within its channel. */
  senderId?: string;
}

export interface PromptEvent {
  /** The prompt for the model; may contain reconstructed history. */
  prompt: string;
  /** The person's message alone; empty if it has no text. */
  currentUserMessage?: string;
}

export interface PromptAddition {
  prependContext?: string;
}

/** A file that the host puts before the model, up to its own limits. */
export interface BootstrapFile {
  name: string;
  path: string;
  content?: string;
  missing: boolean;
}

export interface BootstrapContext {
  workspaceDir?: string;
  bootstrapFiles?: BootstrapFile[];
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
  cfg?: HostConfig;
}

export interface BootstrapEvent {
  context: Record<string, unknown>;
}

export interface BootstrapLimits {
  bootstrapMaxChars?: number;
  bootstrapTotalMaxChars?: number;
}

export interface HostConfig {
  agents?: {
    defaults?: BootstrapLimits & {
      userTimezone?: string;
      compaction?: { memoryFlush?: { enabled?: boolean; softThresholdTokens?: number; forceFlushTranscriptBytes?: number | string; model?: string } };
    };
    entries?: Record<string, BootstrapLimits>;
    list?: ({ id?: string } & BootstrapLimits)[];
  };
  plugins?: {
    entries?: Record<string, { hooks?: { allowConversationAccess?: boolean; allowPromptInjection?: boolean } }>;
  };
}

export interface ToolContext {
  messageChannel?: string;
  requesterSenderId?: string;
  /** The owner of the installation speaks. */
  senderIsOwner?: boolean;
  workspaceDir?: string;
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
}

export interface ToolResult<Details> {
  content: { type: "text"; text: string }[];
  details: Details;
}

export interface Tool<Details> {
  name: string;
  label: string;
  description: string;
  parameters: object;
  /** Shows the tool to the model directly; the host hides other tools behind a search. */
  catalogMode?: "direct-only";
  execute(callId: string, params: unknown, signal?: AbortSignal): Promise<ToolResult<Details>>;
}

export interface PromptSection {
  availableTools: Set<string>;
  citationsMode?: string;
}

export interface HostService {
  id: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface FlushParams {
  cfg?: HostConfig;
  nowMs?: number;
  contextWindowTokens?: number;
}

/** A turn that the host runs before a compaction, so that the agent writes down what is worth keeping. */
export interface FlushPlan {
  softThresholdTokens: number;
  forceFlushTranscriptBytes: number;
  reserveTokensFloor: number;
  model?: string;
  prompt: string;
  systemPrompt: string;
  relativePath: string;
}

/** What the host asks of its memory outside of a turn. */
export interface MemoryRuntime {
  getMemorySearchManager(params: { cfg: HostConfig; agentId: string }): Promise<{ manager: MemoryManager | null; error?: string }>;
  /** The host's type has no null. Its doctor takes it as a memory that is not its own. */
  resolveMemoryBackendConfig(): any;
  supportsWorkspaceMemoryReadSources: true;
  classifyWorkspaceMemoryPaths(params: { relativePaths: string[] }): Promise<{ relativePath: string; originClass: "owner" }[]>;
}

export interface MemoryManager {
  search(query: string, options?: { maxResults?: number; minScore?: number; sessionKey?: string; sources?: string[]; signal?: AbortSignal }): Promise<MemoryHit[]>;
  readFile(params: { relPath: string; from?: number; lines?: number }): Promise<MemoryExcerpt>;
  status(): MemoryStatus;
  probeEmbeddingAvailability(): Promise<{ ok: boolean; error?: string; checked?: boolean }>;
  probeVectorStoreAvailability(): Promise<boolean>;
  probeVectorAvailability(): Promise<boolean>;
}

export interface MemoryHit {
  path: string;
  startLine: number;
  endLine: number;
  score: number;
  textScore: number;
  vectorScore: number;
  snippet: string;
  source: "memory";
  citation: string;
}

export type MemoryExcerpt =
  | { status: "ok"; path: string; text: string; from?: number; lines?: number; truncated?: boolean; nextFrom?: number }
  | { status: "not_found"; path: string; text: "" };

/** The state of one agent's memory, as `openclaw status --json --all` shows it. */
export interface MemoryStatus {
  backend: "builtin";
  provider: string;
  model?: string;
  files: number;
  chunks: number;
  dirty: boolean;
  lastSyncError?: string;
  sources: "memory"[];
  sourceCounts?: { source: "memory"; files: number; chunks: number }[];
  fts: { enabled: boolean; available: boolean; error?: string };
  vector: { enabled: boolean; available: boolean; storeAvailable: boolean; semanticAvailable: boolean; dims?: number; loadError?: string };
}

/** The part of commander that a command of a plugin uses. */
export interface Command {
  command(name: string): Command;
  description(text: string): Command;
  argument(name: string): Command;
  helpOption(flag: false): Command;
  allowUnknownOption(): Command;
  passThroughOptions(): Command;
  action(run: (words: string[]) => Promise<void>): Command;
}

export interface CommandContext {
  program: Command;
  config: HostConfig;
  /** Of the default agent, if there is one. */
  workspaceDir?: string;
}

export interface CommandDescriptor {
  name: string;
  description: string;
  hasSubcommands: boolean;
  /** Whether standard output belongs to the command alone. */
  machineOutput?(params: { argv: readonly string[]; stdoutIsTTY: boolean }): boolean;
}

export interface PluginApi {
  id: string;
  registrationMode: string;
  config: HostConfig;
  pluginConfig?: Record<string, unknown>;
  logger: Logger;
  runtime: { agent: { resolveAgentWorkspaceDir(config: HostConfig, agentId: string): string } };
  registerCli(register: (ctx: CommandContext) => void, options: { descriptors: CommandDescriptor[] }): void;
  on(hook: "before_model_resolve", handler: (event: { prompt: string }, ctx: TurnContext) => Promise<void>): void;
  on(hook: "agent_end" | "before_compaction" | "before_reset", handler: (event: { messages?: unknown[]; success?: boolean }, ctx: TurnContext) => Promise<void>): void;
  on(hook: "session_end", handler: (event: unknown, ctx: { sessionKey?: string; sessionId: string }) => Promise<void>): void;
  on(hook: "before_prompt_build", handler: (event: PromptEvent, ctx: TurnContext) => Promise<PromptAddition | undefined>): void;
  registerHook(
    events: string[],
    handler: (event: BootstrapEvent) => Promise<void>,
    options: { name: string; description: string },
  ): void;
  registerTool(create: (ctx: ToolContext) => Tool<unknown>, options: { names: string[] }): void;
  registerService(service: HostService): void;
  registerMemoryCapability(capability: {
    promptBuilder(params: PromptSection): string[];
    flushPlanResolver(params: FlushParams): FlushPlan | null;
    runtime: MemoryRuntime;
  }): void;
}
