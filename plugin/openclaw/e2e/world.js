/** A temporary workspace, service and OpenClaw home, without network access. */
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const token = "e2e";
/** A turn takes 6 to 13 s on an idle machine. After ten minutes it hangs. */
const patienceMs = 600_000;

export class World {
  root = mkdtempSync(join(tmpdir(), "mt-e2e-"));
  workspace = join(this.root, "workspace");
  /** The workspace of the agent `other`. */
  otherWorkspace = join(this.root, "other");
  #host;
  #memory;
  #env;
  #daemon;
  #gateway;
  #port;

  /** host: openclaw.mjs; memory: the service's binary; plugin: its folder. */
  constructor(host, memory, plugin) {
    this.#host = host;
    this.#memory = memory;
    this.#env = {
      PATH: process.env["PATH"],
      HOME: join(this.root, "home"),
      TMPDIR: this.root,
      MEMORY_STATE_DIR: join(this.root, "state"),
      OPENCLAW_NO_AUTO_UPDATE: "1",
      NO_COLOR: "1",
    };
    for (const dir of [this.workspace, this.otherWorkspace]) mkdirSync(join(dir, "memory"), { recursive: true });
    mkdirSync(join(this.root, "home", ".openclaw"), { recursive: true });
    // Only the files that npm packs: those listed in package.json.
    for (const part of ["package.json", "openclaw.plugin.json", "src"]) cpSync(join(plugin, part), join(this.root, "plugin", part), { recursive: true });
  }

  write(path, content) {
    writeFileSync(join(this.workspace, path), content);
  }

  read(path) {
    const file = join(this.workspace, path);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Returns the host's log so far. */
  log() {
    const file = join(this.root, "home", "openclaw.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /**
   * permitted sets allowConversationAccess, which an installation does not set.
   * dreaming keeps the host's default. config has more settings of the plugin.
   */
  async configure(modelUrl, how = {}) {
    this.#port ??= await freePort();
    const config = {
      update: { checkOnStart: false },
      telemetry: { enabled: false },
      models: {
        catalogRefresh: { enabled: false },
        providers: {
          mock: {
            baseUrl: modelUrl,
            apiKey: "none",
            api: "openai-completions",
            models: [{ id: "m", name: "m", contextWindow: 128_000, maxTokens: 4_096, input: ["text"], reasoning: false, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
          },
        },
      },
      discovery: { mdns: { mode: "off" } },
      logging: { file: join(this.root, "home", "openclaw.log") },
      gateway: { mode: "local", port: this.#port, auth: { mode: "token", token }, http: { endpoints: { chatCompletions: { enabled: true } } } },
      agents: {
        defaults: { workspace: this.workspace, model: { primary: "mock/m" }, skipBootstrap: true },
        list: [{ id: "main", default: true, workspace: this.workspace }, { id: "other", workspace: this.otherWorkspace }],
      },
      plugins: {
        load: { paths: [join(this.root, "plugin")] },
        slots: { memory: "memory-tiered" },
        entries: {
          "memory-tiered": {
            enabled: true,
            ...(how.permitted === false ? {} : { hooks: { allowConversationAccess: true } }),
            config: { ...(how.dreaming ? {} : { dreaming: { enabled: false } }), binary: this.#memory, startService: false, ...how.config },
          },
        },
      },
    };
    writeFileSync(join(this.root, "home", ".openclaw", "openclaw.json"), JSON.stringify(config, null, 2));
  }

  /** Runs one turn in a process of its own. Each has its own session, so that an older turn cannot add text. */
  turn(session, message) {
    return this.openclaw("agent", "--local", "--agent", "main", "--session-id", session, "--json", "--message", message);
  }

  /** Starts the gateway, and returns when it answers. */
  async startGateway() {
    this.#gateway = spawn(process.execPath, [this.#host, "gateway", "run", "--port", String(this.#port)], { env: this.#env, stdio: "ignore" });
    const end = Date.now() + patienceMs;
    while (Date.now() < end) {
      const answers = await fetch(`http://127.0.0.1:${this.#port}/health`).then((response) => response.ok, () => false);
      if (answers && this.log().includes("gateway ready")) return;
      await sleep(250);
    }
    throw new Error(`the gateway does not become ready:\n${this.log()}`);
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
    return run(process.execPath, [this.#host, ...args], this.#env);
  }

  memory(...args) {
    return run(this.#memory, args, this.#env);
  }

  /** Starts the service. It returns when the workspaces are indexed. */
  async serve() {
    await this.memory("workspace", "add", this.otherWorkspace);
    this.#daemon = spawn(this.#memory, ["serve", "-w", this.workspace], { env: this.#env, stdio: "ignore" });
    const end = Date.now() + patienceMs;
    while (Date.now() < end) {
      const status = await this.memory("status", "--json");
      if (status.ok && JSON.parse(status.output).workspaces?.every((one) => one.fresh)) return;
      await sleep(50);
    }
    throw new Error("the service does not become ready");
  }

  /** The host's configuration file. */
  get configFile() {
    return join(this.root, "home", ".openclaw", "openclaw.json");
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
