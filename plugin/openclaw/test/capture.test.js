import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Capture } from "../src/capture.js";
import { readSettings } from "../src/config.js";
import { flushPlan, prepareFlush } from "../src/flush.js";
import { ownText, toMessages } from "../src/messages.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { daemon, fixture, hang, log, notes, patient, send, tryTimeouts, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/capture": "capture" };
const ctx = { workspaceDir: notes, agentId: "coder", sessionKey: "s-1", sessionId: "0f", channel: "telegram", senderId: "42", trigger: "user" };
const user = (text) => ({ role: "user", content: text });
const assistant = (text) => ({ role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text }] });

async function world(t, answer = wire(served), config = {}) {
  const server = await daemon(t, answer);
  const lines = log();
  const settings = readSettings({ stateDir: server.stateDir, recallTimeoutMs: patient, ...config });
  const state = newState();
  const capture = new Capture(new Requester(settings.socket, lines, state, settings.recallTimeoutMs), settings, state);
  const settle = async (where) => {
    state.spent.set(where.sessionKey, 0);
    await capture.settle(where);
    return state.spent.get(where.sessionKey);
  };
  const captures = () => server.asked.filter((asked) => asked.path === "/v1/capture");
  const texts = () => captures().map((asked) => asked.body.messages.map((message) => message.content));
  return { server, lines: lines.lines, state, capture, settle, captures, texts };
}

test("a turn's messages are offered with the sender, the session and the trigger", async (t) => {
  const w = await world(t);
  await w.capture.offer({ messages: [user("I prefer tabs"), { role: "toolResult", content: "secret" }, assistant("Noted")], success: true }, ctx);
  const { messages, ...rest } = w.captures()[0].body;
  assert.deepEqual(rest, { workspace: "notes", session: "s-1", agent: "coder", user: "telegram:42", channel: "telegram", trigger: "user", success: true });
  assert.deepEqual(messages.map(({ role, content }) => [role, content]), [["user", "I prefer tabs"], ["assistant", "Noted"]]);
  for (const field of Object.keys(rest)) assert.ok(field === "trigger" || field in fixture("capture").request.body, field);
});

test("each message is offered once, with the assistant's message before it", async (t) => {
  const w = await world(t);
  const talk = [user("one"), assistant("first"), user("two"), assistant("second")];
  await w.capture.offer({ messages: talk.slice(0, 2) }, ctx);
  await w.capture.offer({ messages: talk.slice(0, 2) }, ctx);
  await w.capture.offer({ messages: talk }, ctx);
  await w.capture.offer({}, ctx);
  await w.capture.end(ctx);
  assert.deepEqual(w.texts(), [["one", "first"], ["one", "first", "two", "second"]].map((texts, n) => (n === 0 ? texts : texts.slice(0))));
});

test("keys are the same in every hook, and another one for the same text again", () => {
  const stored = toMessages([user("yes"), assistant("ok"), user("yes")]);
  const fresh = toMessages([{ role: "user", content: [{ type: "text", text: "yes" }], timestamp: 7 }, assistant("ok"), user(" yes\n")]);
  assert.deepEqual(stored.map((m) => m.key), fresh.map((m) => m.key));
  assert.equal(new Set(stored.map((m) => m.key)).size, 3);
  assert.match(stored[2].key, /\/2$/);
});

test("a message has the time that the host gives it, and none that is no time of the past", () => {
  const at = Date.UTC(2026, 10, 23, 9, 30);
  const times = [at, at / 1000, Date.now() + 3_600_000, Number.NaN, "2026-11-23", undefined];
  const messages = toMessages(times.map((timestamp, n) => ({ role: "user", content: `message ${n}`, timestamp })));
  assert.deepEqual(messages.map((m) => m.at), ["2026-11-23T09:30:00.000Z", ...times.slice(1).map(() => undefined)]);
});

test("blocks of the host and of this plugin are left out", () => {
  const cases = [
    ["<relevant-memories>\n- [fact 3f8a] Tea\n</relevant-memories>\n\nHello", "Hello"],
    ["<memory-note>down</memory-note>\n\n<memory-kept>\n- [fact 3f8a] Tea\n</memory-kept>\n\nHello", "Hello"],
    ["<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nHello", "Hello"],
    ["[Sun 2026-11-22 09:58 UTC] Hello", "Hello"],
    ['Conversation info (untrusted metadata):\n```json\n{"sender": "x"}\n```\n\nHello', "Hello"],
    ["<relevant-memories>\nnever closed", ""],
    ["I prefer [Sun] and <b>tabs</b>", "I prefer [Sun] and <b>tabs</b>"],
  ];
  for (const [text, want] of cases) assert.equal(ownText(text), want);
  assert.deepEqual(toMessages([user("<memory-note>x</memory-note>"), null, 7, { role: "custom", content: "x" }]), []);
  assert.deepEqual(toMessages(undefined), []);
});

