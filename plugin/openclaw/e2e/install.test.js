/** The documented installation: memory setup openclaw, its status, and back. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { nowhere, question, testWorld } from "./common.js";
import { until } from "./world.js";

const fact = "The billing service listens on port 7431";

const it = testWorld(async ({ world, mock }) => {
  delete world.env["MEMORY_STATE_DIR"]; // as a person runs it
  await world.configure(mock.url, { bare: true });
});

/** Returns the places where the host itself stores a text, and how many were looked at. */
async function hostStores(what) {
  const { checked } = await it.world.json("verify", what, "-w", it.world.workspace);
  const stores = checked.filter((one) => one.file?.includes("/agents/") || one.file?.includes("/.dreams/") || one.file?.includes("openclaw.sqlite"));
  return { looked: stores.length, found: stores.filter((one) => one.found).map((one) => one.file) };
}

async function status() {
  const { ok, findings, ...rest } = await it.world.json("openclaw", "status");
  return { ok, ...rest, errors: findings.filter((one) => one.severity === "error").map((one) => one.message), findings };
}

/** Waits until turns recall: the gateway restarts by itself, and starts the service. */
async function restarted() {
  let failure = new Error("no memory is recalled");
  const recalls = () => it.turn("after", question).then(({ user }) => user.includes("port 7431"), (error) => void (failure = error));
  await until(recalls, () => failure.stack);
}

test("setup in a running gateway: the next turn recalls, with two agents", async () => {
  const before = readFileSync(it.world.configFile);
  await it.world.startGateway();
  const without = await it.turn("before", question);
  assert.doesNotMatch(without.user, /relevant-memories/);

  const preview = await it.world.json("setup", "openclaw", "--preview");
  assert.match(preview.diff, /\+ +"slots"/);
  assert.deepEqual(readFileSync(it.world.configFile), before, "a preview changes nothing");

  const setup = await it.world.json("setup", "openclaw", "--yes");
  assert.ok(setup.inspection.hooks.includes("before_prompt_build") && setup.inspection.tools.includes("memory_recall"));
  assert.deepEqual(setup.workspaces.map((one) => one.agent), ["main", "other"]);
  assert.match(setup.service.reason, /no service manager in a test|systemd/);
  assert.deepEqual(readFileSync(setup.backup), before);

  await restarted();
  const other = await it.turn("after", question, "other");
  assert.doesNotMatch(other.user, /billing service listens/);
  nowhere(other.asked, "Bremen office");
  const { ok, errors } = await status();
  assert.ok(ok, errors.join("\n"));
});

/** Writes a standing intent, as the tool intent of memory-core does for an owner on a channel. */
function addIntent(description, keyword) {
  const db = new DatabaseSync(join(it.world.home, ".openclaw", "agents", "main", "agent", "openclaw-agent.sqlite"));
  const columns = db.prepare("SELECT name FROM pragma_table_info('standing_intents')").all().map((one) => one.name);
  const now = Date.now();
  const row = { id: "e2e", description, trigger_keywords: JSON.stringify([keyword]), creator_sender: "42", status: "armed", expires_at: now + 1e9, max_fires: 3, fire_count: 0, cooldown_seconds: 0, created_at: now };
  assert.ok(Object.keys(row).every((name) => columns.includes(name)), `the table has ${columns}`);
  db.prepare(`INSERT INTO standing_intents (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => "?")})`).run(...Object.values(row));
  db.close();
}

test("after a default setup the host has its tool intent, and standing intents fire", async () => {
  const { stdout } = await it.world.openclaw("plugins", "inspect", "memory-core", "--runtime", "--json");
  const { plugin, tools } = JSON.parse(stdout.slice(stdout.indexOf("{")));
  assert.equal(plugin.status, "loaded");
  assert.ok(tools.some((tool) => tool.names.includes("intent")), JSON.stringify(tools));
  const listed = await it.world.tool("intent", { action: "list" });
  assert.match(JSON.stringify(listed), /intents/);
  addIntent("Confirm the rollback owner", "zeppelin");
  const { user } = await it.turn("intents", "What about the zeppelin?");
  assert.match(user, /Standing intent .*Confirm the rollback owner/);
});

test("after a default setup the host stores no memory", async () => {
  const { looked, found } = await hostStores(fact);
  assert.ok(looked > 0, "the host has stores");
  assert.deepEqual(found, []);
});

test("remove puts the configuration back byte for byte, and leaves nothing", async () => {
  await it.world.stopGateway();
  const backup = readFileSync(join(it.world.home, ".openclaw", "memory", "openclaw", "backup", "openclaw.json"));
  const removal = await it.world.json("openclaw", "remove", "--yes");
  assert.equal(removal.config, "restored", JSON.stringify(removal));
  assert.deepEqual(readFileSync(it.world.configFile), backup);
  assert.ok(!existsSync(join(it.world.home, ".openclaw", "memory", "openclaw")));
});

test("another state folder and configuration file, with what the host keeps, and turns without a gateway", async () => {
  const { world, mock } = it;
  world.env["OPENCLAW_STATE_DIR"] = join(world.root, "other state");
  world.env["OPENCLAW_CONFIG_PATH"] = join(world.root, "other configuration", "mine.json");
  mkdirSync(join(world.env["OPENCLAW_STATE_DIR"], "memory", "lancedb"), { recursive: true });
  await world.configure(mock.url, { bare: true });
  const before = readFileSync(world.configFile);
  const setup = await world.json("openclaw", "setup", "--yes", "--no-service", "--keep-dreaming", "--keep-trajectory");
  assert.equal(setup.installation.config, world.configFile);
  assert.match(setup.warnings.join("\n"), /memory migrate --from lancedb '.*other state\/memory\/lancedb'/);

  world.stateDir = join(world.env["OPENCLAW_STATE_DIR"], "memory");
  await world.serve();
  const fresh = await status();
  assert.deepEqual(fresh.errors, ["no hook of the plugin has fired yet; after a turn this line changes"]);
  const { user } = await it.localTurn("local", question);
  assert.match(user, /<relevant-memories>[^]*port 7431/);
  assert.equal((await status()).ok, true);
  assert.deepEqual((await status()).findings.filter((one) => one.severity === "warning").map((one) => one.check), ["dreaming", "trajectory"]);

  await world.memory("forget", "--query", fact, "--yes", "-w", world.workspace);
  const { found } = await hostStores(fact);
  assert.ok(found.length > 0, "the host keeps what it was given, and verify finds it");
  await world.stop("SIGTERM");
  assert.equal((await world.json("openclaw", "remove", "--yes")).config, "restored");
  assert.deepEqual(readFileSync(world.configFile), before);
});
