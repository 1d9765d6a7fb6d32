/** Turns of the real host in a process each, with the real service; only the model is a mock. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { forgotten, nowhere, question, testWorld } from "./common.js";
import { text } from "./model.js";

const it = testWorld(async ({ world, mock }) => {
  await world.configure(mock.url);
  await world.serve();
});

test("the host loads the plugin and all of its hooks and tools", async () => {
  const { output } = await it.world.openclaw("plugins", "inspect", "memory-tiered", "--runtime", "--json");
  const { contracts } = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
  for (const name of [...contracts.tools, "agent_end", "before_compaction", "before_reset", "session_end", "before_model_resolve", "before_prompt_build", "agent:bootstrap"]) assert.ok(output.includes(`"${name}"`), `${name}:\n${output}`);
  assert.doesNotMatch(output, /blocked because|must declare/);
});

test("a recalled memory precedes the user's message, and forgotten text is in no request", async () => {
  const { asked, user, system, said } = await it.localTurn("recall", question);
  assert.match(user, /<relevant-memories>[^]*port 7431[^]*<\/relevant-memories>[^]*On which port/);
  assert.match(user, /- \[\w+ [0-9a-f]{4,}\] The billing service/, "the line has the id");
  assert.doesNotMatch(user, /descaling/);
  assert.match(system, /stands in the cellar of the Bremen office/, "the rest of MEMORY.md is in the prompt");
  assert.match(system, /Drinks tea/);
  assert.match(system, /## Memory\n[^]*memory_search/);
  assert.ok(asked[0].tools.includes("memory_search"), "the model sees the tool");
  nowhere(asked, forgotten);
  nowhere(asked, "9c01aa7e44f1");
  assert.doesNotMatch(said, /going on without memory|RECALL IS OFF/);
});

test("with the host's own memory plugin loaded, reading a file returns no forgotten memory", async () => {
  await it.world.configure(it.mock.url, { dreaming: true });
  try {
    const { asked } = await it.localTurn("read", "READ: MEMORY.md");
    assert.equal(asked.length, 2, "once with the question, once with the result");
    const given = text(asked[1].messages.find((m) => m.role === "tool"));
    assert.match(given, /L9: The staging server stands in the cellar/);
    nowhere(asked, forgotten);
  } finally {
    await it.world.configure(it.mock.url);
  }
});

test("without its permission the plugin reports it, and search still works", async () => {
  await it.world.configure(it.mock.url, { permitted: false });
  try {
    const { asked, said, user, system } = await it.localTurn("permission", "SEARCH: billing service port");
    assert.match(said, /AUTOMATIC RECALL IS OFF[^\n]*openclaw config set plugins\.entries\.memory-tiered\.hooks\.allowConversationAccess true/);
    assert.doesNotMatch(user, /<relevant-memories>/);
    assert.match(system, /Tell the user once/);
    assert.match(system, /cellar of the Bremen office/);
    assert.match(text(asked.at(-1).messages.find((m) => m.role === "tool")), /billing service listens on port/);
    nowhere(asked, forgotten);
  } finally {
    await it.world.configure(it.mock.url);
  }
});

test("a process that starts during an outage shows what was shown before", async () => {
  await it.world.stop("SIGKILL");
  const { asked, user, system } = await it.localTurn("outage", question);
  assert.match(user, /<memory-note>The memory service does not answer/);
  assert.match(system, /cellar of the Bremen office/);
  assert.match(system, /Drinks tea/);
  nowhere(asked, forgotten);
});
