import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/config.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { searchTool } from "../src/search.js";
import { daemon, fixture, hang, log, notes, patient, send, tryTimeouts, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/search": "search_by_a_tool" };

async function world(t, answer, config = {}) {
  const server = await daemon(t, answer);
  const lines = log();
  const settings = readSettings({ stateDir: server.stateDir, searchTimeoutMs: patient, ...config });
  const tool = searchTool(new Requester(settings.socket, lines, newState(), patient), settings, { workspaceDir: notes, agentId: "main", sessionKey: "s-1" });
  return { server, lines: lines.lines, tool };
}

test("results have the shape of the host's own tool", async (t) => {
  const w = await world(t, wire(served));
  const { content, details } = await w.tool.execute("1", { query: "staging" });
  assert.deepEqual(details, {
    results: [
      {
        id: "b71c44d0-52aa-8f0e-8a7b-1d9c3e5f7a02",
        path: "MEMORY.md",
        startLine: 4,
        endLine: 4,
        score: 0.71,
        textScore: 0.9,
        vectorScore: 0.79,
        snippet: "Deploy: Deploys to staging on Tuesdays, never on Fridays <after lunch>",
        source: "memory",
        citation: "MEMORY.md#L4",
      },
    ],
  });
  assert.deepEqual(JSON.parse(content[0].text), details, "the text for the model is the same");
  assert.deepEqual(w.server.asked.at(-1).body, { ...(fixture("search_by_a_tool").request.body), workspace: "notes", limit: 6 });
});

test("parameters are limited and have defaults", async (t) => {
  const w = await world(t, wire({ ...served, "/v1/search": "search" }));
  const cases = [
    [{ query: "tabs" }, 6, 2],
    [{ query: "tabs", maxResults: 3 }, 3, 2],
    [{ query: "tabs", maxResults: 9999 }, 50, 2],
    [{ query: "tabs", maxResults: 0, corpus: "all" }, 1, 2],
    [{ query: "tabs", maxResults: "many" }, 6, 2],
    [{ query: "tabs", minScore: 0.9, corpus: "memory" }, 6, 0],
  ];
  for (const [params, limit, results] of cases) {
    const { details } = await w.tool.execute("1", params);
    assert.equal((w.server.asked.at(-1).body).limit, limit, JSON.stringify(params));
    assert.equal(details.results.length, results, JSON.stringify(params));
  }
  assert.equal((await w.tool.execute("1", { query: "tabs" })).details.results[0].citation, "memory/2026-11-20.md#L12-L13");
  await assert.rejects(w.tool.execute("1", { query: " " }), /query is required/);
  await assert.rejects(w.tool.execute("1", undefined), /query is required/);
});

test("a workspace is never a parameter", async (t) => {
  const w = await world(t, wire(served));
  assert.deepEqual(Object.keys((w.tool.parameters).properties).sort(), ["corpus", "maxResults", "minScore", "query"]);
  await w.tool.execute("1", { query: "staging", workspace: "main", agent: "other" });
  assert.deepEqual([(w.server.asked.at(-1).body).workspace, (w.server.asked.at(-1).body).agent], ["notes", "main"]);
});

test("hits that are unlikely to answer the query are left out", async (t) => {
  const hits = [0.5, 0.1, 0.09, 0.01].map((similarity) => ({ ...fixture("search_by_a_tool").answer.body.hits[0], similarity, text: `similar ${similarity}` }));
  const w = await world(t, (asked, response) => (asked.path === "/v1/search" ? send(response, 200, { hits, lanes: {} }) : wire(served)(asked, response)));
  const { details } = await w.tool.execute("1", { query: "staging" });
  assert.deepEqual(details.results.map((one) => one.snippet), ["Deploy: similar 0.5", "Deploy: similar 0.1"]);
});

test("a long memory is cut between characters", async (t) => {
  const hit = { ...fixture("search_by_a_tool").answer.body.hits[0], heading: [], text: `x${"😀".repeat(500)}` };
  const w = await world(t, (asked, response) => (asked.path === "/v1/search" ? send(response, 200, { hits: [hit], lanes: {} }) : wire(served)(asked, response)));
  const { snippet } = (await w.tool.execute("1", { query: "x" })).details.results[0];
  assert.ok(snippet.length <= 700 && snippet.endsWith("…") && snippet.isWellFormed());
});

test("other corpora return a warning", async (t) => {
  const w = await world(t, wire(served));
  for (const [corpus, warning] of [["wiki", /no corpus wiki/], ["sessions", /sessions_search/]]) {
    const { details } = await w.tool.execute("1", { query: "staging", corpus });
    assert.deepEqual(details.results, []);
    assert.match(details.warning, warning);
  }
  assert.deepEqual(w.server.asked, []);
});

test("a failure is reported to the model with an action", (t) => tryTimeouts(async (searchTimeoutMs) => {
  const w = await world(t, hang, { searchTimeoutMs });
  const hung = (await w.tool.execute("1", { query: "staging" })).details;
  assert.deepEqual([hung.results, hung.disabled, hung.unavailable], [[], true, true]);
  assert.match(hung.error, /did not answer in time/);
  w.server.answer = wire({ ...served, "/v1/search": "error_unavailable" });
  const failed = (await w.tool.execute("1", { query: "staging" })).details;
  const { error } = fixture("error_unavailable").answer.body;
  assert.deepEqual([failed.error, failed.action], [error.message, error.hint]);
  await w.server.stop();
  const absent = (await w.tool.execute("1", { query: "staging" })).details;
  assert.equal(absent.action, "start it: memory serve");
  assert.deepEqual(w.lines, [], "nothing is logged");
}));

test("an aborted turn aborts the search", async (t) => {
  const w = await world(t, hang);
  await assert.rejects(w.tool.execute("1", { query: "staging" }, AbortSignal.timeout(40)), { name: "TimeoutError" });
});
