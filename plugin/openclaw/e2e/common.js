/** What the tests in the host share: the content of the workspace, and what a turn sent to the model. */
import assert from "node:assert/strict";
import { text } from "./model.js";

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

export function fill(world) {
  world.write("MEMORY.md", memoryFile);
  world.write("USER.md", "# User\n\n- Drinks tea, never coffee\n");
  world.write("memory/2026-11-20.md", ports(7431));
}

/** Runs a turn; returns the model's requests, and what the host printed and logged. */
export async function observe(world, mock, message, run) {
  const from = mock.asked.length;
  const logged = world.log().length;
  const start = Date.now();
  const ran = await run();
  const said = ran.output + world.log().slice(logged);
  assert.ok(ran.ok && ran.output.includes("The mock model has answered."), `the turn failed:\n${said}`);
  const asked = mock.asked.slice(from);
  assert.ok(asked.length > 0, "the model was asked");
  const of = (role) => asked[0].messages.filter((m) => m.role === role).map(text);
  return { asked, said, ms: Date.now() - start, user: latest(of("user"), message), system: [...of("system"), ...of("developer")].join("\n") };
}

/** Returns the message that contains this turn's text; the host may add messages behind it. */
function latest(texts, message) {
  const found = texts.findLast((one) => one.includes(message));
  assert.ok(found, `no user message contains ${message}:\n${texts.join("\n---\n")}`);
  return found;
}

export function nowhere(asked, what) {
  for (const question of asked) assert.ok(!question.raw.includes(what), `${what} is in a model request`);
}
