import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/config.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { memoryTools } from "../src/tools.js";
import { daemon, fixture, hang, log, notes, patient, send, tryTimeouts, wire } from "./daemon.js";

const template = fixture("memory").answer.body;
const hit = fixture("search_by_a_tool").answer.body.hits[0];
const turn = { workspaceDir: notes, agentId: "main", sessionKey: "s-1", messageChannel: "telegram", requesterSenderId: "42" };

async function world(t, answers = {}, config = {}, ctx = turn) {
  const server = await daemon(t, (asked, response) => {
    const answer = answers[`${asked.method} ${asked.path.replace(/\?.*/, "")}`];
    if (answer === undefined) return wire({ "/v1/workspaces": "workspaces" })(asked, response);
    if (typeof answer === "function") return answer(asked, response);
    const { status, body } = typeof answer === "string" ? fixture(answer).answer : { status: 200, body: answer };
    send(response, status, body);
  });
  const settings = readSettings({ stateDir: server.stateDir, searchTimeoutMs: patient, ...config });
  const state = newState();
  const tools = new Map(memoryTools(new Requester(settings.socket, log(), state, patient), settings, state));
  const run = async (name, params, signal) => {
    const { content, details } = await tools.get(name)(ctx).execute("1", params, signal);
    return { text: content[0].text, details, asked: server.asked.filter((one) => one.path !== "/v1/workspaces").at(-1) };
  };
  return { server, state, tools, run };
}

