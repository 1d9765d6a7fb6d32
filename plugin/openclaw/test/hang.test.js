/** A service that accepts every request and answers none: what it costs the turns of the host. */
import assert from "node:assert/strict";
import { test } from "node:test";
import plugin from "../src/index.js";
import { recoveryMs } from "../src/patience.js";
import { sharedState } from "../src/state.js";
import { daemon, hang, log, notes, tryTimeouts, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/recall": "recall", "/v1/search": "search", "/v1/capture": "capture", "/v1/status": "status", "/v1/memories": "memories" };
const permitted = { plugins: { entries: { "memory-tiered": { hooks: { allowConversationAccess: true } } } } };
const prompt = "How should I indent this Go file?";

/** Registers the plugin as the host does. turn runs all that the host asks in one turn, and returns its answers. */
function host(server, pluginConfig) {
  const handlers = {};
  const makers = new Map();
  let runtime;
  plugin.register({
    id: plugin.id,
    registrationMode: "full",
    config: permitted,
    pluginConfig: { stateDir: server.stateDir, ...pluginConfig },
    logger: log(),
    runtime: { agent: { resolveAgentWorkspaceDir: () => notes } },
    on: (hook, handler) => void (handlers[hook] = handler),
    registerHook: (events, handler) => events.forEach((event) => (handlers[event] = handler)),
    registerTool: (create, { names }) => void makers.set(names[0], create),
    registerService() {},
    registerCli() {},
    registerMemoryCapability: (capability) => (runtime = capability.runtime),
  });
  const said = [];
  const use = (name, ctx, params) => makers.get(name)({ ...ctx, messageChannel: "telegram" }).execute("1", params);
  const steps = {
    before_model_resolve: (ctx) => handlers.before_model_resolve({ prompt }, ctx),
    manager: () => runtime.getMemorySearchManager({ cfg: {}, agentId: "main" }),
    bootstrap: (ctx) => handlers["agent:bootstrap"]({ context: { ...ctx, bootstrapFiles: [{ name: "MEMORY.md", path: `${notes}/MEMORY.md`, content: "x", missing: false }] } }),
    before_prompt_build: (ctx) => handlers.before_prompt_build({ prompt, messages: [] }, ctx),
    memory_search: (ctx) => use("memory_search", ctx, { query: "tabs" }),
    memory_get: (ctx) => use("memory_get", ctx, { path: "MEMORY.md" }),
    memory_store: (ctx) => use("memory_store", ctx, { text: "Tabs, not spaces, in Go files" }),
    before_compaction: (ctx) => handlers.before_compaction({ messages: [...said] }, ctx),
    agent_end: (ctx) => handlers.agent_end({ messages: [...said], success: true }, ctx),
  };
  return async (sessionKey, order = Object.keys(steps)) => {
    const ctx = { workspaceDir: notes, agentId: "main", sessionKey, trigger: "user" };
    said.push({ role: "user", content: `Remember that shelf ${said.length} is red.` });
    const answers = {};
    const from = performance.now();
    for (const step of order) answers[step] = await steps[step](ctx);
    return { ms: performance.now() - from, answers };
  };
}

test("a service that hangs costs one turn its time limit, and the next ones nothing", (t) => tryTimeouts(async (recallTimeoutMs) => {
  const server = await daemon(t, hang);
  const turn = host(server, { recallTimeoutMs, searchTimeoutMs: 100 * recallTimeoutMs });
  const first = await turn("s-1");
  assert.ok(first.ms <= 1.5 * recallTimeoutMs, `all of the first turn: ${first.ms} ms`);
  assert.match(first.answers.memory_search.content[0].text, /"unavailable": true[^]*"action": "memory status/);
  for (const session of ["s-1", "s-1", "s-2"]) {
    const { ms, answers } = await turn(session);
    assert.ok(ms <= 0.5 * recallTimeoutMs, `a later turn: ${ms} ms`);
    assert.doesNotMatch(answers.before_prompt_build?.prependContext ?? "", /relevant-memories/);
  }
}));

test("whichever question meets the hanging service first, the turn keeps its time limit", async (t) => {
  const steps = ["manager", "bootstrap", "before_prompt_build", "memory_search", "memory_get", "memory_store", "before_compaction", "agent_end"];
  for (const first of steps) {
    await tryTimeouts(async (recallTimeoutMs) => {
      const server = await daemon(t, hang);
      const turn = host(server, { recallTimeoutMs, searchTimeoutMs: 100 * recallTimeoutMs });
      const { ms } = await turn("s-1", ["before_model_resolve", first, ...steps]);
      assert.ok(ms <= 1.5 * recallTimeoutMs, `${first}: ${ms} ms`);
    });
  }
});

test("questions that are slow share the time of their turn", (t) => tryTimeouts(async (recallTimeoutMs) => {
  const server = await daemon(t, (asked, response) => void setTimeout(() => wire(served)(asked, response), asked.path === "/v1/health" ? 0 : 0.6 * recallTimeoutMs));
  const turn = host(server, { recallTimeoutMs });
  const { ms } = await turn("s-1", ["before_model_resolve", "bootstrap", "before_prompt_build"]);
  assert.ok(ms <= 1.5 * recallTimeoutMs, `${ms} ms`);
}));

test("a tool waits longer than a turn for a service that lives", (t) => tryTimeouts(async (recallTimeoutMs) => {
  const server = await daemon(t, (asked, response) => void setTimeout(() => wire(served)(asked, response), asked.path === "/v1/search" ? 3 * recallTimeoutMs : 0));
  const turn = host(server, { recallTimeoutMs, searchTimeoutMs: 100 * recallTimeoutMs });
  const { answers } = await turn("s-1", ["before_model_resolve", "memory_search"]);
  assert.ok(answers.memory_search.details.results.length > 0);
}));

test("a service that answers again is used, although no turn asked whether it does", (t) => tryTimeouts(async (recallTimeoutMs) => {
  const server = await daemon(t, hang);
  const turn = host(server, { recallTimeoutMs });
  await turn("s-1");
  const state = sharedState(server.socket);
  assert.ok(state.hung && recoveryMs < 2_000);
  server.answer = wire(served);
  for (let n = 0; state.hung; n++) {
    assert.ok(n < 600, "nothing notices that the service answers again");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { answers } = await turn("s-1", ["before_model_resolve", "bootstrap", "before_prompt_build", "memory_search", "agent_end"]);
  assert.match(answers.before_prompt_build.prependContext, /relevant-memories/);
  assert.ok(answers.memory_search.details.results.length > 0);
  const captured = server.asked.filter((asked) => asked.path === "/v1/capture");
  assert.match(JSON.stringify(captured), /shelf 0 is red/, "what was said meanwhile is captured");
}));
