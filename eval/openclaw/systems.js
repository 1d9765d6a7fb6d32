/** The two memories in an OpenClaw of their own each, over copies of the same notes. */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../../plugin/openclaw/src/client.js";
import { World } from "../../plugin/openclaw/e2e/world.js";
import { writeNotes } from "./corpus.js";

/** A system is started by index() and start(). All its figures come from the real host. */
class System extends World {
  constructor(name, count, layout) {
    super(process.env["HOST"], process.env["MEMORY"], process.env["PLUGIN"]);
    this.name = name;
    this.facts = writeNotes(this.workspace, count, layout);
  }

  /** Searches through the tool, as a model would; returns the hits and how long it took. */
  async search(query) {
    const began = performance.now();
    const result = await this.tool("memory_search", { query });
    return { ms: performance.now() - began, hits: result.details?.results ?? [], answer: result };
  }

  /** Appends a line to a note of today. */
  edit(text) {
    appendFileSync(join(this.workspace, "memory", `${new Date().toISOString().slice(0, 10)}.md`), `- ${text}\n`);
  }

  /** The processes whose memory counts, by name. */
  pids() {
    return { gateway: this.gatewayPid };
  }

  /** How long the search itself took, without the host: here as memory-core reports it. */
  async engineMs(_query, answer) {
    return answer.details?.debug?.searchMs;
  }
}

/** This memory, with its plugin. */
export class Ours extends System {
  #client = new Client(join(this.root, "state", "tiered.sock"));
  #name = "";

  constructor(count, layout) {
    super("memory", count, layout);
  }

  async index(modelUrl) {
    await this.configure(modelUrl);
    // The transformer would fill its vectors in the background of every figure.
    await this.memory("config", "set", "embedding.local.quality", "fast");
    const began = performance.now();
    const indexed = await this.memory("index", "-w", this.workspace, "--json");
    if (!indexed.ok) throw new Error(indexed.output);
    return performance.now() - began;
  }

  async start() {
    await this.serve();
    await this.startGateway();
  }

  pids() {
    return { gateway: this.gatewayPid, service: this.daemonPid };
  }

  /** A request to the service over its socket. */
  async engineMs(query) {
    const began = performance.now();
    await this.#client.post("/v1/search", { query, limit: 6, for: "model", workspace: this.#name }, AbortSignal.timeout(60_000));
    return performance.now() - began;
  }

  /** Returns what searches here: the provider and the number of indexed pieces. */
  async mode() {
    const { workspaces } = JSON.parse((await this.memory("status", "--json")).stdout);
    const own = workspaces.find((one) => one.path === this.workspace);
    this.#name = own.name;
    return { provider: own.embedding.provider, model: own.embedding.model, files: own.files, pieces: own.memories };
  }
}

/** The host's own memory. vectorsUrl is an embeddings endpoint; without it, memory-core searches by keywords only. */
export class MemoryCore extends System {
  #vectorsUrl;

  constructor(count, layout, vectorsUrl) {
    super(vectorsUrl ? "memory-core with vectors" : "memory-core by keywords", count, layout);
    this.#vectorsUrl = vectorsUrl;
  }

  async index(modelUrl) {
    await this.configure(modelUrl);
    const file = this.configFile;
    const config = JSON.parse(readFileSync(file, "utf8").replace(/^\/\/.*\n/, ""));
    config.plugins = { entries: { "memory-core": { config: { dreaming: { enabled: false } } } } };
    const remote = { provider: "openai-compatible", model: "static", remote: { baseUrl: this.#vectorsUrl, apiKey: "none" } };
    config.memory = { search: this.#vectorsUrl ? remote : { provider: "none" } };
    writeFileSync(file, JSON.stringify(config, null, 2));
    const began = performance.now();
    const indexed = await this.openclaw("memory", "index", "--force", "--agent", "main");
    if (!indexed.ok) throw new Error(indexed.output);
    return performance.now() - began;
  }

  async start() {
    await this.startGateway();
  }

  async mode() {
    const { stdout } = await this.openclaw("memory", "status", "--agent", "main", "--json", "--deep");
    const [{ status }] = JSON.parse(stdout);
    const { provider, model, files, chunks, fts, vector, custom } = status;
    return { provider, model, files, pieces: chunks, searchMode: custom?.searchMode, fts: fts?.available, vector: vector?.semanticAvailable ?? vector?.available, dims: vector?.dims };
  }
}

/** Starts the endpoint that gives memory-core the vectors of this memory. */
export async function startVectors(program) {
  const child = spawn(program, { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill());
  const url = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.stdout.once("data", (line) => resolve(String(line).trim()));
  });
  return { url, stop: () => child.kill() };
}

/** The resident memory of a process in MiB, as the system counts it. */
export function residentMiB(pid) {
  return Math.round(Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)])) / 1024);
}
