/** The plugin's own settings, from plugins.entries.memory-tiered.config. */
import { homedir } from "node:os";
import { join } from "node:path";

/** Every default stands in openclaw.plugin.json as well; a test compares them. */
export const defaults = {
  autoRecall: true,
  /** Longer than any healthy answer by far, short enough not to be felt in a turn of seconds. */
  recallTimeoutMs: 800,
  /** A model that asked for a search would rather wait than go without. */
  searchTimeoutMs: 5000,
  /** Forgetting holds, also while nobody can say what was forgotten. */
  whenUnavailable: "withhold" as "withhold" | "pass",
};

export interface Settings {
  /** The daemon's socket, absolute. */
  socket: string;
  autoRecall: boolean;
  recallTimeoutMs: number;
  searchTimeoutMs: number;
  whenUnavailable: "withhold" | "pass";
  /** Undefined leaves it to the daemon. */
  maxItems: number | undefined;
  maxTokens: number | undefined;
}

/** Takes what the host has validated against the schema; env and home as the daemon sees them. */
export function readSettings(
  raw: Record<string, unknown> | undefined,
  env: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): Settings {
  const given = raw ?? {};
  const injection = (given["injection"] ?? {}) as Record<string, unknown>;
  return {
    socket: join(stateDir(given["stateDir"], env, home), "tiered.sock"),
    autoRecall: given["autoRecall"] !== false,
    recallTimeoutMs: number(given["recallTimeoutMs"]) ?? defaults.recallTimeoutMs,
    searchTimeoutMs: number(given["searchTimeoutMs"]) ?? defaults.searchTimeoutMs,
    whenUnavailable: given["whenUnavailable"] === "pass" ? "pass" : defaults.whenUnavailable,
    maxItems: number(injection["maxItems"]),
    maxTokens: number(injection["maxTokens"]),
  };
}

function stateDir(given: unknown, env: NodeJS.ProcessEnv, home: string): string {
  if (typeof given === "string" && given !== "") return given.replace(/^~(?=\/|$)/, home);
  if (env["MEMORY_STATE_DIR"]) return env["MEMORY_STATE_DIR"];
  if (env["OPENCLAW_STATE_DIR"]) return join(env["OPENCLAW_STATE_DIR"], "memory");
  return join(home, ".openclaw", "memory");
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
