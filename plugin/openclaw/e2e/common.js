/** What the tests in the host share: the content of the workspace, and what a turn sent to the model. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { model, text } from "./model.js";
import { World } from "./world.js";

/** A text in MEMORY.md that its front matter forgets. */
export const forgotten = "purple-walrus-77";
export const memoryFile = `---
scope: global
memories:
  - {id: "9c01aa7e44f1", quote: "The old staging password was", forgotten: 2026-11-20}
---
# Staging

- The old staging password was ${forgotten}
- The staging server stands in the cellar of the Bremen office
`;
export const ports = (port) => `# Ports\n\n- The billing service listens on port ${port}\n\n# Kitchen\n\n- The coffee machine wants descaling in March\n`;
export const question = "On which port does the billing service listen?";

/**
 * Makes a world for the tests of a file, and removes it after them. HOST is
 * openclaw.mjs, MEMORY the service's binary, PLUGIN the plugin's folder. prepare gets
 * the world and the mock model.
 */
export function testWorld(prepare) {
  const it = {
    /** Runs a turn through the gateway; returns what observe does. */
    turn: (session, message, agent) => observe(it, message, () => it.world.chat(session, message, agent)),
    /** Runs a turn in a process of its own. */
    localTurn: (session, message) => observe(it, message, () => it.world.turn(session, message)),
  };
  before(async () => {
    it.mock = await model();
    it.world = new World(process.env["HOST"], process.env["MEMORY"], process.env["PLUGIN"]);
    it.world.write("MEMORY.md", memoryFile);
    it.world.write("USER.md", "# User\n\n- Drinks tea, never coffee\n");
    it.world.write("memory/2026-11-20.md", ports(7431));
    await prepare(it);
  });
  after(async () => {
    it.mock.close();
    await it.world.remove();
  });
  return it;
}

/** Starts the service and a gateway, and runs a turn, because the first one takes longer. */
export async function withGateway(it, how = {}) {
  await it.world.configure(it.mock.url, how);
  await it.world.serve();
  await it.world.startGateway();
  await it.turn("warm-up", "hello");
}

/** Runs a turn; returns the model's requests, and what the host printed and logged. */
export async function observe({ world, mock }, message, run) {
  const from = mock.asked.length;
  const logged = world.log().length;
  const start = Date.now();
  const ran = await run();
  const ms = Date.now() - start;
  const said = ran.output + world.log().slice(logged);
  assert.ok(ran.ok && ran.output.includes("The mock model has answered."), `the turn failed:\n${said}`);
  const asked = mock.asked.slice(from).filter((one) => usersOf(one).some((said) => said.includes(message)));
  assert.ok(asked.length > 0, `no request to the model contains ${message}`);
  return { asked, said, ms, user: usersOf(asked[0]).findLast((one) => one.includes(message)), system: systemOf(asked[0]) };
}

/** Returns the texts of the user's messages in a request to the model. */
export function usersOf({ messages }) {
  return messages.filter((message) => message.role === "user").map(text);
}

export function systemOf({ messages }) {
  return messages.filter((message) => ["system", "developer"].includes(message.role)).map(text).join("\n");
}

export function nowhere(asked, what) {
  for (const question of asked) assert.ok(!question.raw.includes(what), `${what} is in a model request`);
}
