/** A temporary workspace, service and OpenClaw home, without network access. */
import { execFile, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostConfig } from "./hostconfig.js";

const token = "e2e";
/** A turn takes 6 to 13 s on an idle machine. After ten minutes it hangs. */
const patienceMs = 600_000;
/** Stands in for the service manager, which a test must not use: it answers nothing. */
const noManager = "#!/bin/sh\necho 'no service manager in a test' >&2\nexit 1\n";

export class World {
  root = mkdtempSync(join(tmpdir(), "mt e2e-"));
  home = join(this.root, "home folder");
  workspace = join(this.root, "workspace");
  /** The workspace of the agent `other`. */
  otherWorkspace = join(this.root, "other");
  /** The folder of the service's socket, as the host's configuration names it. */
  stateDir = join(this.root, "state");
  /** The variables of every program. Tests may change them. */
  env;
  #host;
  #memory;
  #daemon;
  #gateway;
  #port;

  /** host: openclaw.mjs; memory: the service's binary; plugin: its folder. */
  constructor(host, memory, plugin) {
    this.#host = host;
    this.#memory = memory;
    const bin = join(this.root, "bin");
    this.env = {
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: this.home,
      TMPDIR: this.root,
      MEMORY_STATE_DIR: this.stateDir,
      OPENCLAW_NO_AUTO_UPDATE: "1",
      NO_COLOR: "1",
    };
    for (const dir of [this.workspace, this.otherWorkspace]) mkdirSync(join(dir, "memory"), { recursive: true });
    for (const dir of [bin, join(this.home, ".openclaw")]) mkdirSync(dir, { recursive: true });
    symlinkSync(process.execPath, join(bin, "node"));
    for (const [name, script] of [["openclaw", `#!/bin/sh\nexec node '${host}' "$@"\n`], ["systemctl", noManager], ["launchctl", noManager]]) {
      writeFileSync(join(bin, name), script);
      chmodSync(join(bin, name), 0o755);
    }
    // Only the files that npm packs: those listed in package.json.
    for (const part of ["package.json", "openclaw.plugin.json", "src"]) cpSync(join(plugin, part), join(this.root, "plugin", part), { recursive: true });
  }

  /** The host's configuration file. */
  get configFile() {
    return this.env["OPENCLAW_CONFIG_PATH"] ?? join(this.home, ".openclaw", "openclaw.json");
  }

  write(path, content) {
    writeFileSync(join(this.workspace, path), content);
  }

