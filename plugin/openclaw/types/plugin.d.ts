/** Types that several files of the plugin share. */
import type { Ask } from "../src/ask.js";
import type { Client } from "../src/client.js";
import type { HostConfig, TurnContext } from "./host.js";

/** A service on another machine. */
export interface Remote {
  url: string;
  token: string;
  workspace: string;
}

export interface Settings {
  /** The service's socket, absolute. */
  socket: string;
  /** Undefined: the service is on this machine. */
  remote: Remote | undefined;
  autoRecall: boolean;
  autoCapture: boolean;
  recallTimeoutMs: number;
  searchTimeoutMs: number;
  whenUnavailable: "withhold" | "pass";
  /** Undefined: the service's setting applies. */
  maxItems: number | undefined;
  maxTokens: number | undefined;
  /** Whether the gateway starts the service if none answers, and the program to start. */
  startService: boolean;
  binary: string;
  /** Whether the owner may destroy through a tool. */
  allowDestroy: boolean;
}

export interface SharedState {
  /** The service hangs: it is asked whether it answers again, and nothing else. */
  hung: boolean;
  /** By session: how many milliseconds of its time a turn has used. */
  spent: Map<string, number>;
  /** When the service answered last, on the clock of performance.now(). */
  answeredAt: number;
  /** The last request did not reach the service, and a warning was logged. */
  outage: boolean;
  /** Messages of other failures that were logged. */
  warned: Set<string>;
  /** Sessions whose model knows of the outage. */
  told: Set<string>;
  /** Workspace names by folder, each valid until a time. */
  names: Map<string, { name: string; until: number }>;
  /** By session: the turn in preparation. */
  turns: Map<string, Turn>;
  /** The last text of each file that was shown, behind its path and the hash of its bytes. */
  shown: Map<string, string>;
  /** What was offered to capture, by session. */
  sessions: Map<string, CapturedSession>;
  /** By session: the user's message of the turn that runs. */
  prompts: Map<string, string>;
}

/** An entry in the table of tools. */
export interface MemoryTool {
  name: string;
  description: string;
  properties: object;
  required?: string[];
  /** Shown to the model directly, not behind the host's search for tools. */
  isVisible?: boolean;
  run(ask: Ask, params: any, turn: { userMessage: string | undefined; allowDestroy: boolean }): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  text: string;
  details: object;
}

/** A message as the service takes it. */
export interface CaptureMessage {
  key: string;
  role: "user" | "assistant";
  content: string;
  /** When it was sent, as RFC 3339, if the host says so. */
  at?: string;
}

export interface CapturedSession {
  /** What was said in the session, as the host sent it last. */
  messages: CaptureMessage[];
  /** Of whose turn each message is, by its key. */
  speakers: Map<string, TurnContext>;
  /** The keys of messages that belong to turns that no person started. */
  skipped: Set<string>;
  /** The keys of those that the service has examined. */
  offered: Set<string>;
  /** Who spoke last. */
  ctx: TurnContext;
  /** What started the turn that runs, or the last one. */
  trigger: string | undefined;
  success: boolean;
  /** A line for each memory that was kept and of which the model does not know yet. */
  kept: string[];
  /** Why something is not kept that the user asked to keep, as far as the model does not know. */
  notKept: Set<string>;
  /** The request that is under way. */
  sending: Promise<void> | undefined;
}

/** The fields of a request that say who asks. */
export interface Identity {
  agent: string | undefined;
  session: string | undefined;
  user: string | undefined;
  channel: string | undefined;
}

/** The fields of a request that decide what the sender may see. */
export interface Reader {
  agent?: string | undefined;
  user?: string | undefined;
  channel?: string | undefined;
}

/** A turn between its first hook and its prompt. */
export interface Turn {
  prompt: string;
  ctx: TurnContext;
  /** Files of which the host injects every line. */
  inFull?: string[];
  /** The answer, where it came with the files; failed is the code of a failure, or empty. */
  answer?: { context: string; failed: string };
}

/** What is known of a file that the service returned. It holds no text. */
export interface ShownFile {
  /** Of the file's bytes. */
  hash: string;
  /** The ranges of lines that were shown, from 0, without the end. */
  kept: [number, number][];
  /** The hash of everything that may be front matter. */
  head: string;
  /** Hashes of the parts that may contain a comment. */
  marked: string[];
  /** Hashes of the parts that were shown. */
  units: string[];
}

/** What may be shown of a file without the service. */
export interface Remainder {
  content: string;
  /** The number of lines that are left out because they changed. */
  withheld: number;
}

/** How `openclaw memory` starts the program. */
export interface Handover {
  settings: Settings;
  config: HostConfig;
  /** Of the default agent. */
  workspaceDir: string | undefined;
  folderOf(config: HostConfig, agent: string): string;
}

/** How a request waits. */
export interface How {
  /** Whose turn's time it uses. */
  session?: string | undefined;
  /** It may take so long, as long as the service lives. Without it, it may take what the turn has left. */
  patientMs?: number | undefined;
  /** Ends the request, for example with its turn. */
  signal?: AbortSignal | undefined;
  /** The answer has a folder. */
  confirms?: boolean;
}

/** The time of one request. */
export interface Limit {
  signal: AbortSignal;
  /** Must be called when the request has ended. */
  end(): void;
}

/** A request for the workspace of the turn. */
export type Call<Answer> = (client: Client, workspace: string, signal: AbortSignal) => Promise<Answer>;

export interface SearchResult {
  id: string;
  path: string;
  /** 1-based, inclusive: exactly the memory's own lines. */
  startLine: number;
  endLine: number;
  score: number;
  textScore: number;
  vectorScore: number;
  snippet: string;
  source: "memory";
  /** path#L12-L13 */
  citation: string;
}

export interface SearchDetails {
  results: SearchResult[];
  /** Present if the search was not possible. */
  disabled?: true;
  unavailable?: true;
  error?: string;
  warning?: string;
  action?: string;
}

export interface GetDetails {
  status: "ok" | "not_found" | "error";
  path: string;
  /** The memories with their lines, below their headings. */
  text: string;
  /** The first requested line, and the number of lines, in the current file. */
  from?: number;
  lines?: number;
  truncated?: true;
  /** The first line of the rest. */
  nextFrom?: number;
  /** Of one memory that was named by its id. */
  id?: string;
  tier?: string;
  created?: string;
  error?: string;
  action?: string;
}
