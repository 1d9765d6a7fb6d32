/**
 * Real turns of the real host with the real service; only the model is a mock.
 * HOST is openclaw.mjs, MEMORY the service's binary, PLUGIN the built plugin.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { model, text } from "./model.js";
import { World } from "./world.js";

/** A text in MEMORY.md that its front matter forgets. */
const forgotten = "purple-walrus-77";
const memoryFile = `---
scope: global
memories:
  - {id: "9c01aa7e44f1", quote: "The old staging password was", forgotten: 2026-11-20}
---
# Staging

- The old staging password was ${forgotten}
- The staging server stands in the cellar of the Bremen office
`;
const notRemembered = "- The coffee machine wants descaling in March\n";
const ports = (port) => `# Ports\n\n- The billing service listens on port ${port}\n\n# Kitchen\n\n${notRemembered}`;

let world;
let mock;

before(async () => {
  mock = await model();
  world = new World(process.env["HOST"], process.env["MEMORY"], process.env["PLUGIN"]);
  world.write("MEMORY.md", memoryFile);
  world.write("USER.md", "# User\n\n- Drinks tea, never coffee\n");
  world.write("memory/2026-11-20.md", ports(7431));
  world.configure(mock.url);
  await world.serve();
});

after(async () => {
  mock.close();
  await world.remove();
});

/** Runs a turn in its own session; returns the model's requests and the host's output. */
async function turn(session, message) {
  const from = mock.asked.length;
  const logged = world.log().length;
  const ran = await world.turn(session, message);
  const said = ran.output + world.log().slice(logged);
  assert.ok(ran.ok && ran.output.includes("The mock model has answered."), `the turn failed:\n${said}`);
  const asked = mock.asked.slice(from);
  assert.ok(asked.length > 0, "the model was asked");
  const of = (role) => asked[0].messages.filter((m) => m.role === role).map(text).join("\n");
  return { asked, said, user: of("user"), system: `${of("system")}${of("developer")}` };
}

function nowhere(asked, what) {
  for (const question of asked) assert.ok(!question.raw.includes(what), `${what} is in a model request`);
}

test("the host loads the plugin and all of its hooks and tools", async () => {
  const { output } = await world.openclaw("plugins", "inspect", "memory-tiered", "--runtime", "--json");
  for (const name of ["before_prompt_build", "agent:bootstrap", "memory_search", "memory_get"]) assert.ok(output.includes(`"${name}"`), `${name}:\n${output}`);
  assert.doesNotMatch(output, /blocked because|must declare/);
});

test("a recalled memory precedes the user's message, and forgotten text is in no request", async () => {
  const { asked, user, system, said } = await turn("recall", "On which port does the billing service listen?");
  assert.match(user, /<relevant-memories>[^]*port 7431[^]*<\/relevant-memories>[^]*On which port/);
  assert.doesNotMatch(user, /descaling/);
  assert.match(system, /stands in the cellar of the Bremen office/, "the rest of MEMORY.md is in the prompt");
  assert.match(system, /Drinks tea/);
  assert.match(system, /## Memory\n[^]*memory_search/);
  assert.ok(asked[0].tools.includes("memory_search"), "the model sees the tool");
  nowhere(asked, forgotten);
  nowhere(asked, "9c01aa7e44f1");
  assert.doesNotMatch(said, /going on without memory|RECALL IS OFF/);
});

test("a memory of MEMORY.md is in the prompt once", async () => {
  const { asked } = await turn("twice", "Where does the staging server stand, and what was its old password?");
  assert.equal(asked[0].raw.split("cellar of the Bremen office").length - 1, 1);
  nowhere(asked, forgotten);
});

test("an edit of the Markdown counts from the next turn", async () => {
  world.write("memory/2026-11-20.md", ports(9202));
  const { asked, user } = await turn("edit", "On which port does the billing service listen?");
  assert.match(user, /<relevant-memories>[^]*port 9202/);
  nowhere(asked, "7431");
});

test("a search by the model finds no forgotten memory", async () => {
  const { asked } = await turn("search", "SEARCH: staging password coffee machine");
  assert.equal(asked.length, 2, "once with the question, once with the result");
  const given = JSON.parse(text(asked[1].messages.find((m) => m.role === "tool")));
  const found = given.results.find((result) => result.snippet.includes("descaling"));
  assert.deepEqual([found?.path, found?.startLine, found?.endLine, found?.citation], ["memory/2026-11-20.md", 7, 7, "memory/2026-11-20.md#L7"]);
  nowhere(asked, forgotten);
});

test("with the host's own memory plugin loaded, reading a file returns no forgotten memory", async () => {
  world.configure(mock.url, { dreaming: true });
  try {
    const { asked } = await turn("read", "READ: MEMORY.md");
    assert.equal(asked.length, 2, "once with the question, once with the result");
    const given = text(asked[1].messages.find((m) => m.role === "tool"));
    assert.match(given, /L9: The staging server stands in the cellar/);
    nowhere(asked, forgotten);
  } finally {
    world.configure(mock.url);
  }
});

test("without its permission the plugin reports it, and search still works", async () => {
  world.configure(mock.url, { permitted: false });
  try {
    const { asked, said, user, system } = await turn("permission", "SEARCH: billing service port");
    assert.match(said, /AUTOMATIC RECALL IS OFF[^\n]*openclaw config set plugins\.entries\.memory-tiered\.hooks\.allowConversationAccess true/);
    assert.doesNotMatch(user, /<relevant-memories>/);
    assert.match(system, /Tell the user once/);
    assert.match(text(asked.at(-1).messages.find((m) => m.role === "tool")), /billing service listens on port/);
    nowhere(asked, forgotten);
  } finally {
    world.configure(mock.url);
  }
});

test("while the service hangs the turn continues without forgotten memories", async () => {
  world.signal("SIGSTOP");
  try {
    const { asked, said, user, system } = await turn("hang", "On which port does the billing service listen?");
    assert.doesNotMatch(user, /<relevant-memories>/);
    assert.match(system, /MEMORY\.md is withheld/);
    assert.match(said, /going on without memory: [^\n]* did not answer in time/);
    nowhere(asked, forgotten);
  } finally {
    world.signal("SIGCONT");
  }
});

test("with the service killed the turn continues with one warning", async () => {
  await world.stop("SIGKILL");
  const before = world.log().length;
  const { asked, said, user, system } = await turn("down", "On which port does the billing service listen?");
  assert.doesNotMatch(user, /<relevant-memories>/);
  assert.match(system, /MEMORY\.md is withheld/);
  assert.match(said, /going on without memory: no service answers at /);
  const warnings = world.log().slice(before).split("\n").filter((line) => line.includes("going on without memory"));
  assert.equal(warnings.length, 1, warnings.join("\n"));
  nowhere(asked, forgotten);
});

test("after a restart memory is back, with the edits of the meantime", async () => {
  await world.stop("SIGKILL");
  world.write("memory/2026-11-20.md", ports(5005));
  await world.serve();
  const { asked, user, system } = await turn("back", "On which port does the billing service listen?");
  assert.match(user, /<relevant-memories>[^]*port 5005/);
  assert.match(system, /cellar of the Bremen office/);
  nowhere(asked, forgotten);
});
