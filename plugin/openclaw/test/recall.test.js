import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/config.js";
import { PromptFiles } from "../src/promptfiles.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { recallHook } from "../src/recall.js";
import { daemon, fixture, hang, log, notes, send, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/recall": "recall" };
const ctx = { workspaceDir: notes, agentId: "main", sessionKey: "s-1", sessionId: "0f", channel: "telegram", senderId: "42" };
const event = { prompt: "[Sat 09:00] How should I indent this Go file?", currentUserMessage: "How should I indent this Go file?" };

/** A timeout that even a busy machine never reaches. */
const patient = 10_000;

async function world(t, answer, config = {}) {
  const server = await daemon(t, answer);
  const lines = log();
  const settings = readSettings({ stateDir: server.stateDir, recallTimeoutMs: patient, ...config });
  const state = newState();
  const promptFiles = new PromptFiles(state.turns);
  return { server, lines: lines.lines, promptFiles, recall: recallHook(new Requester(settings.socket, lines, state), settings, promptFiles) };
}

test("the recalled block is added to the prompt unchanged", async (t) => {
  const w = await world(t, wire(served), { injection: { maxItems: 5, maxTokens: 400 } });
  w.promptFiles.set("s-1", ["MEMORY.md"]);
  assert.deepEqual(await w.recall(event, ctx), { prependContext: fixture("recall").answer.body.context });
  assert.deepEqual(w.server.asked.at(-1).body, {
    prompt: event.currentUserMessage,
    workspace: "notes",
    agent: "main",
    session: "s-1",
    user: "telegram:42",
    max_items: 5,
    max_tokens: 400,
    in_prompt: ["MEMORY.md"],
  });
  await w.recall(event, ctx);
  assert.deepEqual((w.server.asked.at(-1).body).in_prompt, [], "files count only for their own turn");
  assert.equal(w.server.asked.filter((asked) => asked.path === "/v1/workspaces").length, 1, "the workspace name is cached");
  assert.deepEqual(w.lines, []);
});

test("requests match the wire fixtures", async (t) => {
  const known = new Set([...Object.keys(fixture("recall").request.body)]);
  const w = await world(t, wire(served), { injection: { maxItems: 5, maxTokens: 400 } });
  await w.recall(event, ctx);
  for (const field of Object.keys(w.server.asked.at(-1).body)) assert.ok(known.has(field), field);
});

test("without relevant memories nothing is added", async (t) => {
  const w = await world(t, wire({ ...served, "/v1/recall": "recall_nothing" }));
  assert.equal(await w.recall({ prompt: "ok" }, ctx), undefined);
  assert.equal((w.server.asked.at(-1).body).prompt, "ok");
  const before = w.server.asked.length;
  assert.equal(await w.recall({ prompt: "an older message", currentUserMessage: "" }, ctx), undefined);
  assert.equal(w.server.asked.length, before, "a message with only a picture sends no request");
  assert.deepEqual(w.lines, []);
});

test("with autoRecall off no request is sent", async (t) => {
  const w = await world(t, wire(served), { autoRecall: false });
  assert.equal(await w.recall(event, ctx), undefined);
  assert.deepEqual(w.server.asked, []);
});

test("a message that is too long keeps its beginning and its end", async (t) => {
  const w = await world(t, wire(served));
  await w.recall({ prompt: `first ${"😀".repeat(600_000)} last` }, ctx);
  const { prompt } = w.server.asked.at(-1).body;
  assert.ok(prompt.startsWith("first ") && prompt.endsWith(" last") && prompt.isWellFormed());
  assert.ok(Buffer.byteLength(JSON.stringify(prompt)) < 1 << 20);
});

test("without a daemon: no memory, one warning per outage, and memory again when it answers", async (t) => {
  const w = await world(t, wire(served));
  await w.server.stop();
  for (let turn = 0; turn < 3; turn++) assert.equal(await w.recall(event, ctx), undefined);
  assert.equal(w.lines.length, 1);
  assert.match(w.lines[0].join(" "), /^warn memory-tiered: going on without memory: no service answers at .*tiered\.sock \(start it: memory serve\)$/);
});

test("with a hanging daemon: the first request waits until the timeout, the next ones do not wait", async (t) => {
  const w = await world(t, hang, { recallTimeoutMs: 500 });
  for (let turn = 0; turn < 4; turn++) assert.equal(await w.recall(event, ctx), undefined);
  assert.equal(w.server.asked.length, 1, "the other requests did not wait");
  assert.equal(w.lines.length, 1);
  assert.match(w.lines[0][1], /did not answer in time/);
});

test("workspace lookup and recall share one timeout", async (t) => {
  const w = await world(t, (asked, response) => (asked.path === "/v1/recall" ? undefined : wire(served)(asked, response)), { recallTimeoutMs: 1000 });
  assert.equal(await w.recall(event, ctx), undefined);
  assert.deepEqual(w.server.asked.map((asked) => asked.path), ["/v1/workspaces", "/v1/recall"]);
  assert.equal(w.lines.length, 1);
});

test("a slow answer within the timeout is used", async (t) => {
  const w = await world(t, (asked, response) => void setTimeout(() => wire(served)(asked, response), 60));
  assert.ok((await w.recall(event, ctx))?.prependContext);
  assert.deepEqual(w.lines, []);
});

test("the end of an outage is logged once", async (t) => {
  let down = true;
  const w = await world(t, (asked, response) => (down ? response.destroy() : wire(served)(asked, response)));
  assert.equal(await w.recall(event, ctx), undefined);
  down = false;
  assert.ok(await w.recall(event, ctx));
  assert.ok(await w.recall(event, ctx));
  assert.deepEqual(w.lines.map(([level]) => level), ["warn", "info"]);
  down = true;
  await w.recall(event, ctx);
  assert.equal(w.lines.length, 3, "the next outage is logged again");
});

test("an error of the daemon is logged once, with its hint", async (t) => {
  const w = await world(t, (asked, response) => {
    const { status, body } = fixture("error_unknown_field").answer;
    if (asked.path === "/v1/recall") send(response, status, body);
    else wire(served)(asked, response);
  });
  for (let turn = 0; turn < 2; turn++) assert.equal(await w.recall(event, ctx), undefined);
  assert.equal(w.lines.length, 1);
  assert.match(w.lines[0][1], /unknown field "teir" \(known are: /);
});

test("an unregistered folder gets no memories of another workspace", async (t) => {
  const w = await world(t, wire(served));
  for (const dir of ["/home/sam", "/home/sam/notes/memory", "/home/sam/notes2", undefined]) {
    assert.equal(await w.recall(event, { ...ctx, workspaceDir: dir }), undefined, String(dir));
  }
  assert.deepEqual([...new Set(w.server.asked.map((asked) => asked.path))], ["/v1/workspaces"]);
  assert.match(w.lines[0][1], /\/home\/sam is not registered .*\(memory workspace add '\/home\/sam'\)/);
});

test("a renamed workspace is looked up again", async (t) => {
  let name = "notes";
  const w = await world(t, (asked, response) => {
    if (asked.path === "/v1/workspaces") return send(response, 200, { workspaces: [{ name, path: notes }] });
    if ((asked.body).workspace === name) return send(response, 200, fixture("recall").answer.body);
    return send(response, 404, { error: { code: "not_found", message: "no workspace is named notes", hint: "", field: "workspace" } });
  });
  assert.ok(await w.recall(event, ctx));
  name = "diary";
  assert.ok(await w.recall(event, ctx));
  assert.equal((w.server.asked.at(-1).body).workspace, "diary");
  assert.deepEqual(w.lines, []);
});
