import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/config.js";
import { getTool } from "../src/get.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { daemon, fixture, hang, log, notes, patient, send, tryTimeouts, wire } from "./daemon.js";

const template = fixture("memories").answer.body.memories[0];

function memory(line, text, more = {}) {
  return { ...template, path: "memory/a.md", heading: ["Ports"], line_start: line, line_end: line, text, ...more };
}

async function world(t, memories, config = {}) {
  const server = await daemon(t, (asked, response) => {
    if (asked.path === "/v1/workspaces") wire({ "/v1/workspaces": "workspaces" })(asked, response);
    else if (typeof memories === "function") memories(asked, response);
    else send(response, 200, { memories, total: memories.length, tiers: {} });
  });
  const settings = readSettings({ stateDir: server.stateDir, searchTimeoutMs: patient, ...config });
  const tool = getTool(new Requester(settings.socket, log(), newState(), patient), settings, { workspaceDir: notes });
  return { server, get: async (params) => (await tool.execute("1", params)).details };
}

test("returns the memories in the requested lines", async (t) => {
  const w = await world(t, [memory(9, "last", { heading: ["Ports", "Test"], line_end: 10 }), memory(4, "first"), memory(5, "second"), memory(4, "of another file", { path: "memory/ab.md" })]);
  const cases = [
    ["all", { path: "./memory/a.md" }, { text: "# Ports\nL4: first\nL5: second\n# Ports › Test\nL9-L10: last", from: 1, lines: 120 }],
    ["one line", { path: "memory/a.md", from: 5, lines: 1 }, { text: "# Ports\nL5: second", from: 5, lines: 1, truncated: true, nextFrom: 9 }],
    ["the middle of a memory", { path: "memory/a.md", from: 10 }, { text: "# Ports › Test\nL9-L10: last", from: 10, lines: 120 }],
    ["after the end", { path: "memory/a.md", from: 50, lines: 2 }, { text: "", from: 50, lines: 2 }],
    ["invalid values", { path: "memory/a.md", from: -3, lines: "x" }, { text: "# Ports\nL4: first\nL5: second\n# Ports › Test\nL9-L10: last", from: 1, lines: 120 }],
  ];
  for (const [name, params, want] of cases) assert.deepEqual(await w.get(params), { status: "ok", path: "memory/a.md", ...want }, name);
  assert.equal(w.server.asked.at(-1).path, "/v1/memories?path=memory%2Fa.md&sort=path&for=model&workspace=notes");
});

test("hidden memories are left out", async (t) => {
  const hidden = [{ forgotten: true }, { missing: true }, { private: true }, { trust_tier: "quarantined" }, { superseded_by: template.id }];
  const w = await world(t, [memory(1, "shown"), ...hidden.map((more, n) => memory(n + 2, "secret", more))]);
  assert.equal((await w.get({ path: "memory/a.md" })).text, "# Ports\nL1: shown");
  const none = await world(t, hidden.map((more, n) => memory(n + 2, "secret", more)));
  assert.deepEqual(await none.get({ path: "memory/a.md" }), { status: "not_found", path: "memory/a.md", text: "" });
});

test("a glob as path reads no files", async (t) => {
  const w = await world(t, [memory(1, "one")]);
  assert.equal((await w.get({ path: "**" })).status, "not_found");
});

test("a long file is returned in parts, without a gap", async (t) => {
  const all = Array.from({ length: 300 }, (_, n) => memory(n + 1, `memory ${n} ${"x".repeat(200)}`));
  const w = await world(t, all);
  const seen = [];
  for (let from = 1; from !== undefined; ) {
    const part = await w.get({ path: "memory/a.md", from });
    assert.ok(part.text.length <= 12_000);
    seen.push(...part.text.split("\n").filter((line) => line.startsWith("L")));
    from = part.nextFrom;
  }
  assert.deepEqual(seen, all.map((m) => `L${m.line_start}: ${m.text}`));
});

test("a failure is reported with an action", (t) => tryTimeouts(async (searchTimeoutMs) => {
  const w = await world(t, hang, { searchTimeoutMs });
  const hung = await w.get({ path: "memory/a.md" });
  assert.deepEqual([hung.status, hung.text], ["error", ""]);
  await w.server.stop();
  assert.equal((await w.get({ path: "memory/a.md" })).action, "start it: memory serve");
  await assert.rejects(w.get({}), /path or memoryId is required/);
}));

test("one memory is returned by its id", async (t) => {
  const w = await world(t, (asked, response) => {
    const { status, body } = fixture(asked.path.startsWith("/v1/memories/3f8a?") ? "memory" : "error_not_found").answer;
    send(response, status, body);
  });
  const details = await w.get({ memoryId: "3f8a" });
  assert.deepEqual([details.status, details.id.slice(0, 4), details.path, details.from], ["ok", "3f8a", "memory/2026-11-20.md", 12]);
  assert.match(details.text, /^# Editor › Go\nL12-L13: Prefers tabs/);
  assert.equal(w.server.asked.at(-1).path, "/v1/memories/3f8a?for=model&workspace=notes");
  assert.equal((await w.get({ memoryId: "dead/../x" })).status, "not_found");
  assert.equal(w.server.asked.at(-1).path, "/v1/memories/dead%2F..%2Fx?for=model&workspace=notes");
});
