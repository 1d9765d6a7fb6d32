/** Types that several files of the plugin share. */
import type { Client } from "../src/client.js";

export interface Settings {
  /** The service's socket, absolute. */
  socket: string;
  autoRecall: boolean;
  recallTimeoutMs: number;
  searchTimeoutMs: number;
  whenUnavailable: "withhold" | "pass";
  /** Undefined: the service's setting applies. */
  maxItems: number | undefined;
  maxTokens: number | undefined;
}

export interface SharedState {
  /** Hooks do not ask the service before this time, on the clock of performance.now(). */
  pausedUntil: number;
  /** The last request did not reach the service, and a warning was logged. */
  outage: boolean;
  /** Messages of other failures that were logged. */
  warned: Set<string>;
  /** Workspace names by folder, each valid until a time. */
  names: Map<string, { name: string; until: number }>;
  /** By session: the files that are in full in the prompt of the turn in preparation. */
  turns: Map<string, string[]>;
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
  error?: string;
  action?: string;
}
