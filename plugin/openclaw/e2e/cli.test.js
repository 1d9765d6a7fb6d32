/** The host's command line with this memory: `openclaw memory …` and `openclaw status`. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { testWorld } from "./common.js";

const it = testWorld(async ({ world, mock }) => {
  writeFileSync(join(world.otherWorkspace, "MEMORY.md"), "# Other\n\n- The other agent waters the plants on Mondays\n");
  await world.configure(mock.url);
  await world.serve();
});

test("openclaw memory hands over to the program, for the folder of the agent", async () => {
  const words = ["search", "--agent", "other", "who waters the plants?"];
  const handed = await it.world.openclaw("memory", ...words);
  const direct = await it.world.memory(...words, "-w", it.world.otherWorkspace);
  assert.match(handed.stdout, /plants on Mondays/);
  assert.deepEqual([handed.code, handed.stdout], [0, direct.stdout], "the host adds nothing to a pipe");
});

test("errors and exit codes are the program's", async () => {
  const direct = await it.world.memory("show", "ffff", "-w", it.world.workspace);
  const handed = await it.world.openclaw("memory", "show", "ffff");
  assert.deepEqual([handed.code, handed.stdout, direct.code], [3, "", 3]);
  assert.ok(handed.output.includes(direct.output), handed.output);
});

test("the host speaks of this memory and of no other plugin, also while dreaming is on", async () => {
  await it.world.configure(it.mock.url, { dreaming: true });
  const { code, stdout, output } = await it.world.openclaw("memory", "status");
  assert.equal(code, 0, output);
  assert.match(stdout, /^service +running[^]*\d+ memories in 3 files, up to date/);
  assert.doesNotMatch(output, /Indexed|provider cost|Dreaming/);
  const { memory, memoryPlugin } = JSON.parse((await it.world.openclaw("status", "--json", "--all")).stdout);
  assert.deepEqual([memoryPlugin.slot, memory.files, memory.dirty, memory.fts], ["memory-tiered", 3, false, { enabled: true, available: true }]);
});

test("a program that is not there is named, with how to get it", async () => {
  await it.world.configure(it.mock.url, { config: { binary: "/nonexistent/memory" } });
  const { code, output } = await it.world.openclaw("memory", "list");
  assert.deepEqual([code, /the program \/nonexistent\/memory is not found\nhint: install it: /.test(output)], [5, true], output);
});
