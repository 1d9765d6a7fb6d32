/**
 * The command `openclaw memory`. It starts the memory program with the words of the
 * command line, for the folder of an agent. So both command lines are the same.
 *
 * @import { Handover, Settings } from "../types/plugin.js"
 * @import { HostConfig, PluginApi } from "../types/host.js"
 */
import { execFile, spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname } from "node:path";

/** openclaw.plugin.json repeats it for the host's help; a test compares them. */
export const command = { name: "memory", description: "Search, inspect, forget and manage memories (the memory program)", hasSubcommands: true };

/** Commands of the program with an --agent of their own, which a rule of scopes may use. A test of the program compares them. */
const agentCommands = ["capture", "list", "recall", "search", "why-not"];

/** Options of the program that may stand before its command and take a value. */
const valueOptions = ["-w", "--workspace", "--state-dir", "--config"];

/** The oldest program that this plugin fits. */
export const oldestProgram = "0.1.0";

/** The program prints its version in some milliseconds. */
const versionTimeoutMs = 10_000;

/** The program's exit codes, as docs/protocol.md lists them. */
const exitCodes = { invalid: 2, not_found: 3, unavailable: 5 };

/**
 * @param {PluginApi} api
 * @param {Settings} settings
 */
export function registerCommand(api, settings) {
  const folderOf = (/** @type {HostConfig} */ config, /** @type {string} */ agent) => api.runtime.agent.resolveAgentWorkspaceDir(config, agent);
  api.registerCli(
    ({ program, config, workspaceDir }) => {
      program
        .command(command.name)
        .description(command.description)
        .argument("[words...]")
        .helpOption(false)
        .allowUnknownOption()
        .passThroughOptions()
        .action(async (words) => {
          process.exitCode = await handOver(words, { settings, config, workspaceDir, folderOf });
        });
    },
    // The program owns standard output, so the host writes its own messages elsewhere.
    { descriptors: [{ ...command, machineOutput: ({ argv, stdoutIsTTY }) => !stdoutIsTTY || argv.includes("--json") }] },
  );
}

/**
 * Runs the program and returns the exit code.
 *
 * @param {string[]} words
 * @param {Handover} how
 */
export async function handOver(words, { settings, config, workspaceDir, folderOf }) {
  const { agent, rest } = takeAgent(words);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, MEMORY_STATE_DIR: dirname(settings.socket) };
  if (settings.remote) Object.assign(env, { MEMORY_REMOTE_URL: settings.remote.url, MEMORY_REMOTE_TOKEN: settings.remote.token });
  if (agent !== undefined) {
    if (!agentIds(config).includes(agent.toLowerCase())) {
      return fail(words, "not_found", `OpenClaw has no agent ${JSON.stringify(agent)}`, "openclaw agents list shows the agents");
    }
    env["MEMORY_WORKSPACE"] = settings.remote?.workspace ?? folderOf(config, agent);
  } else if (settings.remote) {
    env["MEMORY_WORKSPACE"] ||= settings.remote.workspace;
  } else if (workspaceDir) {
    env["MEMORY_WORKSPACE"] ||= workspaceDir;
  }
  const program = settings.binary;
  const unfit = await unfitProgram(program, env);
  if (unfit?.message) return fail(words, "unavailable", unfit.message, unfit.hint);
  if (unfit) process.stderr.write(`note: ${unfit.hint}\n`);
  return await run(program, agent !== undefined && takesAgent(rest) ? [...rest, "--agent", agent] : rest, env);
}

/**
 * Separates the option --agent, which selects a folder for every command.
 *
 * @param {string[]} words
 * @returns {{ agent: string | undefined, rest: string[] }}
 */
function takeAgent(words) {
  let agent;
  const rest = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "--") return { agent, rest: [...rest, ...words.slice(i)] };
    if (word === "--agent" && i + 1 < words.length) agent = words[++i];
    else if (word.startsWith("--agent=")) agent = word.slice("--agent=".length);
    else rest.push(word);
  }
  return { agent, rest };
}