test("turns that no person started are not captured", async (t) => {
  const w = await world(t);
  for (const more of [{ trigger: "cron" }, { trigger: "heartbeat" }, { trigger: "memory" }, { sessionKey: "agent:main:subagent:1" }]) {
    await w.capture.offer({ messages: [user("I prefer tabs")] }, { ...ctx, ...more });
  }
  const off = await world(t, wire(served), { autoCapture: false });
  await off.capture.offer({ messages: [user("I prefer tabs")] }, ctx);
  assert.deepEqual([w.server.asked, off.server.asked], [[], []]);
});

test("what an automated turn adds to a session is not captured by a later turn", async (t) => {
  const w = await world(t);
  const talk = [user("I prefer tabs"), assistant("Noted"), user("System: remember that the disk is full"), assistant("I told the operator")];
  await w.capture.offer({ messages: talk.slice(0, 2) }, ctx);
  await w.capture.settle({ ...ctx, trigger: "heartbeat", senderId: undefined });
  await w.capture.offer({ messages: talk }, { sessionKey: "s-1" }); // a compaction within that turn
  await w.capture.offer({ messages: talk }, { ...ctx, trigger: "heartbeat", senderId: undefined });
  await w.capture.settle(ctx);
  await w.capture.offer({ messages: [...talk, user("I prefer tea"), assistant("Good")] }, ctx);
  assert.deepEqual(w.texts(), [["I prefer tabs", "Noted"], ["I prefer tabs", "Noted", "I prefer tea", "Good"]]);
  assert.equal(w.captures().at(-1).body.user, "telegram:42");
});

test("a compaction within the first turn names only the session", async (t) => {
  const w = await world(t);
  assert.equal(await w.settle(ctx), 0);
  await w.capture.offer({ messages: [user("I prefer tabs")] }, { sessionKey: "s-1" });
  assert.deepEqual(w.texts(), [["I prefer tabs"]]);
  assert.deepEqual([w.captures()[0].body.workspace, w.captures()[0].body.user], ["notes", "telegram:42"]);
});

test("after an outage each sender's words are that sender's", async (t) => {
  let down = true;
  const w = await world(t, (asked, response) => (down ? response.destroy() : wire(served)(asked, response)));
  const talk = [user("I prefer tabs"), assistant("Noted"), user("I prefer spaces"), user("I prefer tea"), assistant("Good")];
  await w.capture.offer({ messages: talk.slice(0, 2) }, ctx);
  await w.capture.offer({ messages: talk.slice(0, 3) }, { ...ctx, senderId: "7" });
  down = false;
  await w.capture.offer({ messages: talk }, ctx);
  assert.deepEqual(w.captures().slice(-3).map(({ body }) => [body.user, ...body.messages.map((message) => message.content)]), [
    ["telegram:42", "I prefer tabs", "Noted"],
    ["telegram:7", "Noted", "I prefer spaces"],
    ["telegram:42", "I prefer tea", "Good"],
  ]);
});

test("what an outage left is offered at the next turn, before a compaction, and at the end", async (t) => {
  const later = [(w) => w.capture.settle(ctx), (w) => w.capture.offer({}, { sessionKey: "s-1", workspaceDir: notes }), (w) => w.capture.end({ sessionKey: "s-1" })];
  for (const retry of later) {
    let down = true;
    const w = await world(t, (asked, response) => (down ? response.destroy() : wire(served)(asked, response)));
    await w.capture.offer({ messages: [user("I prefer tabs")] }, ctx);
    down = false;
    w.state.outage = false;
    await retry(w);
    assert.deepEqual(w.texts().at(-1), ["I prefer tabs"], String(retry));
    assert.equal(w.captures().at(-1).body.user, "telegram:42", "the sender is that of the turn");
  }
});

test("the next turn waits for a capture under way, for at most half of its time", (t) => tryTimeouts(async (recallTimeoutMs) => {
  let release;
  const w = await world(t, (asked, response) => {
    if (asked.path === "/v1/capture") release = () => wire(served)(asked, response);
    else wire(served)(asked, response);
  }, { recallTimeoutMs });
  const offered = w.capture.offer({ messages: [user("Remember that the port is 7000.")] }, ctx);
  assert.ok((await w.settle(ctx)) >= recallTimeoutMs / 2 - 10);
  const settled = w.capture.settle(ctx);
  release();
  await Promise.all([offered, settled]);
  assert.match(w.capture.keptNote(ctx), /tabs/);
  assert.equal(await w.settle({ ...ctx, sessionKey: "s-2" }), 0);
}));

test("an outage costs the next turn nothing", async (t) => {
  const w = await world(t, hang);
  w.state.outage = true;
  void w.capture.offer({ messages: [user("I prefer tabs")] }, ctx);
  assert.ok((await w.settle(ctx)) < patient / 2);
});

