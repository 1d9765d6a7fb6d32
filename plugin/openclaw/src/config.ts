/** The plugin's own settings, from plugins.entries.memory-tiered.config. */
import { homedir } from "node:os";
import { join } from "node:path";

/** openclaw.plugin.json repeats every default; a test compares them. */
export const defaults = {
  autoRecall: true,
  /** Much longer than a normal answer, and short compared with a turn of some seconds. */
  recallTimeoutMs: 800,
  /** Longer, because the model asked for this search and needs its result. */
  searchTimeoutMs: 5000,
  /** Forgotten memories stay hidden, even while the service is unavailable. */
  whenUnavailable: "withhold" as "withhold" | "pass",
};

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

/** raw is the configuration that the host has validated against the schema. env and home are the same as for the service. */
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
