import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Client } from "../src/client.js";
import { readSettings } from "../src/config.js";
import { serviceStarter } from "../src/service.js";
import { daemon, log, send } from "./daemon.js";

/** A program that stands in for memory: it notes its arguments and answers on the socket until it is ended. */
const program = `#!${process.execPath}
const { createServer } = require("node:http");
const { appendFileSync, rmSync } = require("node:fs");
const { join } = require("node:path");
const dir = process.env.MEMORY_STATE_DIR;
appendFileSync(join(dir, "started"), process.pid + " " + process.argv.slice(2).join(" ") + "\\n");
const socket = join(dir, "tiered.sock");
rmSync(socket, { force: true });
createServer((_, response) => response.end('{"status": "ok"}')).listen(socket);
process.on("SIGTERM", () => { appendFileSync(join(dir, "started"), "ended\\n"); process.exit(0); });
`;

function world(t, config = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), "mt-"));
  t.after(() => rmSync(stateDir, { recursive: true, force: true }));
  const binary = join(stateDir, "memory");
  writeFileSync(binary, program);
  chmodSync(binary, 0o700);
  const settings = readSettings({ stateDir, binary, ...config });
  const lines = log();
  const started = () => (existsSync(join(stateDir, "started")) ? readFileSync(join(stateDir, "started"), "utf8").trim().split("\n") : []);
  return { stateDir, settings, lines: lines.lines, started, starter: serviceStarter(new Client(settings.socket), settings, lines) };
}

/** Waits for something that happens soon; five minutes end a test that would hang. */
async function until(what) {
  for (let tries = 0; tries < 6000; tries++) {
    if (what()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("it does not happen");
}

// The tests wait for the starter, which looks every two seconds, so they run side by side.
describe("the starter of the service", { concurrency: true }, () => {
  test("a service that is absent is started, started again, and ended with the gateway", async (t) => {
    const w = world(t);
    await w.starter.start();
    assert.deepEqual(w.started(), [], "the operating system may be starting it");
    await until(() => w.started().length === 1 && existsSync(w.settings.socket));
    assert.match(w.started()[0], new RegExp(` serve --log-file ${w.stateDir}/service.log$`));
    process.kill(Number(w.started()[0].split(" ")[0]), "SIGKILL");
    await until(() => w.started().length === 2);
    await until(() => existsSync(w.settings.socket));
    await w.starter.stop();
    assert.ok(w.started().length >= 2);
  });

  test("a service that answers is left alone", async (t) => {
    const server = await daemon(t, (_, response) => send(response, 200, { status: "ok" }));
    const w = world(t, { stateDir: server.stateDir });
    await w.starter.start();
    await until(() => server.asked.length > 2);
    await w.starter.stop();
    assert.deepEqual([server.asked[0].path, existsSync(join(server.stateDir, "started"))], ["/v1/health", false]);
  });

  test("a program that is not there is reported", async (t) => {
    const w = world(t, { binary: "/nonexistent/memory" });
    await w.starter.start();
    await until(() => w.lines.some(([level]) => level === "warn"));
    assert.match(w.lines.at(-1)[1], /cannot be started: .*\/nonexistent\/memory.*config\.binary/);
    await w.starter.stop();
  });
});