  /** Returns the host's log so far. */
  log() {
    const file = join(this.root, "openclaw.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Returns all that was captured. */
  captured() {
    const dir = join(this.workspace, "memory", "captured");
    return existsSync(dir) ? readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8")).join("") : "";
  }

  /**
   * Writes the host's configuration. permitted sets allowConversationAccess; dreaming
   * keeps the host's default; config has more settings of the plugin; toolSearch: false
   * gives the model every tool. bare leaves the plugin out, as before a setup.
   */
  async configure(modelUrl, how = {}) {
    this.#port ??= await freePort();
    const entry = {
      enabled: true,
      ...(how.permitted === false ? {} : { hooks: { allowConversationAccess: true } }),
      config: { ...(how.dreaming ? {} : { dreaming: { enabled: false } }), binary: this.#memory, startService: false, ...how.config },
    };
    const plugins = { load: { paths: [join(this.root, "plugin")] }, slots: { memory: "memory-tiered" }, entries: { "memory-tiered": entry } };
    const config = hostConfig({ modelUrl, port: this.#port, token, log: join(this.root, "openclaw.log"), workspace: this.workspace, otherWorkspace: this.otherWorkspace, toolSearch: how.toolSearch });
    mkdirSync(dirname(this.configFile), { recursive: true });
    writeFileSync(this.configFile, `// the agents of the tests\n${JSON.stringify(how.bare ? config : { ...config, plugins }, null, 2)}\n`);
  }

  /** Runs one turn in a process of its own. Each has its own session, so that an older turn cannot add text. */
  turn(session, message) {
    return this.openclaw("agent", "--local", "--agent", "main", "--session-id", session, "--json", "--message", message);
  }

  /** Starts the gateway, and returns when it answers. */
  async startGateway() {
    const from = this.log().length;
    this.#gateway = spawn(process.execPath, [this.#host, "gateway", "run", "--port", String(this.#port)], { env: this.env, stdio: "ignore" });
    await until(async () => (await this.isUp()) && this.log().slice(from).includes("gateway ready"), () => `the gateway does not become ready:\n${this.log().slice(from)}`);
  }

  isUp() {
    return fetch(`http://127.0.0.1:${this.#port}/health`).then((response) => response.ok, () => false);
  }

  stopGateway() {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    return end(gateway, "SIGTERM");
  }

  /** Runs one turn of a session through the gateway. */
  async chat(session, message, agent = "main") {
    const body = { model: `openclaw/${agent}`, messages: [{ role: "user", content: message }] };
    return await this.#post("/v1/chat/completions", body, { "x-openclaw-session-key": `agent:${agent}:${session}` });
  }

  /** Runs a tool without a model; returns its result. */
  async tool(name, args, session = "tools", agent = "main") {
    const answer = await this.#post("/tools/invoke", { tool: name, args, sessionKey: `agent:${agent}:${session}` });
    const { ok, result, error } = JSON.parse(answer.output);
    if (!ok) throw new Error(`${name}: ${JSON.stringify(error)}`);
    return result;
  }

  /** Calls a method of the gateway, such as sessions.reset. */
  call(method, params) {
    return this.openclaw("gateway", "call", method, "--params", JSON.stringify(params), "--token", token, "--url", `ws://127.0.0.1:${this.#port}`, "--json", "--timeout", "300000");
  }

  async #post(path, body, headers = {}) {
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    return { ok: response.ok, output: await response.text() };
  }

  openclaw(...args) {
    return run(process.execPath, [this.#host, ...args], this.env);
  }

  memory(...args) {
    return run(this.#memory, args, this.env);
  }

  /** Runs a command of the service's program and returns its JSON. */
  async json(...args) {
    const { stdout, output } = await this.memory(...args, "--json");
    try {
      return JSON.parse(stdout);
    } catch {
      throw new Error(`memory ${args.join(" ")}: ${output}`);
    }
  }

  /** Starts the service. It returns when the workspaces are indexed. */
  async serve() {
    await this.memory("workspace", "add", this.otherWorkspace);
    this.#daemon = spawn(this.#memory, ["serve", "-w", this.workspace], { env: this.env, stdio: "ignore" });
    await this.answers();
  }

  /** Waits until the service answers and has read the files. */
  answers() {
    return until(async () => {
      const { ok, stdout } = await this.memory("status", "--json");
      const { daemon, workspaces } = ok ? JSON.parse(stdout) : {};
      return daemon && workspaces?.every((one) => one.fresh);
    }, () => "the service does not become ready");
  }

  get gatewayPid() {
    return this.#gateway?.pid;
  }

  get daemonPid() {
    return this.#daemon?.pid;
  }

  signal(signal) {
    this.#daemon?.kill(signal);
  }

  stop(signal) {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    return end(daemon, signal);
  }

  async remove() {
    await this.stopGateway();
    await this.stop("SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for something that happens soon; ten minutes end a test that would hang. */
export async function until(what, why = () => `it does not happen: ${what}`) {
  const end = Date.now() + patienceMs;
  while (!(await what())) {
    if (Date.now() > end) throw new Error(why());
    await sleep(100);
  }
}

async function end(child, signal) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function run(command, args, env) {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: patienceMs, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, code: error?.code ?? 0, stdout, output: stdout + stderr });
    });
  });
}
