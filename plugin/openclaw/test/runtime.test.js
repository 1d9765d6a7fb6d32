import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/config.js";
import { Requester } from "../src/requester.js";
import { memoryRuntime } from "../src/runtime.js";
import { newState } from "../src/state.js";
import { daemon, fixture, log, notes, patient, send, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/status": "status", "/v1/search": "search", "/v1/memories": "memories" };

async function world(t, answer, config = {}) {
  const server = await daemon(t, answer);
  const settings = readSettings({ stateDir: server.stateDir, searchTimeoutMs: patient, ...config });
  const runtime = memoryRuntime(new Requester(settings.socket, log(), newState(), patient), settings, (cfg, agent) => cfg[agent]);
  const manager = async (agentId = "main") => (await runtime.getMemorySearchManager({ cfg: { main: notes, other: "/home/sam/elsewhere" }, agentId })).manager;
  return { server, runtime, manager };
}

test("the host sees the state of the agent's own folder", async (t) => {
  const w = await world(t, wire(served));
  const status = (await w.manager()).status();
  assert.deepEqual(status, {
    backend: "builtin",
    sources: ["memory"],
    provider: "static",
    model: "static-1",
    files: 12,
    chunks: 214,
    dirty: false,
    sourceCounts: [{ source: "memory", files: 12, chunks: 214 }],
    fts: { enabled: true, available: true },
    vector: { enabled: true, available: true, storeAvailable: true, semanticAvailable: true, dims: 256 },
  });
  const manager = await w.manager();
  assert.deepEqual([await manager.probeVectorAvailability(), await manager.probeEmbeddingAvailability()], [true, { ok: true, checked: true }]);
});

test("a service that is behind, or without embeddings, is reported", async (t) => {
  const status = fixture("status").answer.body;
  Object.assign(status.workspaces[0], { fresh: false, error: "the disk is full", embedding: { provider: "openai", model: "m", dim: 8, pending: 3, error: "quota" } });
  const w = await world(t, (asked, response) => (asked.path === "/v1/status" ? send(response, 200, status) : wire(served)(asked, response)));
  const manager = await w.manager();
  const { dirty, lastSyncError, vector } = manager.status();
  assert.deepEqual([dirty, lastSyncError, vector.available, vector.loadError], [true, "the disk is full", false, "quota"]);
  assert.deepEqual(await manager.probeEmbeddingAvailability(), { ok: false, checked: true, error: "quota" });
  status.workspaces[0].embedding = { provider: "none", model: "", dim: 0, pending: 0 };
  assert.deepEqual((await w.manager()).status().vector, { enabled: false, available: false, storeAvailable: false, semanticAvailable: false, dims: 0 });
});

test("a service that does not answer, and a folder that is not registered, are no memory that works", async (t) => {
  const w = await world(t, wire(served));
  const elsewhere = (await w.manager("other")).status();
  assert.deepEqual([elsewhere.fts.available, elsewhere.vector.available, elsewhere.dirty], [false, false, true]);
  assert.match(elsewhere.lastSyncError, /elsewhere is not registered/);
  await w.server.stop();
  const manager = await w.manager();
  assert.match(manager.status().fts.error, /tiered\.sock/);
  await assert.rejects(manager.search("tabs"), { code: "unavailable" });
  await assert.rejects(manager.readFile({ relPath: "MEMORY.md" }), { code: "unavailable" });
});

test("searches of the host ask for a model, count no use, and find memories only", async (t) => {
  const w = await world(t, wire(served));
  const manager = await w.manager();
  const results = await manager.search("tabs", { maxResults: 3, sessionKey: "s-1", minScore: 0.1 });
  assert.ok(results.length > 0 && results.every((result) => result.source === "memory" && result.citation.startsWith(result.path)));
  const { body } = w.server.asked.at(-1);
  assert.deepEqual([body.for, body.record, body.limit, body.session, body.workspace], ["model", undefined, 3, "s-1", "notes"]);
  const asked = w.server.asked.length;
  assert.deepEqual(await manager.search("tabs", { sources: ["sessions"] }), []);
  assert.equal(w.server.asked.length, asked);
});

test("a file is read without what may not be shown", async (t) => {
  const w = await world(t, wire(served));
  const manager = await w.manager();
  const { path } = fixture("memories").answer.body.memories[0];
  const read = await manager.readFile({ relPath: path });
  assert.deepEqual([read.status, read.path], ["ok", path]);
  assert.deepEqual(await manager.readFile({ relPath: "memory/none.md" }), { status: "not_found", path: "memory/none.md", text: "" });
});

test("MEMORY.md stays in the prompt, and the host checks no provider of its own", async (t) => {
  const w = await world(t, wire(served));
  const paths = await w.runtime.classifyWorkspaceMemoryPaths({ relativePaths: ["MEMORY.md", "USER.md"] });
  assert.deepEqual(paths, [{ relativePath: "MEMORY.md", originClass: "owner" }, { relativePath: "USER.md", originClass: "owner" }]);
  assert.equal(w.runtime.resolveMemoryBackendConfig(), null);
});
