import assert from "node:assert/strict";
import { test } from "node:test";
import { bootstrapHook } from "../src/bootstrap.js";
import { readSettings } from "../src/config.js";
import { LastShown } from "../src/lastshown.js";
import { Recall } from "../src/recall.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { daemon, fixture, hang, log, notes, patient, send, wire } from "./daemon.js";

const served = { "/v1/workspaces": "workspaces", "/v1/files": "files" };
const secret = "the staging password is hunter2";

function file(name, content, path = `${notes}/${name}`) {
  return { name, path, content, missing: false };
}

async function world(t, answer, config = {}) {
  const server = await daemon(t, answer);
  const lines = log();
  const settings = readSettings({ stateDir: server.stateDir, recallTimeoutMs: patient, ...config });
  const state = newState();
  const requester = new Requester(settings.socket, lines, state, settings.recallTimeoutMs);
  const recall = new Recall(requester, settings, state);
  const hook = bootstrapHook(requester, settings, recall, new LastShown(`${server.stateDir}/openclaw`, state.shown));
  const run = async (files, workspaceDir = notes, cfg = undefined) => {
    const context = { workspaceDir, bootstrapFiles: files, sessionKey: "s-1", agentId: "main", cfg };
    await hook({ context });
    return { files: context["bootstrapFiles"], promptFiles: state.turns.get("s-1")?.inFull ?? [] };
  };
  return { server, lines: lines.lines, recall, run };
}

test("MEMORY.md and USER.md get the content that the daemon serves", async (t) => {
  const w = await world(t, wire(served));
  const given = [file("AGENTS.md", "be kind"), file("MEMORY.md", secret), file("USER.md", secret)];
  const { files, promptFiles } = await w.run(given);
  assert.deepEqual(files, [
    given[0],
    { ...given[1], content: "# Deploy\n\n- Deploys to staging on Tuesdays\n" },
    { ...given[2], content: "", missing: true },
  ]);
  assert.equal(given[1].content, secret, "the host's own object does not change");
  assert.equal(w.server.asked.at(-1).path, "/v1/files?path=MEMORY.md&path=USER.md&workspace=notes&agent=main&for=model");
  assert.deepEqual(promptFiles, ["MEMORY.md"]);
  assert.deepEqual(w.lines, []);
});

test("a request for files names the sender of the turn", async (t) => {
  const w = await world(t, wire(served), { autoRecall: false });
  w.recall.begin({ prompt: "hello" }, { sessionKey: "s-1", workspaceDir: notes, agentId: "main", channel: "telegram", senderId: "2" });
  await w.run([file("MEMORY.md", secret)]);
  const query = new URL(w.server.asked.at(-1).path, "http://localhost").searchParams;
  assert.deepEqual(["user", "channel", "agent"].map((name) => query.get(name)), ["telegram:2", "telegram", "main"]);
});

test("other files cause no request", async (t) => {
  const w = await world(t, wire(served));
  const given = [file("AGENTS.md", "be kind"), file("USER.md", "hi", `${notes}/users/sam/USER.md`), { ...file("MEMORY.md", ""), missing: true }];
  assert.deepEqual((await w.run(given)).files, given);
  assert.deepEqual((await w.run([file("MEMORY.md", "x", "/elsewhere/MEMORY.md")])).files[0].content, "x");
  assert.deepEqual(w.server.asked, []);
});

test("files are withheld while the daemon does not answer", async (t) => {
  const cases = [
    ["hangs", hang],
    ["closes the connection", (_, response) => response.destroy()],
    ["fails", (asked, response) => (asked.path === "/v1/workspaces" ? wire(served)(asked, response) : send(response, 500, {}))],
    ["leaves the file out", (asked, response) => (asked.path === "/v1/workspaces" ? wire(served)(asked, response) : send(response, 200, { files: [] }))],
  ];
  for (const [name, answer] of cases) {
    const w = await world(t, answer, { recallTimeoutMs: 50 });
    const { files, promptFiles } = await w.run([file("MEMORY.md", secret)]);
    assert.doesNotMatch(files[0].content, /hunter2/, name);
    assert.match(files[0].content, /MEMORY.md is withheld/, name);
    assert.deepEqual(promptFiles, [], name);
  }
});

