import assert from "node:assert/strict";
import { ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { command, handOver, oldestProgram, registerCommand } from "../src/cli.js";
import { readSettings } from "../src/config.js";

/** Stands in for the program: prints its version, ends as told, or notes its words and its environment. */
const program = `#!/bin/sh
case "$1" in
  version) printf '{"version": "%s", "go": "go1.26"}' "\${FAKE_VERSION:-0.1.0-dev}" ;;
  exit) exit "$2" ;;
  die) kill -TERM $$ ;;
  wait) trap 'echo interrupted; exit 7' INT; echo ready; while :; do sleep 0.02; done ;;
  *) printf '%s\\0' "$MEMORY_STATE_DIR" "$MEMORY_WORKSPACE" "$@" >"$MEMORY_STATE_DIR/noted" ;;
esac
`;

function world(t, config = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), "mt cli-"));
  t.after(() => rmSync(stateDir, { recursive: true, force: true }));
  const binary = join(stateDir, "memory");
  writeFileSync(binary, program);
  chmodSync(binary, 0o700);
  const how = {
    settings: readSettings({ stateDir, binary, ...config }),
    config: { agents: { list: [{ id: "main" }, { id: "Coder" }] } },
    workspaceDir: "/home/sam/main",
    folderOf: (_config, agent) => `/home/sam/of ${agent}`,
  };
  const run = (...words) => handOver(words, how);
  const noted = () => readFileSync(join(stateDir, "noted"), "utf8").split("\0").slice(0, -1);
  return { stateDir, binary, how, run, noted };
}

/** Returns what run prints, and its exit code. */
async function printed(t, run) {
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) t.mock.method(process[name], "write", (text) => ((out[name] += text), true));
  const code = await run().finally(() => t.mock.restoreAll());
  return { ...out, code };
}

test("words reach the program unchanged, for the folder of the default agent", async (t) => {
  const w = world(t);
  const words = ["store", "", "a b", 'say "no" to %PATH%', "it's C:\\temp\\", "$HOME `id` *", "zwei\nZeilen", "--", "--agent", "coder"];
  assert.equal(await w.run(...words), 0);
  assert.deepEqual(w.noted(), [w.stateDir, "/home/sam/main", ...words]);
});

test("exit codes and ends by a signal are passed on", async (t) => {
  const w = world(t);
  for (const code of [0, 1, 2, 3, 4, 5, 42]) assert.equal(await w.run("exit", String(code)), code);
  assert.equal(await w.run("die"), 128 + 15);
});

test("an agent selects its folder, and goes on to the commands that know it", async (t) => {
  const w = world(t);
  const cases = [
    [["status", "--agent", "coder"], ["status"]],
    [["--agent=coder", "status"], ["status"]],
    [["search", "--agent", "coder", "port"], ["search", "port", "--agent", "coder"]],
    [["-w", "list", "show", "3f8a", "--agent", "coder"], ["-w", "list", "show", "3f8a"]],
    [["--json", "--config", "x", "recall", "port", "--agent=coder"], ["--json", "--config", "x", "recall", "port", "--agent", "coder"]],
    [["search", "--agent=coder", "--", "-x"], ["search", "--", "-x"]],
  ];
  for (const [words, want] of cases) {
    assert.equal(await w.run(...words), 0);
    assert.deepEqual(w.noted(), [w.stateDir, "/home/sam/of coder", ...want], words.join(" "));
  }
  assert.equal(await w.run("status", "--agent"), 0);
  assert.deepEqual(w.noted().slice(2), ["status", "--agent"], "the program reports the missing value");
});

test("an unknown agent is an error in the program's form", async (t) => {
  const w = world(t);
  const text = await printed(t, () => w.run("status", "--agent", "nobody"));
  assert.deepEqual([text.code, text.stdout], [3, ""]);
  assert.equal(text.stderr, 'memory: OpenClaw has no agent "nobody"\nhint: openclaw agents list shows the agents\n');
  const json = await printed(t, () => w.run("status", "--agent", "nobody", "--json"));
  assert.deepEqual([json.code, json.stderr, JSON.parse(json.stdout).error.code], [3, "", "not_found"]);
  w.how.config = {};
  assert.equal(await w.run("status", "--agent", "main"), 0, "a configuration without agents has main");
});