test("each tool sends its request, for a model and for the user of the turn", async (t) => {
  const changed = (action) => ({ action, changed: [template], unchanged: [] });
  const explained = { memory: template, score: 0.7, factors: [{ name: "similarity", points: 0.4 }], tier_reason: "memory/*.md starts HOT", eligible: true, reason: "it is injected" };
  const answers = {
    "POST /v1/search": { hits: [hit] }, "POST /v1/memories": { memory: template, duplicate: false }, "GET /v1/memories": { memories: [template], total: 7 },
    "GET /v1/memories/3f8a/explain": explained, "PUT /v1/context": "context_set", "DELETE /v1/context": "context_clear", "GET /v1/stats": "stats", "GET /v1/profile": "profile",
    ...Object.fromEntries(["forget", "restore", "pin", "unpin"].map((action) => [`POST /v1/memories/3f8a/${action}`, changed(action)])),
  };
  const w = await world(t, answers);
  w.state.prompts.set("s-1", "Remember that I prefer tabs.");
  const who = { user: "telegram:42", channel: "telegram", for: "model", workspace: "notes" };
  const query = "user=telegram%3A42&channel=telegram&for=model&workspace=notes";
  const cases = [
    ["memory_recall", { query: "staging", tier: "WARM", includeArchive: true }, "/v1/search", { query: "staging", limit: 5, tier: "WARM", deep: true, agent: "main", session: "s-1", record: true, ...who }, /^Found 1 memories:\n1\. \[\w+ b71c44d0\] Deploys to staging.* \(82%\)$/],
    ["memory_store", { text: "Prefers tabs", tier: "HOT", pinned: true }, "/v1/memories", { text: "Prefers tabs", tier: "HOT", pinned: true, source: "tool", agent: "main", session: "s-1", user_message: "Remember that I prefer tabs.", ...who }, /^Stored: \[preference 3f8a91c2\] Prefers tabs over spaces in Go$/],
    ["memory_forget", { memoryId: "3f8a" }, "/v1/memories/3f8a/forget", { source: "tool", ...who }, /^Forgotten: \[preference 3f8a91c2\]/],
    ["memory_restore", { memoryId: "3f8a" }, "/v1/memories/3f8a/restore", { source: "tool", ...who }, /^Restored: /],
    ["memory_pin", { memoryId: "3f8a" }, "/v1/memories/3f8a/pin", { source: "tool", ...who }, /^Pinned: /],
    ["memory_unpin", { memoryId: "3f8a" }, "/v1/memories/3f8a/unpin", { source: "tool", ...who }, /^Unpinned: /],
    ["memory_explain", { memoryId: "3f8a", query: "tabs" }, `/v1/memories/3f8a/explain?query=tabs&${query}`, undefined, /memory\/\*\.md starts HOT\nit is injected\nscore 0\.7 \(similarity 0\.4\)/],
    ["memory_set_context", { text: "Cutting release 1.4" }, "/v1/context", { text: "Cutting release 1.4", ttl_hours: 4, user: "telegram:42", channel: "telegram", workspace: "notes" }, /^Context set until 2026-11-21T10:00:00Z: Cutting/],
    ["memory_clear_context", {}, "/v1/context?user=telegram%3A42&channel=telegram&workspace=notes", undefined, /^Context cleared$/],
    ["memory_list", { tier: "WARM", scope: "work", category: "preference" }, `/v1/memories?tier=WARM&scope=work&category=preference&limit=20&sort=created_at&agent=main&${query}`, undefined, /^1 of 7 memories:\n\[preference 3f8a91c2\]/],
    ["memory_stats", {}, `/v1/stats?${query}`, undefined, /^214 memories: HOT 40, WARM 120, COLD 50, ARCHIVE 4; factual 150/],
    ["memory_profile", {}, `/v1/profile?${query}`, undefined, /^## Preferences\n- Prefers tabs over spaces in Go\. \(MEMORY\.md:12, 3f8a91c2\)$/],
    ["memory_export", { limit: 500 }, `/v1/memories?limit=100&sort=path&agent=main&${query}`, undefined, /^\{"text":"Prefers tabs over spaces in Go","tier":"WARM"/],
    ["memory_import", { memories: [{ text: "Prefers tabs over spaces" }] }, "/v1/memories", { text: "Prefers tabs over spaces", source: "tool", agent: "main", session: "s-1", user_message: "Remember that I prefer tabs.", ...who }, /^1 stored, 0 duplicates, 0 refused$/],
  ];
  for (const [name, params, path, body, text] of cases) {
    const { asked, text: got, details } = await w.run(name, params);
    assert.deepEqual([asked.path, asked.body], [path, body], name);
    assert.match(got, text, name);
    assert.ok(JSON.stringify(details).length < 400, `${name}: details are small`);
  }
  assert.deepEqual(cases.map(([name]) => name), [...w.tools.keys()], "every tool is tested");
});

test("nothing found, duplicates and states are reported in the service's words", async (t) => {
  const w = await world(t, {
    "POST /v1/search": { hits: [{ ...hit, similarity: 0.01 }] }, "POST /v1/memories": "store_duplicate",
    "POST /v1/memories/3f8a/forget": { changed: [], unchanged: [{ id: template.id, reason: "Already forgotten" }] }, "POST /v1/memories/dead/pin": "error_not_found",
  });
  assert.deepEqual(await w.run("memory_recall", { query: "zebra" }).then(({ text, details }) => [text, details.memories]), ["No relevant memories found", []]);
  assert.match((await w.run("memory_recall", { query: "zebra", includeForgotten: true })).text, /memory list --forgotten/);
  const duplicate = await w.run("memory_store", { text: "Prefers tabs over spaces in Go" });
  assert.match(duplicate.text, /^Similar memory exists: \[preference 3f8a91c2\]/);
  assert.equal(duplicate.details.id, template.id);
  assert.equal((await w.run("memory_forget", { memoryId: "3f8a" })).text, "Already forgotten: 3f8a91c2");
  const missing = await w.run("memory_pin", { memoryId: "dead" });
  assert.match(missing.text, /^Memory not found: /);
  assert.equal(missing.details.error, "not_found");
});

test("a query forgets one clear hit, and lists the candidates otherwise", async (t) => {
  let clear = true;
  const w = await world(t, {
    "POST /v1/decide": (_, response) => (clear ? send(response, 200, { changed: [template], unchanged: [] }) : send(response, 409, fixture("error_conflict").answer.body)),
    "POST /v1/search": { hits: [hit] },
  });
  const done = await w.run("memory_forget", { query: "tabs" });
  assert.match(done.text, /^Forgotten: /);
  assert.deepEqual([done.asked.body.action, done.asked.body.query, done.asked.body.source, done.asked.body.for], ["forget", "tabs", "tool", "model"]);
  clear = false;
  const asked = await w.run("memory_forget", { query: "tabs" });
  assert.match(asked.text, /^Which one\? Nothing is forgotten yet[^]*1\. \[\w+ b71c44d0\]/);
  assert.deepEqual(asked.details.candidates.map((one) => one.id), [hit.id]);
  await assert.rejects(w.run("memory_forget", {}), /query or memoryId is required/);
});

test("only the owner destroys, and only if the configuration allows it", async (t) => {
  const answers = { "DELETE /v1/memories/3f8a": { changed: [template], unchanged: [], unreachable: ["git history"] } };
  const allowed = { tools: { allowDestroy: true } };
  for (const [config, owner, done] of [[{}, true, false], [allowed, false, false], [allowed, undefined, false], [allowed, true, true]]) {
    const w = await world(t, answers, config, { ...turn, senderIsOwner: owner });
    const { text, asked } = await w.run("memory_forget", { memoryId: "3f8a", hard: true });
    assert.match(text, done ? /^Destroyed 1 memories\. Not searched: git history$/ : /^hard is refused[^]*memory destroy/);
    assert.equal(asked !== undefined, done);
    if (done) assert.match(asked.path, /^\/v1\/memories\/3f8a\?confirm=true&source=tool&user=/);
    await (done ? assert.rejects(w.run("memory_forget", { query: "tabs", hard: true }), /memoryId is required/) : w.run("memory_forget", { query: "tabs", hard: true }));
  }
});

test("an import counts what is stored, known and refused", async (t) => {
  const answers = [{ memory: template, duplicate: false }, { memory: template, duplicate: true }];
  const w = await world(t, { "POST /v1/memories": (_, response) => (answers.length > 0 ? send(response, 200, answers.shift()) : send(response, 400, fixture("error_text_too_short").answer.body)) });
  const { details } = await w.run("memory_import", { memories: [{ text: "one memory" }, { text: "one memory" }, { text: "x" }] });
  assert.deepEqual(details, { stored: 1, duplicates: 1, refused: 1 });
});

test("an export stops before it fills the conversation", async (t) => {
  const w = await world(t, { "GET /v1/memories": { memories: Array.from({ length: 100 }, () => ({ ...template, text: "x".repeat(500) })), total: 900 } });
  const { text, details } = await w.run("memory_export", {});
  assert.ok(text.length <= 12_000 && details.exported > 10 && details.exported < 30 && details.total === 900);
});

test("a failure is returned with an action; an aborted turn is not", (t) => tryTimeouts(async (searchTimeoutMs) => {
  const w = await world(t, { "GET /v1/stats": hang }, { searchTimeoutMs });
  const hung = await w.run("memory_stats", {});
  assert.deepEqual([hung.details.error, hung.details.action], ["unavailable", "memory status shows its state"]);
  await assert.rejects(w.run("memory_stats", {}, AbortSignal.timeout(20)), { name: "TimeoutError" });
  await w.server.stop();
  assert.match((await w.run("memory_stats", {})).text, /no service answers at .* \(start it: memory serve\)$/);
  for (const name of ["memory_recall", "memory_store", "memory_pin", "memory_explain", "memory_set_context"]) await assert.rejects(w.run(name, {}), /is required/, name);
}));

test("no tool takes a workspace, and the few that matter are visible", async (t) => {
  const w = await world(t);
  const all = [...w.tools.values()].map((create) => create(turn));
  for (const tool of all) assert.ok(!("workspace" in tool.parameters.properties) && tool.parameters.additionalProperties === false, tool.name);
  assert.deepEqual(all.filter((tool) => tool.catalogMode === "direct-only").map((tool) => tool.name), ["memory_store", "memory_forget"]);
});
