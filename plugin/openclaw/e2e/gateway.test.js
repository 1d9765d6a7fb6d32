/** Turns through a gateway, with the real service; only the model is a mock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forgotten, nowhere, ports, question, testWorld, usersOf, withGateway } from "./common.js";
import { text } from "./model.js";
import { until } from "./world.js";

const it = testWorld(withGateway);

test("each turn of a session gets its own block, and no block is in the transcript", async () => {
  const first = await it.turn("several", question);
  assert.match(first.user, /<relevant-memories>[^]*port 7431[^]*<\/relevant-memories>[^]*On which port/);
  const second = await it.turn("several", "When does the coffee machine want descaling?");
  assert.match(second.user, /<relevant-memories>[^]*descaling in March[^]*<\/relevant-memories>[^]*When does/);
  const third = await it.turn("several", "And where does the staging server stand?");
  const older = usersOf(third.asked[0]).slice(0, -1).filter((one) => one.includes("On which port") || one.includes("When does"));
  assert.equal(older.length, 2, "the model gets the older messages");
  for (const one of older) assert.doesNotMatch(one, /relevant-memories|port 7431|descaling in March/);
  nowhere([...first.asked, ...second.asked, ...third.asked], forgotten);
  const history = await it.world.call("chat.history", { sessionKey: "agent:main:several" });
  assert.match(history.output, /On which port/);
  assert.doesNotMatch(history.output, /relevant-memories|port 7431/);
});

test("an edit of the Markdown counts from the next turn", async () => {
  it.world.write("memory/2026-11-20.md", ports(9202));
  await until(async () => (await it.world.json("search", "billing service port", "-w", it.world.workspace)).hits.some((hit) => hit.text.includes("9202")));
  const { asked, user } = await it.turn("edit", question);
  assert.match(user, /<relevant-memories>[^]*port 9202/);
  nowhere(asked, "7431");
});

test("a memory of MEMORY.md is in the prompt once", async () => {
  const { asked } = await it.turn("twice", "Where does the staging server stand, and what was its old password?");
  assert.equal(asked[0].raw.split("cellar of the Bremen office").length - 1, 1);
  nowhere(asked, forgotten);
});

test("a search by the model finds no forgotten memory", async () => {
  const { asked } = await it.turn("search", "SEARCH: staging password coffee machine");
  assert.equal(asked.length, 2, "once with the question, once with the result");
  const given = JSON.parse(text(asked[1].messages.find((m) => m.role === "tool")));
  const found = given.results.find((result) => result.snippet.includes("descaling"));
  assert.deepEqual([found?.path, found?.startLine, found?.endLine, found?.citation], ["memory/2026-11-20.md", 7, 7, "memory/2026-11-20.md#L7"]);
  nowhere(asked, forgotten);
});

test("two agents never see each other's memories", async () => {
  await it.turn("apart", "Remember that the spare tyre of the van lies in the barn.", "other");
  const other = await it.turn("apart", question, "other");
  assert.doesNotMatch(other.user, /billing service listens/);
  nowhere(other.asked, "cellar of the Bremen office");
  assert.match((await it.turn("apart-again", "Where is the spare tyre of the van?", "other")).user, /<relevant-memories>[^]*lies in the barn/);
  const main = await it.turn("apart", "Where is the spare tyre of the van?");
  nowhere(main.asked, "lies in the barn");
  const searched = await it.world.tool("memory_search", { query: "spare tyre of the van" });
  assert.doesNotMatch(JSON.stringify(searched), /barn/);
  assert.match(JSON.stringify(await it.world.tool("memory_search", { query: "spare tyre of the van" }, "tools", "other")), /barn/);
});

test("what the user asks to remember is in Markdown before the next turn, and the agent is told", async () => {
  await it.turn("remember", "Remember that the deploy window opens at 06:40.");
  const { user } = await it.turn("remember", "Thanks. When does the deploy window open?");
  assert.match(it.world.captured(), /the deploy window opens at 06:40\. <!--/);
  assert.match(user, /<memory-kept>[^]*\[fact [0-9a-f]{8}\] the deploy window opens at 06:40/);
  assert.match(user, /<relevant-memories>[^]*deploy window opens at 06:40/, "it is recalled too");
  const third = await it.turn("remember", "Thanks again, that is all.");
  assert.doesNotMatch(third.user, /memory-kept/, "the agent is told once");
});

test("forget, restore, pin and context act on the next turn", async () => {
  const { details: found } = await it.world.tool("memory_recall", { query: question });
  const memoryId = found.memories[0].id.slice(0, 8);
  const { content } = await it.world.tool("memory_forget", { memoryId });
  assert.match(content[0].text, /^Forgotten: \[\w+ [0-9a-f]{8}\] The billing service/);
  nowhere((await it.turn("live", question)).asked, "port 9202");
  assert.deepEqual((await it.world.tool("memory_restore", { memoryId })).details.changed.length, 1);
  assert.match((await it.turn("live", question)).user, /port 9202/);
  assert.match((await it.world.tool("memory_pin", { memoryId })).content[0].text, /^Pinned/);
  assert.equal((await it.world.json("show", memoryId, "-w", it.world.workspace)).pinned, true);
  await it.world.tool("memory_set_context", { text: "Moving to the Hamburg office this week" });
  assert.match((await it.turn("live", question)).user, /<current-context>[^]*Hamburg office/);
  await it.world.tool("memory_clear_context", {});
  nowhere((await it.turn("context", question)).asked, "Hamburg office");
  const read = await it.world.tool("memory_get", { memoryId });
  assert.match(read.content[0].text, /listens on port 9202/);
});

test("what the agent stores in the user's own words is trusted, and nothing else", async () => {
  await it.turn("store", "STORE: The guest bathroom key hangs beside the front door");
  await it.world.tool("memory_store", { text: "The guest house key hangs behind the garden shed" });
  assert.match(it.world.captured(), /guest bathroom key[^\n]*/);
  assert.doesNotMatch(/guest bathroom key[^\n]*/.exec(it.world.captured())[0], /untrusted/);
  assert.match(/guest house key[^\n]*/.exec(it.world.captured())[0], /trust: untrusted/);
});

test("a password is not captured", async () => {
  await it.turn("secret", "Remember that the wifi password is Blaubeere#7719.");
  await it.turn("secret", "Remember that the spare router is in the attic.");
  await until(() => it.world.captured().includes("spare router"));
  assert.doesNotMatch(it.world.captured(), /Blaubeere/);
});

test("the gateway starts a service that is not there, and starts it again", async () => {
  await it.world.stopGateway();
  await it.world.stop("SIGTERM");
  await it.world.configure(it.mock.url, { config: { startService: true } });
  await it.world.startGateway();
  const recalls = async () => (await it.turn("own", question)).user.includes("port 9202");
  await until(recalls);
  const { daemon } = await it.world.json("status");
  process.kill(daemon.pid, "SIGKILL");
  await until(recalls);
  await it.world.stopGateway();
  assert.equal((await it.world.json("status")).daemon, null, "the gateway ended the service that it started");
});
