/** A temporary workspace, daemon and OpenClaw home, without network access. */
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class World {
  root = mkdtempSync(join(tmpdir(), "mt-e2e-"));
  workspace = join(this.root, "workspace");
  #host;
  #memory;
  #env;
  #daemon;

  /** host: openclaw.mjs; memory: the daemon's binary; plugin: its folder. */
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
    mkdirSync(join(this.workspace, "memory"), { recursive: true });
    mkdirSync(join(this.root, "home", ".openclaw"), { recursive: true });
    // Only the files that npm packs: those listed in package.json.
    for (const part of ["package.json", "openclaw.plugin.json", "src"]) cpSync(join(plugin, part), join(this.root, "plugin", part), { recursive: true });
  }

  write(path, content) {
    writeFileSync(join(this.workspace, path), content);
  }

  /** Returns the host's log so far. */
  log() {
    const file = join(this.root, "home", "openclaw.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /**
   * permitted sets allowConversationAccess, which an installation does not set.
   * dreaming keeps the host's default.
   */
  configure(modelUrl, how = {}) {
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
      agents: { defaults: { workspace: this.workspace, model: { primary: "mock/m" }, skipBootstrap: true } },
      plugins: {
        load: { paths: [join(this.root, "plugin")] },
        slots: { memory: "memory-tiered" },
        entries: {
          "memory-tiered": {
            enabled: true,
            ...(how.permitted === false ? {} : { hooks: { allowConversationAccess: true } }),
            config: how.dreaming ? {} : { dreaming: { enabled: false } },
          },
        },
      },
    };
    writeFileSync(join(this.root, "home", ".openclaw", "openclaw.json"), JSON.stringify(config, null, 2));
  }

  /** Runs one real turn. Each has its own session, so that an older turn cannot add text. */
  turn(session, message) {
    return this.openclaw("agent", "--local", "--agent", "main", "--session-id", session, "--json", "--message", message);
  }

  openclaw(...args) {
    return run(process.execPath, [this.#host, ...args], this.#env);
  }

  memory(...args) {
    return run(this.#memory, args, this.#env);
  }

  /** Returns when the workspace is indexed. */
  async serve() {
    this.#daemon = spawn(this.#memory, ["serve", "-w", this.workspace], { env: this.#env, stdio: "ignore" });
    for (let tries = 0; tries < 200; tries++) {
      const status = await this.memory("status", "--json");
      if (status.ok && /"fresh": ?true/.test(status.output)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("the daemon does not become ready");
  }

  signal(signal) {
    this.#daemon?.kill(signal);
  }

  async stop(signal) {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const gone = new Promise((resolve) => daemon.once("exit", resolve));
    daemon.kill(signal);
    await gone;
  }

  async remove() {
    await this.stop("SIGKILL");
    rmSync(this.root, { recursive: true, force: true });
  }
}

function run(command, args, env) {
  return new Promise((resolve) => {
    // A turn takes 6 to 13 s; after ten times that it hangs.
    execFile(command, args, { env, timeout: 130_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: stdout + stderr });
    });
  });
}
