import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/config.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { Recall } from "../src/recall.js";
import { daemon, fixture, hang, log, notes, patient, send, tryTimeouts, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/recall": "recall" };
const ctx = { workspaceDir: notes, agentId: "main", sessionKey: "s-1", sessionId: "0f", channel: "telegram", senderId: "42" };
const event = { prompt: "[Sat 09:00] How should I indent this Go file?", currentUserMessage: "How should I indent this Go file?" };

async function world(t, answer, config = {}) {
  const server = await daemon(t, answer);
  const lines = log();
  const settings = readSettings({ stateDir: server.stateDir, recallTimeoutMs: patient, ...config });
  const state = newState();
  const recall = new Recall(new Requester(settings.socket, lines, state, settings.recallTimeoutMs), settings, state);
  const turn = async (given = event, where = ctx) => {
    const prependContext = await recall.add(given, where);
    return prependContext === "" ? undefined : { prependContext };
  };
  return { server, lines: lines.lines, state, recall, turn };
}

/** Answers as wire does, but with more fields in the answer of a recall. */
function recalling(more) {
  return (asked, response) => (asked.path === "/v1/recall" ? send(response, 200, { ...fixture("recall").answer.body, ...more }) : wire(served)(asked, response));
}

test("the recalled block is added to the prompt unchanged", async (t) => {
  const w = await world(t, wire(served), { injection: { maxItems: 5, maxTokens: 400 } });
  w.recall.noteFiles("s-1", ["MEMORY.md"]);
  assert.deepEqual(await w.turn(event, ctx), { prependContext: fixture("recall").answer.body.context });
  assert.deepEqual(w.server.asked.at(-1).body, {
    prompt: event.currentUserMessage,
    workspace: "notes",
    agent: "main",
    session: "s-1",
    user: "telegram:42",
    channel: "telegram",
    max_items: 5,
    max_tokens: 400,
    in_prompt: ["MEMORY.md"],
    files: [],
  });
  await w.turn(event, ctx);
  assert.deepEqual((w.server.asked.at(-1).body).in_prompt, [], "files count only for their own turn");
  assert.equal(w.server.asked.filter((asked) => asked.path === "/v1/workspaces").length, 1, "the workspace name is cached");
  assert.deepEqual(w.lines, []);
});

test("requests match the wire fixtures", async (t) => {
  const known = new Set([...Object.keys(fixture("recall").request.body)]);
  const w = await world(t, wire(served), { injection: { maxItems: 5, maxTokens: 400 } });
  await w.turn(event, ctx);
  for (const field of Object.keys(w.server.asked.at(-1).body)) assert.ok(known.has(field), field);
});

test("without relevant memories nothing is added", async (t) => {
  const w = await world(t, wire({ ...served, "/v1/recall": "recall_nothing" }));
  assert.equal(await w.turn({ prompt: "ok" }, ctx), undefined);
  assert.equal((w.server.asked.at(-1).body).prompt, "ok");
  const before = w.server.asked.length;
  assert.equal(await w.turn({ prompt: "an older message", currentUserMessage: "" }, ctx), undefined);
  assert.equal(w.server.asked.length, before, "a message with only a picture sends no request");
  assert.deepEqual(w.lines, []);
});

test("with autoRecall off no request is sent", async (t) => {
  const w = await world(t, wire(served), { autoRecall: false });
  assert.equal(await w.turn(event, ctx), undefined);
  assert.deepEqual(w.server.asked, []);
});

test("a message that is too long keeps its beginning and its end", async (t) => {
  const w = await world(t, wire(served));
  await w.turn({ prompt: `first ${"😀".repeat(600_000)} last` }, ctx);
  const { prompt } = w.server.asked.at(-1).body;
  assert.ok(prompt.startsWith("first ") && prompt.endsWith(" last") && prompt.isWellFormed());
  assert.ok(Buffer.byteLength(JSON.stringify(prompt)) < 1 << 20);
});

test("without a daemon: no memory, one warning per outage, and memory again when it answers", async (t) => {
  const w = await world(t, wire(served));
  await w.server.stop();
  assert.match((await w.turn(event, ctx)).prependContext, /^<memory-note>The memory service does not answer/);
  for (let turn = 0; turn < 2; turn++) assert.equal(await w.turn(event, ctx), undefined, "the model is told once");
  assert.match((await w.turn(event, { ...ctx, sessionKey: "s-2" })).prependContext, /memory-note/, "once in each session");
  assert.equal(w.lines.length, 1);
  assert.match(w.lines[0].join(" "), /^warn memory-tiered: going on without memory: no service answers at .*tiered\.sock \(start it: memory serve\)$/);
});

test("workspace lookup and recall share one timeout", (t) => tryTimeouts(async (recallTimeoutMs) => {
  const w = await world(t, (asked, response) => (asked.path === "/v1/recall" ? undefined : wire(served)(asked, response)), { recallTimeoutMs });
  assert.match((await w.turn(event, ctx)).prependContext, /memory-note/);
  assert.deepEqual(w.server.asked.map((asked) => asked.path).slice(0, 2), ["/v1/workspaces", "/v1/recall"]);
  assert.equal(w.lines.length, 1);
}));

test("a slow answer within the timeout is used", async (t) => {
  const w = await world(t, (asked, response) => void setTimeout(() => wire(served)(asked, response), 60));
  assert.ok((await w.turn(event, ctx))?.prependContext);
  assert.deepEqual(w.lines, []);
});

test("the end of an outage is logged once", async (t) => {
  let down = true;
  const w = await world(t, (asked, response) => (down ? response.destroy() : wire(served)(asked, response)));
  assert.match((await w.turn(event, ctx)).prependContext, /memory-note/);
  down = false;
  for (let turn = 0; turn < 2; turn++) assert.match((await w.turn(event, ctx)).prependContext, /relevant-memories/);
  assert.deepEqual(w.lines.map(([level]) => level), ["warn", "info"]);
  down = true;
  assert.match((await w.turn(event, ctx)).prependContext, /memory-note/, "the next outage is told again");
  assert.equal(w.lines.length, 3, "the next outage is logged again");
});

test("an error of the daemon is logged once, with its hint", async (t) => {
  const w = await world(t, (asked, response) => {
    const { status, body } = fixture("error_unknown_field").answer;
    if (asked.path === "/v1/recall") send(response, status, body);
    else wire(served)(asked, response);
  });
  for (let turn = 0; turn < 2; turn++) assert.equal(await w.turn(event, ctx), undefined);
  assert.equal(w.lines.length, 1);
  assert.match(w.lines[0][1], /unknown field "teir" \(known are: /);
});

test("an unregistered folder gets no memories of another workspace", async (t) => {
  const w = await world(t, wire(served));
  for (const dir of ["/home/sam", "/home/sam/notes/memory", "/home/sam/notes2", undefined]) {
    assert.equal(await w.turn(event, { ...ctx, workspaceDir: dir }), undefined, String(dir));
  }
  assert.deepEqual([...new Set(w.server.asked.map((asked) => asked.path))], ["/v1/workspaces"]);
  assert.match(w.lines[0][1], /\/home\/sam is not registered .*\(memory workspace add '\/home\/sam'\)/);
});

test("a renamed workspace is looked up again", async (t) => {
  let name = "notes";
  const w = await world(t, (asked, response) => {
    if (asked.path === "/v1/workspaces") return send(response, 200, { workspaces: [{ name, path: notes }] });
    if (asked.body.workspace === name) return send(response, 200, { ...fixture("recall").answer.body, folder: notes });
    return send(response, 404, { error: { code: "not_found", message: "no workspace is named notes", hint: "", field: "workspace" } });
  });
  assert.ok(await w.turn(event, ctx));
  name = "diary";
  assert.ok(await w.turn(event, ctx));
  assert.equal((w.server.asked.at(-1).body).workspace, "diary");
  assert.deepEqual(w.lines, []);
});

test("one request a turn has the files and the memories", async (t) => {
  const w = await world(t, recalling({ folder: notes }));
  w.recall.begin({ prompt: event.currentUserMessage }, ctx);
  const answer = await w.recall.withFiles("s-1", notes, ["MEMORY.md", "USER.md"], ["USER.md"]);
  assert.deepEqual(answer.files.map((file) => file.path), ["MEMORY.md", "USER.md"]);
  const { body } = w.server.asked.at(-1);
  assert.deepEqual([body.prompt, body.files, body.in_prompt], [event.currentUserMessage, ["MEMORY.md", "USER.md"], ["USER.md"]]);
  assert.match((await w.turn()).prependContext, /relevant-memories/);
  assert.deepEqual(w.server.asked.map((asked) => asked.path), ["/v1/workspaces", "/v1/recall"], "the lookup of a name happens once in a process");
  w.recall.begin({ prompt: "[history] How should I indent?" }, ctx);
  await w.recall.withFiles("s-1", notes, ["MEMORY.md"], []);
  await w.turn();
  assert.deepEqual(w.server.asked.slice(2).map((asked) => asked.body.prompt), ["[history] How should I indent?", event.currentUserMessage], "the person's own message counts");
});

test("a turn that failed at its files does not wait again", (t) => tryTimeouts(async (recallTimeoutMs) => {
  const w = await world(t, hang, { recallTimeoutMs });
  w.recall.begin({ prompt: event.currentUserMessage }, ctx);
  assert.ok((await w.recall.withFiles("s-1", notes, ["MEMORY.md"], [])).timedOut);
  w.state.hung = false;
  assert.match((await w.turn()).prependContext, /memory-note/);
  assert.equal(w.server.asked.filter((asked) => asked.path !== "/v1/health").length, 1);
}));

test("turns that no person started recall nothing", async (t) => {
  const w = await world(t, wire(served));
  const turns = [{ trigger: "cron" }, { trigger: "heartbeat" }, { trigger: "memory" }, { sessionKey: "agent:main:subagent:7" }, { sessionKey: "cron:daily" }];
  for (const more of turns) {
    const where = { ...ctx, ...more };
    w.recall.begin({ prompt: "wake up" }, where);
    assert.equal(await w.recall.withFiles(where.sessionKey, notes, ["MEMORY.md"], []), undefined);
    assert.equal(await w.turn({ prompt: "wake up" }, where), undefined, JSON.stringify(more));
  }
  assert.deepEqual(w.server.asked, []);
  assert.ok(await w.turn(event, { ...ctx, trigger: "user" }));
});

test("an answer of another workspace is not used", async (t) => {
  let folder = notes;
  const w = await world(t, (asked, response) => {
    if (asked.path === "/v1/workspaces") send(response, 200, { workspaces: [{ name: folder === notes ? "notes" : "moved", path: notes }] });
    else send(response, 200, { ...fixture("recall").answer.body, folder: asked.body.workspace === "moved" ? notes : folder });
  });
  await w.turn();
  folder = "/home/sam/other"; // another folder has the name now
  assert.ok(await w.turn());
  assert.deepEqual(w.server.asked.map((asked) => asked.body?.workspace), [undefined, "notes", "notes", undefined, "moved"]);
});

test("turns that end early do not accumulate", async (t) => {
  const w = await world(t, wire(served));
  for (let n = 0; n < 2000; n++) w.recall.begin({ prompt: "hi" }, { ...ctx, sessionKey: `s-${n}` });
  assert.equal(w.state.turns.size, 500);
});
