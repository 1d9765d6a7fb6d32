/**
 * Turns through a gateway, with the real service; only the model is a mock. A turn takes
 * less than a second here. HOST, MEMORY and PLUGIN are as in host.test.js.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fill, forgotten, memoryFile, nowhere, observe, ports } from "./common.js";
import { model, text } from "./model.js";
import { sleep, World } from "./world.js";

let world;
let mock;
/** How long a turn with a service takes here. Limits are multiples of it, because machines differ. */
let normalMs = 0;

before(async () => {
  mock = await model();
  world = new World(process.env["HOST"], process.env["MEMORY"], process.env["PLUGIN"]);
  fill(world);
  await world.configure(mock.url);
  await world.serve();
  await world.startGateway();
  await turn("warm-up", "hello");
});

after(async () => {
  mock.close();
  await world.remove();
});

const question = "On which port does the billing service listen?";
const turn = (session, message, agent) => observe(world, mock, message, () => world.chat(session, message, agent));

test("each turn of a session gets its own block, and no block is in the transcript", async () => {
  const first = await turn("several", question);
  assert.match(first.user, /<relevant-memories>[^]*port 7431[^]*On which port/);
  const second = await turn("several", "When does the coffee machine want descaling?");
  assert.match(second.user, /<relevant-memories>[^]*descaling in March/);
  assert.equal(second.asked[0].raw.split("port 7431").length, 1, "the first block is not stored");
  nowhere([...first.asked, ...second.asked], forgotten);
  normalMs = Math.max(first.ms, second.ms);
});

test("an edit of the Markdown counts from the next turn", async () => {
  world.write("memory/2026-11-20.md", ports(9202));
  const { asked, user } = await turn("edit", question);
  assert.match(user, /<relevant-memories>[^]*port 9202/);
  nowhere(asked, "7431");
});

test("a memory of MEMORY.md is in the prompt once", async () => {
  const { asked } = await turn("twice", "Where does the staging server stand, and what was its old password?");
  assert.equal(asked[0].raw.split("cellar of the Bremen office").length - 1, 1);
  nowhere(asked, forgotten);
});

test("a search by the model finds no forgotten memory", async () => {
  const { asked } = await turn("search", "SEARCH: staging password coffee machine");
  assert.equal(asked.length, 2, "once with the question, once with the result");
  const given = JSON.parse(text(asked[1].messages.find((m) => m.role === "tool")));
  const found = given.results.find((result) => result.snippet.includes("descaling"));
  assert.deepEqual([found?.path, found?.startLine, found?.endLine, found?.citation], ["memory/2026-11-20.md", 7, 7, "memory/2026-11-20.md#L7"]);
  nowhere(asked, forgotten);
});

test("two agents never see each other's memories", async () => {
  const { asked, user } = await turn("apart", question, "other");
  assert.doesNotMatch(user, /billing service listens/);
  nowhere(asked, "cellar of the Bremen office");
});

test("what the user asks to remember is in Markdown before the next turn, and the agent is told", async () => {
  await turn("remember", "Remember that the deploy window opens at 06:40.");
  const { user } = await turn("remember", "Thanks. When does the deploy window open?");
  assert.match(captured(), /the deploy window opens at 06:40\. <!--/);
  assert.match(user, /<memory-kept>[^]*\[fact [0-9a-f]{8}\] the deploy window opens at 06:40/);
  assert.match(user, /<relevant-memories>[^]*deploy window opens at 06:40/, "it is recalled too");
  const third = await turn("remember", "Thanks again, that is all.");
  assert.doesNotMatch(third.user, /memory-kept/, "the agent is told once");
});

test("forget, restore, pin and context act on the next turn", async () => {
  const { details: found } = await world.tool("memory_recall", { query: "On which port does the billing service listen?" });
  const memoryId = found.memories[0].id.slice(0, 8);
  const { content } = await world.tool("memory_forget", { memoryId });
  assert.match(content[0].text, /^Forgotten: \[\w+ [0-9a-f]{8}\] The billing service/);
  nowhere((await turn("live", question)).asked, "port 9202");
  assert.deepEqual((await world.tool("memory_restore", { memoryId })).details.changed.length, 1);
  assert.match((await turn("live", question)).user, /port 9202/);
  assert.match((await world.tool("memory_pin", { memoryId })).content[0].text, /^Pinned/);
  await world.tool("memory_set_context", { text: "Moving to the Hamburg office this week" });
  assert.match((await turn("live", question)).user, /<current-context>[^]*Hamburg office/);
  await world.tool("memory_clear_context", {});
  nowhere((await turn("context", question)).asked, "Hamburg office");
  const read = await world.tool("memory_get", { memoryId });
  assert.match(read.content[0].text, /listens on port 9202/);
});