test("with whenUnavailable: pass, files pass unchanged", async (t) => {
  const w = await world(t, hang, { recallTimeoutMs: 50, whenUnavailable: "pass" });
  const { files, promptFiles } = await w.run([file("MEMORY.md", secret)]);
  assert.deepEqual([files[0].content, promptFiles], [secret, ["MEMORY.md"]]);
  assert.equal(w.lines.length, 1);
});

test("files pass unchanged if nothing can be forgotten", async (t) => {
  const w = await world(t, wire(served));
  const elsewhere = [file("MEMORY.md", "plain", "/home/sam/other/MEMORY.md")];
  assert.equal((await w.run(elsewhere, "/home/sam/other")).files[0].content, "plain");
  assert.match(w.lines[0][1], /not registered/);
  const never = readSettings({ stateDir: "/nonexistent/memory" });
  const requester = new Requester(never.socket, log(), newState());
  const context = { workspaceDir: notes, bootstrapFiles: [file("MEMORY.md", "plain")] };
  await bootstrapHook(requester, never, new Recall(requester, never, newState()), new LastShown("/nonexistent/memory/openclaw", new Map()))({ context });
  assert.equal(context["bootstrapFiles"][0].content, "plain", "no service ever ran");
});

test("a file that the host truncates does not count as in the prompt", async (t) => {
  const long = (path, length) => ({ path, content: "x".repeat(length), redacted: 0 });
  const cases = [
    ["both fit", [long("MEMORY.md", 20_000), long("USER.md", 4_000)], undefined, ["MEMORY.md", "USER.md"]],
    ["neither fits", [long("MEMORY.md", 20_001), long("USER.md", 4_001)], undefined, []],
    ["configured limit", [long("MEMORY.md", 200), long("USER.md", 99)], { agents: { defaults: { bootstrapMaxChars: 100 } } }, ["USER.md"]],
    ["limit of the agent", [long("MEMORY.md", 200), long("USER.md", 99)], { agents: { defaults: { bootstrapMaxChars: 100 }, list: [{ id: "main", bootstrapMaxChars: 300 }] } }, ["MEMORY.md", "USER.md"]],
    ["limit of the agent's entry", [long("MEMORY.md", 200), long("USER.md", 99)], { agents: { entries: { main: { bootstrapMaxChars: 150 } } } }, ["USER.md"]],
    ["limit of all files", [long("MEMORY.md", 200), long("USER.md", 99)], { agents: { defaults: { bootstrapTotalMaxChars: 250 } } }, ["MEMORY.md"]],
  ];
  for (const [name, files, cfg, want] of cases) {
    const w = await world(t, (asked, response) => (asked.path === "/v1/workspaces" ? wire(served)(asked, response) : send(response, 200, { files })));
    assert.deepEqual((await w.run([file("MEMORY.md", ""), file("USER.md", "")], notes, cfg)).promptFiles, want, name);
  }
});

test("a context without files or folder does not change", async (t) => {
  const w = await world(t, wire(served));
  const settings = readSettings({ stateDir: w.server.stateDir });
  const requester = new Requester(settings.socket, log(), newState(), settings.recallTimeoutMs);
  const hook = bootstrapHook(requester, settings, w.recall, new LastShown("/nonexistent", new Map()));
  for (const context of [{}, { workspaceDir: notes }, { bootstrapFiles: [file("MEMORY.md", "x")] }]) {
    const before = structuredClone(context);
    await hook({ context });
    assert.deepEqual(context, before);
  }
});

test("with a prompt, the files come with the memories in one request", async (t) => {
  const w = await world(t, wire({ ...served, "/v1/recall": "recall" }));
  w.recall.begin({ prompt: "How should I indent?" }, { workspaceDir: notes, sessionKey: "s-1", trigger: "user" });
  const { files } = await w.run([file("MEMORY.md", secret), file("USER.md", secret)]);
  assert.equal(files[0].content, fixture("recall").answer.body.files[0].content);
  assert.deepEqual(w.server.asked.map((asked) => asked.path), ["/v1/workspaces", "/v1/recall"]);
  w.recall.begin({ prompt: "wake up" }, { workspaceDir: notes, sessionKey: "s-1", trigger: "heartbeat" });
  await w.run([file("MEMORY.md", secret)]);
  assert.match(w.server.asked.at(-1).path, /^\/v1\/files/, "a heartbeat gets its files, and no memories");
});
