/**
 * The plugin's own settings, from plugins.entries.memory-tiered.config.
 *
 * @import { Settings } from "../types/plugin.js"
 */
import { homedir } from "node:os";
import { join } from "node:path";

/** openclaw.plugin.json repeats every default; a test compares them. */
export const defaults = {
  autoRecall: true,
  autoCapture: true,
  /** Much longer than a normal answer, and short compared with a turn of some seconds. */
  recallTimeoutMs: 800,
  /** Longer, because the model asked for this search and needs its result. */
  searchTimeoutMs: 5000,
  /** Forgotten memories stay hidden, even while the service is unavailable. */
  whenUnavailable: /** @type {Settings["whenUnavailable"]} */ ("withhold"),
  startService: true,
  binary: "memory",
};

/**
 * raw is the configuration that the host has validated against the schema. env and home are the same as for the service.
 *
 * @param {Record<string, any> | undefined} raw
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [home]
 * @returns {Settings}
 */
export function readSettings(raw, env = process.env, home = homedir()) {
  const given = raw ?? {};
  const injection = given["injection"] ?? {};
  return {
    socket: join(stateDir(given["stateDir"], env, home), "tiered.sock"),
    remote: remote(given["remote"] ?? {}, env),
    autoRecall: given["autoRecall"] !== false,
    autoCapture: given["autoCapture"] !== false,
    recallTimeoutMs: number(given["recallTimeoutMs"]) ?? defaults.recallTimeoutMs,
    searchTimeoutMs: number(given["searchTimeoutMs"]) ?? defaults.searchTimeoutMs,
    whenUnavailable: given["whenUnavailable"] === "pass" ? "pass" : defaults.whenUnavailable,
    maxItems: number(injection["maxItems"]),
    maxTokens: number(injection["maxTokens"]),
    startService: given["startService"] !== false,
    binary: given["binary"] || defaults.binary,
    allowDestroy: given["tools"]?.allowDestroy === true,
  };
}

/**
 * @param {unknown} given
 * @param {NodeJS.ProcessEnv} env
 * @param {string} home
 */
function stateDir(given, env, home) {
  if (typeof given === "string" && given !== "") return given.replace(/^~(?=\/|$)/, home);
  if (env["MEMORY_STATE_DIR"]) return env["MEMORY_STATE_DIR"];
  if (env["OPENCLAW_STATE_DIR"]) return join(env["OPENCLAW_STATE_DIR"], "memory");
  return join(home, ".openclaw", "memory");
}

/**
 * @param {Record<string, string>} given
 * @param {NodeJS.ProcessEnv} env
 * @returns {Settings["remote"]}
 */
function remote(given, env) {
  const url = given["url"] || env["MEMORY_REMOTE_URL"];
  return url ? { url, token: given["token"] || env["MEMORY_REMOTE_TOKEN"] || "", workspace: given["workspace"] || "main" } : undefined;
}

/**
 * @param {unknown} value
 * @returns {number | undefined}
 */
function number(value) {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
