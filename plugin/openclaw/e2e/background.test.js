/** Turns that no person started, and compactions, through a gateway. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { question, testWorld, usersOf, withGateway } from "./common.js";
import { flushed } from "./model.js";
import { until } from "./world.js";

const it = testWorld((it) => withGateway(it, { toolSearch: false }));

/** Returns the first request to the model whose last turn contains a text. */
async function request(what) {
  let found;
  await until(() => (found = it.mock.asked.find((one) => usersOf(one).some((said) => what.test(said)))), () => `the model is never asked ${what}`);
  return found;
}

async function recalls() {
  const { receipts } = await it.world.json("receipts", "-w", it.world.workspace, "--limit", "0");
  return receipts.filter((receipt) => receipt.kind === "recall").length;
}

/** Calls a method of the gateway and returns its JSON. */
async function call(method, params) {
  const { ok, stdout, output } = await it.world.call(method, params);
  assert.ok(ok, `${method}: ${output}`);
  return JSON.parse(stdout);
}

const started = {
  cron: async (message) => {
    const job = { name: "e2e", schedule: { kind: "at", at: new Date(Date.now() + 86_400_000).toISOString() }, sessionTarget: "isolated", wakeMode: "now", payload: { kind: "agentTurn", message }, delivery: { mode: "none" } };
    await call("cron.run", { id: (await call("cron.add", job)).id, mode: "force" });
    return await request(/On which port[^]*for cron/);
  },
  heartbeat: async (message) => {
    await call("wake", { mode: "now", text: message });
    return await request(/On which port[^]*for heartbeat/);
  },
  "sub-agent": async (message) => {
    await it.turn("boss", `DELEGATE: ${message}`);
    return await request(/Subagent[^]*On which port[^]*for sub-agent/);
  },
};

for (const [name, start] of Object.entries(started)) {
  test(`a turn of ${name} recalls nothing`, async () => {
    assert.match((await it.turn(`before-${name}`, question)).user, /<relevant-memories>/, "a person's turn does");
    const before = await recalls();
    const asked = await start(`${question} Remember that the bucket is for ${name}.`);
    for (const said of usersOf(asked)) assert.doesNotMatch(said, /relevant-memories|port 7431/);
    assert.equal((await recalls()) - before, name === "sub-agent" ? 1 : 0, "the turn that delegates recalls");
  });
}

test("what such a turn says is not captured by a later turn of a person", async () => {
  const { user } = await it.turn("main", "Remember that the bicycle pump is in the shed.");
  assert.match(user, /bicycle pump/);
  await until(() => it.world.captured().includes("the bicycle pump is in the shed"));
  assert.doesNotMatch(it.world.captured(), /bucket is for (cron|heartbeat)/);
});

test("a compaction loses nothing of what an outage left", async () => {
  await it.turn("long", "Good morning, let us talk about the archive.");
  await it.world.stop("SIGKILL");
  await it.turn("long", "Remember that the archive room has the number 733.");
  await it.turn("long", "And that was all for today.");
  await it.world.serve();
  assert.doesNotMatch(it.world.captured(), /733/);
  assert.equal((await call("sessions.compact", { key: "agent:main:long" })).compacted, true);
  await until(() => it.world.captured().includes("the archive room has the number 733"));
  const { user } = await it.turn("long", "Which number has the archive room?");
  assert.match(user, /<relevant-memories>[^]*number 733/);
});

test("the flush before a compaction writes to its own file, as untrusted", async () => {
  await it.turn("full", "FULL house today, let us plan the bees.");
  const asked = await request(/The session is about to be compacted\. Append to memory\/agent/);
  for (const said of usersOf(asked)) assert.doesNotMatch(said, /<relevant-memories>/);
  const dir = join(it.world.workspace, "memory", "agent");
  const written = () => (existsSync(dir) ? readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8")).join("") : "");
  await until(() => written().includes(flushed));
  assert.match(written(), /^---\ntrust: untrusted\n---\n\n- The user keeps bees/);
  await it.world.memory("index", "-w", it.world.workspace);
  const { hits } = await it.world.json("search", flushed, "-w", it.world.workspace);
  assert.deepEqual(hits.filter((hit) => hit.text.includes("bees")).map((hit) => hit.trust_tier), ["untrusted"]);
  assert.doesNotMatch(it.world.captured(), /bees on the roof/);
});