test("a capture that times out after the service has answered again is no new outage", (t) => tryTimeouts(async (timeoutMs) => {
  let hangs;
  const asked = new Promise((resolve) => (hangs = resolve));
  const server = await daemon(t, (asked, response) => (asked.path === "/v1/capture" ? hangs() : wire({ "/v1/workspaces": "workspaces", "/v1/recall": "recall" })(asked, response)));
  const lines = log();
  const state = newState();
  const requester = new Requester(server.socket, lines, state, patient);
  const late = requester.tryRequest(notes, (client, workspace, signal) => client.post("/v1/capture", { workspace }, signal), { patientMs: timeoutMs });
  await Promise.race([asked, late]);
  await requester.tryRequest(notes, (client, workspace, signal) => client.post("/v1/recall", { prompt: "x", workspace }, signal));
  assert.equal((await late).timedOut, true);
  assert.deepEqual([state.outage, lines.lines], [false, []]);
}));

test("the model is told once what was kept", async (t) => {
  const stored = (text) => ({ ...fixture("capture").answer.body.stored[0], text });
  const w = await world(t, (asked, response) => {
    if (asked.path !== "/v1/capture") return wire(served)(asked, response);
    send(response, 200, { stored: [stored("port\n<b> 7000"), stored("x".repeat(900))], skipped: [] });
  });
  await w.capture.offer({ messages: [user("Remember that the port is 7000.")] }, ctx);
  const lines = w.capture.keptNote(ctx).split("\n");
  assert.equal(lines[2], "- [preference b71c44d0] port b 7000");
  assert.ok(lines[3].length < 230 && lines[3].endsWith("…"));
  assert.equal(lines.length, 5);
  assert.equal(w.capture.keptNote(ctx), "");
});

test("the model is told once what is not kept although the user asked for it", async (t) => {
  const secret = { key: "1", reason: "secret", not_kept: "it looks like a secret (password)" };
  const w = await world(t, (asked, response) => {
    if (asked.path !== "/v1/capture") return wire(served)(asked, response);
    send(response, 200, { stored: [], skipped: [secret, { ...secret, key: "2" }, { key: "3", reason: "no_trigger" }] });
  });
  await w.capture.offer({ messages: [user("Remember the password.")] }, ctx);
  const note = w.capture.keptNote(ctx);
  assert.match(note, /^<memory-not-kept>[^\n]*: it looks like a secret \(password\)\. [^\n]*<\/memory-not-kept>$/);
  assert.equal(ownText(`${note}\n\nHello`), "Hello");
  assert.equal(w.capture.keptNote(ctx), "");
});

test("of a very long session the end is offered", async (t) => {
  const w = await world(t);
  const messages = Array.from({ length: 100 }, (_, n) => user(`${n} ${"😀".repeat(20_000)} end`));
  await w.capture.offer({ messages }, ctx);
  const { body } = w.captures()[0];
  assert.ok(Buffer.byteLength(JSON.stringify(body)) < 1 << 20);
  assert.match(body.messages.at(-1).content, /^99 [^]*end$/);
});

test("the flush has a file of its own that says that the words are the agent's", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "mt-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const nowMs = Date.UTC(2026, 10, 21, 23, 30);
  const plan = (memoryFlush, contextWindowTokens = undefined) => flushPlan({ nowMs, contextWindowTokens, cfg: { agents: { defaults: { userTimezone: "Asia/Tokyo", compaction: { memoryFlush } } } } });
  assert.equal(plan().relativePath, "memory/agent/2026-11-22.md");
  assert.match(plan().prompt, /Append to memory\/agent\/2026-11-22\.md[^]*NO_REPLY/);
  assert.equal(plan({ enabled: false }), null);
  assert.deepEqual([plan({ softThresholdTokens: 9, model: "m" }).softThresholdTokens, plan({ model: "m" }).model], [9, "m"]);
  assert.deepEqual([plan({}, 128_000).softThresholdTokens, plan({}, 24_000).softThresholdTokens], [4_000, 2_000]);
  prepareFlush({ ...ctx, workspaceDir: dir }, "UTC");
  assert.ok(!existsSync(join(dir, "memory")), "only for a flush");
  const flush = { ...ctx, workspaceDir: dir, trigger: "memory" };
  prepareFlush(flush, "UTC");
  const file = join(dir, flushPlan({ cfg: { agents: { defaults: { userTimezone: "UTC" } } } }).relativePath);
  assert.equal(readFileSync(file, "utf8"), "---\ntrust: untrusted\n---\n\n");
  writeFileSync(file, "kept");
  prepareFlush(flush, "UTC");
  assert.equal(readFileSync(file, "utf8"), "kept");
  writeFileSync(file, ""); // the host creates it before the turn
  prepareFlush(flush, "UTC");
  assert.equal(readFileSync(file, "utf8"), "---\ntrust: untrusted\n---\n\n");
});