test("what the agent stores in the user's own words is trusted, and nothing else", async () => {
  await turn("store", "STORE: The guest bathroom key hangs beside the front door");
  await world.tool("memory_store", { text: "The guest house key hangs behind the garden shed" });
  assert.match(captured(), /guest bathroom key[^\n]*/);
  assert.doesNotMatch(/guest bathroom key[^\n]*/.exec(captured())[0], /untrusted/);
  assert.match(/guest house key[^\n]*/.exec(captured())[0], /trust: untrusted/);
});

test("a password is not captured", async () => {
  await turn("secret", "Remember that the wifi password is Blaubeere#7719.");
  await turn("secret", "Remember that the spare router is in the attic.");
  await until(() => captured().includes("spare router"));
  assert.doesNotMatch(captured(), /Blaubeere/);
});

test("while the service hangs a turn costs the limit at most, and memory is back soon after", async () => {
  world.signal("SIGSTOP");
  try {
    const hung = await turn("hang", question);
    assert.match(hung.user, /<memory-note>The memory service does not answer[^]*On which port/);
    assert.match(hung.system, /cellar of the Bremen office/, "unchanged files are shown");
    assert.match(hung.said, /going on without memory: [^\n]* did not answer in time/);
    assert.ok(hung.ms < 800 + 5 * normalMs, `${hung.ms} ms; a normal turn takes ${normalMs} ms`);
    nowhere(hung.asked, forgotten);
    const second = await turn("hang", question);
    assert.doesNotMatch(second.user, /memory-note/, "the model is told once");
  } finally {
    world.signal("SIGCONT");
  }
  await sleep(2000);
  const { user } = await turn("hang", question);
  assert.match(user, /<relevant-memories>[^]*port 9202/);
});

test("with the service killed, changed lines are withheld and the rest is shown", async () => {
  const before = world.log().length;
  await world.stop("SIGKILL");
  world.write("MEMORY.md", `${memoryFile}- The spare key was ${forgotten}\n`);
  const { asked, user, system } = await turn("down", question);
  assert.match(user, /<memory-note>/);
  assert.match(system, /cellar of the Bremen office[^]*\[2 lines of MEMORY\.md are withheld/);
  nowhere(asked, forgotten);
  world.write("MEMORY.md", memoryFile.replace("memories:\n", 'memories:\n  - {id: "5d0c3a7be912", quote: "The staging server stands", forgotten: 2026-11-21}\n'));
  const second = await turn("down", question);
  nowhere(second.asked, "cellar of the Bremen office");
  const warnings = world.log().slice(before).split("\n").filter((line) => line.includes("going on without memory"));
  assert.equal(warnings.length, 1, warnings.join("\n"));
});

test("after a restart memory is back, with the edits of the meantime", async () => {
  await world.stop("SIGKILL");
  world.write("MEMORY.md", memoryFile);
  world.write("memory/2026-11-20.md", ports(5005));
  await world.serve();
  const { asked, user, system } = await turn("back", question);
  assert.match(user, /<relevant-memories>[^]*port 5005/);
  assert.match(system, /cellar of the Bremen office/);
  nowhere(asked, forgotten);
});

test("what was said in an outage is captured before a reset", async () => {
  await world.stop("SIGKILL");
  await turn("reset", "Remember that the archive room has the number 412.");
  assert.doesNotMatch(captured(), /archive room/);
  await world.serve();
  const reset = await world.call("sessions.reset", { key: "agent:main:reset" });
  assert.ok(reset.ok, reset.output);
  await until(() => captured().includes("the archive room has the number 412"));
});

test("the gateway starts a service that is not there, and starts it again", async () => {
  await world.stopGateway();
  await world.stop("SIGTERM");
  await world.configure(mock.url, { config: { startService: true } });
  await world.startGateway();
  const recalls = async () => (await turn("own", question)).user.includes("port 5005");
  await until(recalls);
  const { daemon } = JSON.parse((await world.memory("status", "--json")).output);
  process.kill(daemon.pid, "SIGKILL");
  await until(recalls);
  await world.stopGateway();
  assert.equal(JSON.parse((await world.memory("status", "--json")).output).daemon, null, "the gateway ended the service that it started");
});

/** Returns all that was captured. */
function captured() {
  const dir = join(world.workspace, "memory", "captured");
  return existsSync(dir) ? readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8")).join("") : "";
}

/** Waits for something that happens soon; ten minutes end a test that would hang. */
async function until(what) {
  const end = Date.now() + 600_000;
  while (!(await what())) {
    assert.ok(Date.now() < end, "it does not happen");
    await sleep(500);
  }
}