/** @param {string[]} words */
function takesAgent(words) {
  if (words.includes("--")) return false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (valueOptions.includes(word)) i++;
    else if (!word.startsWith("-")) return agentCommands.includes(word);
  }
  return false;
}

/**
 * The agents of the configuration, as the host lists them.
 *
 * @param {HostConfig} config
 */
function agentIds(config) {
  const { entries = {}, list = [] } = config.agents ?? {};
  const ids = [...Object.keys(entries), ...list.map((agent) => agent.id ?? "")].map((id) => id.toLowerCase());
  return ids.length > 0 ? ids : ["main"];
}

/**
 * Returns why the program cannot do the work: a message, or only a hint if it is older than the plugin.
 *
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ message?: string, hint: string } | undefined>}
 */
async function unfitProgram(program, env) {
  const setPath = "openclaw config set plugins.entries.memory-tiered.config.binary PATH";
  /** @type {{ error: any, output: string }} */
  const { error, output } = await new Promise((resolve) => {
    try {
      execFile(program, ["version", "--json"], { env, timeout: versionTimeoutMs, windowsHide: true }, (error, output) => resolve({ error, output }));
    } catch (error) {
      resolve({ error, output: "" });
    }
  });
  if (error?.code === "ENOENT") {
    return {
      message: `the program ${program} is not found`,
      hint: `install it: in a checkout of the repository run make build, then copy bin/memory to a folder in PATH. If it is elsewhere: ${setPath}`,
    };
  }
  const version = versionIn(output);
  if (version === undefined) {
    const reason = typeof error?.code === "string" ? ` (${error.code})` : "";
    return { message: `${program} does not answer as the memory program${reason}`, hint: `set the path of the memory program: ${setPath}` };
  }
  if (!isOlder(version, oldestProgram)) return undefined;
  return { hint: `${program} has version ${version} and is older than this plugin, which needs ${oldestProgram}. Some commands may be missing. Install a newer one, then run memory setup openclaw` };
}

/**
 * @param {string} output
 * @returns {string | undefined}
 */
function versionIn(output) {
  try {
    const { version, go } = JSON.parse(output);
    return typeof version === "string" && typeof go === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Compares the numbers of two semantic versions.
 *
 * @param {string} version
 * @param {string} other
 */
function isOlder(version, other) {
  const numbers = (/** @type {string} */ text) => text.replace(/^v/, "").split(/[-+]/, 1).join("").split(".").map(Number);
  const [have, need] = [numbers(version), numbers(other)];
  const at = need.findIndex((number, i) => number !== have[i]);
  return at >= 0 && (have[at] ?? 0) < (need[at] ?? 0);
}

/**
 * Runs the program with the standard streams of this process. Arguments go to it one by one, without a shell.
 *
 * @param {string} program
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function run(program, words, env) {
  return new Promise((resolve) => {
    // The program decides what an interruption means; it ignores a second one. One that
    // comes while the program starts must not end only the host.
    const pass = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);
    for (const signal of signals) process.on(signal, pass);
    const child = spawn(program, words, { env, stdio: "inherit" });
    const end = (/** @type {number} */ code) => {
      for (const signal of signals) process.off(signal, pass);
      resolve(code);
    };
    child.on("error", (error) => end(fail(words, "unavailable", `${program} cannot be started: ${error.message}`, "")));
    child.on("exit", (code, signal) => end(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Reports an error in the program's form, and returns its exit code.
 *
 * @param {string[]} words
 * @param {keyof typeof exitCodes} code
 * @param {string} message
 * @param {string} hint
 */
function fail(words, code, message, hint) {
  if (words.includes("--json")) process.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
  else process.stderr.write(`memory: ${message}\n${hint && `hint: ${hint}\n`}`);
  return exitCodes[code];
}
