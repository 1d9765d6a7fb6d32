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

export interface PluginApi {
  id: string;
  registrationMode: string;
  config: HostConfig;
  pluginConfig?: Record<string, unknown>;
  logger: Logger;
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
  }): void;
}