test("a workspace of the environment is kept, except for a named agent", async (t) => {
  process.env["MEMORY_WORKSPACE"] = "mine";
  t.after(() => delete process.env["MEMORY_WORKSPACE"]);
  const w = world(t);
  await w.run("status");
  assert.equal(w.noted()[1], "mine");
  await w.run("status", "--agent", "main");
  assert.equal(w.noted()[1], "/home/sam/of main");
});

test("a program that is missing, another one, or too old is reported", async (t) => {
  const missing = world(t, { binary: "/nonexistent/memory" });
  const none = await printed(t, () => missing.run("list"));
  assert.equal(none.code, 5);
  assert.match(none.stderr, /^memory: the program \/nonexistent\/memory is not found\nhint: install it: .*make build.*config\.binary PATH\n$/);

  const w = world(t);
  writeFileSync(w.binary, "#!/bin/sh\necho 'a game'\n");
  const other = await printed(t, () => w.run("forget", "3f8a"));
  assert.deepEqual([other.code, /does not answer as the memory program/.test(other.stderr)], [5, true]);
  chmodSync(w.binary, 0o600);
  assert.match((await printed(t, () => w.run("list"))).stderr, /memory program \(EACCES\)/);

  const old = world(t);
  for (const [version, isOld] of [["0.0.9", true], [oldestProgram, false], ["0.1.0-dev", false], ["v1.10.2", false]]) {
    process.env["FAKE_VERSION"] = version;
    t.after(() => delete process.env["FAKE_VERSION"]);
    const { code, stderr } = await printed(t, () => old.run("list"));
    assert.deepEqual([code, /older than this plugin/.test(stderr)], [0, isOld], version);
  }
});

test("an interruption goes to the program, which ends in its own way; piped output is its own", async (t) => {
  const w = world(t);
  const cli = new URL("../src/cli.js", import.meta.url).href;
  const code = `const { handOver } = await import(${JSON.stringify(cli)}); process.exitCode = await handOver(["wait"], ${JSON.stringify(w.how)});`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(host, "exit");
  let output = "";
  for await (const part of host.stdout) {
    output += part;
    if (output === "ready\n") host.kill("SIGINT");
  }
  assert.deepEqual([output, ...(await exit)], ["ready\ninterrupted\n", 7, null]);
});

test("an interruption that comes while the program starts goes to it too", async (t) => {
  const w = world(t);
  const original = ChildProcess.prototype.spawn;
  const listening = [];
  t.mock.method(ChildProcess.prototype, "spawn", function (options) {
    listening.push(process.listenerCount("SIGINT"));
    return original.call(this, options);
  });
  const before = process.listenerCount("SIGINT");
  assert.equal(await w.run("exit", "0"), 0);
  assert.deepEqual(listening, [before, before + 1], "of the check of the version, and of the command");
  assert.equal(process.listenerCount("SIGINT"), before);
});

test("the command is registered as the manifest declares it, and takes every word", async (t) => {
  const w = world(t);
  const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
  assert.deepEqual(manifest.cliCommands, [command]);
  const calls = {};
  const chain = new Proxy({}, { get: (_, name) => (...given) => ((calls[name] = given), chain) });
  let options;
  const registerCli = (register, how) => {
    options = how;
    register({ program: chain, config: {}, workspaceDir: "/home/sam/main" });
  };
  registerCommand({ registerCli, runtime: {} }, w.how.settings);
  assert.deepEqual([calls.command, calls.argument, calls.helpOption, calls.allowUnknownOption, calls.passThroughOptions], [["memory"], ["[words...]"], [false], [], []]);
  const [{ machineOutput, ...descriptor }] = options.descriptors;
  assert.deepEqual(descriptor, command);
  const outputs = [[["memory", "list"], true], [["memory", "list"], false], [["memory", "list", "--json"], true]];
  assert.deepEqual(outputs.map(([argv, stdoutIsTTY]) => machineOutput({ argv, stdoutIsTTY })), [false, true, true]);
  t.after(() => (process.exitCode = 0));
  await calls.action[0](["exit", "4"]);
  assert.equal(process.exitCode, 4);
});
