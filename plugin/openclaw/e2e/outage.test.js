/**
 * Outages of the service, through a gateway. Limits are multiples of a turn that was
 * measured beside them, because machines differ, and so does their load.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { forgotten, memoryFile, nowhere, ports, question, testWorld, withGateway } from "./common.js";
import { text } from "./model.js";
import { Link } from "./link.js";
import { sleep, until } from "./world.js";

/** The default of the setting recallTimeoutMs. */
const budgetMs = 800;
const searchTimeoutMs = 1_000;
/** How many usual turns a turn may take beside the time limit. */
const turns = 5;

let link;
const it = testWorld(async (it) => {
  const stateDir = join(it.world.root, "link");
  link = new Link(stateDir, join(it.world.stateDir, "tiered.sock"));
  link.pass();
  await withGateway(it, { config: { stateDir, searchTimeoutMs } });
});

const outages = {
  killed: { begin: () => it.world.stop("SIGKILL"), end: () => it.world.serve() },
  hung: { begin: () => it.world.signal("SIGSTOP"), end: () => it.world.signal("SIGCONT") },
  slow: { begin: () => link.slow(20_000), end: () => link.pass() },
  "without a socket": { begin: () => link.remove(), end: () => link.pass() },
  "broken off": { begin: () => link.cut(), end: () => link.pass() },
};

/** Runs a turn in which the outage begins, and two more turns. */
async function outageOf(session, kind, begin) {
  it.mock.beforeAnswer = begin;
  const hit = await it.turn(session, `Remember that the key of the ${kind} cupboard is red.\nSEARCH: billing service port`);
  assert.equal(hit.asked.length, 2, "once with the question, once with the result");
  assert.match(text(hit.asked[1].messages.findLast((m) => m.role === "tool")), /"unavailable": true[^]*"action": /);
  const during = await it.turn(session, question);
  assert.match(during.user, /<memory-note>The memory service does not answer[^]*On which port/);
  assert.doesNotMatch(during.user, /relevant-memories/);
  assert.match(during.system, /cellar of the Bremen office/, "unchanged files are shown");
  const later = await it.turn(session, question);
  assert.doesNotMatch(later.user, /memory-note|relevant-memories/, "the model is told once");
  nowhere([...hit.asked, ...during.asked, ...later.asked], forgotten);
  return { hit, during, later };
}

for (const [kind, { begin, end }] of Object.entries(outages)) {
  test(`a service that is ${kind} in mid-turn: turns work, and memory is back soon after the service`, async () => {
    const session = kind.replaceAll(" ", "-");
    const logged = it.world.log().length;
    const usual = await it.turn(session, question);
    assert.match(usual.user, /<relevant-memories>[^]*port 7431/);
    const { hit, during, later } = await outageOf(session, kind, begin).finally(end);
    const warnings = it.world.log().slice(logged).split("\n").filter((line) => line.includes("going on without memory"));
    assert.equal(warnings.length, 1, warnings.join("\n"));

    await it.world.answers();
    await sleep(2_000);
    const back = await it.turn(session, question);
    assert.match(back.user, /<relevant-memories>[^]*port 7431/);
    await until(() => it.world.captured().includes(`the ${kind} cupboard is red`));
    const usualMs = Math.max(usual.ms, back.ms);
    const limits = { hit: searchTimeoutMs, during: budgetMs, later: budgetMs };
    for (const [name, turn] of Object.entries({ hit, during, later })) {
      assert.ok(turn.ms <= limits[name] + turns * usualMs, `${name}: ${turn.ms} ms; a usual turn takes ${usualMs} ms`);
    }
  });
}

test("with the service killed, changed lines are withheld and the rest is shown", async () => {
  await it.world.stop("SIGKILL");
  it.world.write("MEMORY.md", `${memoryFile}- The spare key was ${forgotten}\n`);
  const { asked, user, system } = await it.turn("down", question);
  assert.match(user, /<memory-note>/);
  assert.match(system, /cellar of the Bremen office[^]*\[2 lines of MEMORY\.md are withheld/);
  nowhere(asked, forgotten);
  it.world.write("MEMORY.md", memoryFile.replace("memories:\n", 'memories:\n  - {id: "5d0c3a7be912", quote: "The staging server stands", forgotten: 2026-11-21}\n'));
  nowhere((await it.turn("down", question)).asked, "cellar of the Bremen office");
});

test("after a restart memory is back, with the edits of the meantime", async () => {
  it.world.write("MEMORY.md", memoryFile);
  it.world.write("memory/2026-11-20.md", ports(5005));
  await it.world.serve();
  const { asked, user, system } = await it.turn("back", question);
  assert.match(user, /<relevant-memories>[^]*port 5005/);
  assert.match(system, /cellar of the Bremen office/);
  nowhere(asked, forgotten);
});

test("what was said in an outage is captured before a reset", async () => {
  await it.world.stop("SIGKILL");
  await it.turn("reset", "Remember that the archive room has the number 412.");
  assert.doesNotMatch(it.world.captured(), /archive room/);
  await it.world.serve();
  const reset = await it.world.call("sessions.reset", { key: "agent:main:reset" });
  assert.ok(reset.ok, reset.output);
  await until(() => it.world.captured().includes("the archive room has the number 412"));
});
