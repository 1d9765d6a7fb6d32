import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaults, readSettings } from "../src/config.js";
import plugin from "../src/index.js";
import { sharedState } from "../src/state.js";
import { daemon, log, notes, patient, wire } from "./daemon.js";

const json = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const manifest = json("openclaw.plugin.json");
const pack = json("package.json");

const permitted = { plugins: { entries: { "memory-tiered": { hooks: { allowConversationAccess: true } } } } };

function register(config, pluginConfig = undefined, registrationMode = "full", loaded = plugin) {
  const lines = log();
  const seen = { handlers: {}, tools: [], services: [], commands: [], section: undefined, lines: lines.lines };
  loaded.register({
    id: plugin.id,
    registrationMode,
    config,
    ...(pluginConfig ? { pluginConfig } : {}),
    logger: lines,
    on: (hook, handler) => void (seen.handlers[hook] = handler),
    registerHook: (events, handler) => events.forEach((event) => (seen.handlers[event] = handler)),
    registerTool: (create, options) => {
      seen.tools.push(...options.names);
      const tool = create({});
      assert.deepEqual([tool.name], options.names);
      assert.ok(tool.label && tool.description.length > 20 && tool.parameters.type === "object", tool.name);
    },
    registerService: (service) => void seen.services.push(service),
    registerCli: (_register, { descriptors }) => seen.commands.push(...descriptors.map((one) => one.name)),
    registerMemoryCapability: (capability) => {
      assert.deepEqual(Object.keys(capability), ["promptBuilder", "flushPlanResolver", "runtime"]);
      seen.section = capability.promptBuilder;
    },
  });
  return seen;
}

test("instances of one turn share their state, even after the code is loaded twice", async (t) => {
  const server = await daemon(t, wire({ "/v1/workspaces": "workspaces", "/v1/files": "files", "/v1/recall": "recall" }));
  const anew = async (module) => await import(`../src/${module}.js?load=2`);
  const again = (await anew("index")).default;
  assert.equal((await anew("state")).sharedState(server.socket), sharedState(server.socket));
  const one = register(permitted, { stateDir: server.stateDir, recallTimeoutMs: patient });
  const two = register(permitted, { stateDir: server.stateDir, recallTimeoutMs: patient }, "discovery", again);
  const bootstrapFiles = [{ name: "MEMORY.md", path: `${notes}/MEMORY.md`, content: "x", missing: false }];
  await two.handlers["agent:bootstrap"]({ context: { workspaceDir: notes, sessionKey: "s-1", bootstrapFiles } });
  await one.handlers["before_prompt_build"]({ prompt: "How should I indent?" }, { workspaceDir: notes, sessionKey: "s-1" });
  assert.deepEqual(server.asked.at(-1).body.in_prompt, ["MEMORY.md"]);
  await server.stop();
  const turn = { workspaceDir: notes, sessionKey: "s-1" };
  await one.handlers["before_model_resolve"]({ prompt: "How should I indent?" }, turn);
  await two.handlers["agent:bootstrap"]({ context: { ...turn, bootstrapFiles } });
  assert.match((await one.handlers["before_prompt_build"]({ prompt: "How should I indent?" }, turn)).prependContext, /memory-note/);
  assert.deepEqual([one.lines.length, two.lines.map(([level]) => level)], [0, ["warn"]], "one warning in total");
});

test("registers the tools of the manifest", () => {
  const seen = register(permitted);
  assert.deepEqual(seen.tools, manifest.contracts.tools);
  for (const name of Object.keys(manifest.toolMetadata)) assert.ok(seen.tools.includes(name), name);
  assert.deepEqual(Object.keys(seen.handlers).sort(), ["agent:bootstrap", "agent_end", "before_compaction", "before_model_resolve", "before_prompt_build", "before_reset", "session_end"]);
  assert.deepEqual([manifest.id, manifest.kind, manifest.activation], [plugin.id, "memory", { onStartup: true }]);
  assert.deepEqual([seen.lines, seen.commands], [[], ["memory"]]);
  const listed = register(permitted, undefined, "cli-metadata");
  assert.deepEqual([listed.commands, listed.tools, listed.services], [["memory"], [], []], "where the host only lists commands");
});

test("manifest and package agree", () => {
  assert.equal(manifest.version, pack.version);
  assert.deepEqual(pack.openclaw.extensions, ["./src/index.js"]);
  assert.equal(pack.devDependencies.openclaw, pack.openclaw.build.openclawVersion);
  assert.equal(pack.openclaw.compat.pluginApi, `>=${pack.openclaw.build.openclawVersion}`);
  assert.equal(pack.dependencies, undefined, "there are no runtime dependencies");
});

test("a missing permission is reported to the operator and to the model", () => {
  const cases = [
    ["no entry", {}, "allowConversationAccess true"],
    ["no hooks", { plugins: { entries: { "memory-tiered": {} } } }, "allowConversationAccess true"],
    ["refused", { plugins: { entries: { "memory-tiered": { hooks: { allowConversationAccess: false } } } } }, "allowConversationAccess true"],
    ["no injection", { plugins: { entries: { "memory-tiered": { hooks: { allowConversationAccess: true, allowPromptInjection: false } } } } }, "allowPromptInjection true"],
  ];
  for (const [name, config, fix] of cases) {
    const seen = register(config);
    assert.deepEqual(seen.lines.map(([level]) => level), ["error"], name);
    assert.ok(seen.lines[0][1].includes("RECALL IS OFF"), name);
    assert.ok(seen.lines[0][1].endsWith(`openclaw config set plugins.entries.memory-tiered.hooks.${fix}`), name);
    assert.match(seen.section({ availableTools: new Set() }).join("\n"), /Tell the user/, name);
    assert.deepEqual(register(config, undefined, "discovery").lines, [], `${name}: logged only in a full run`);
    assert.deepEqual(register(config, { autoRecall: false, autoCapture: false }).lines, [], `${name}: not where both are off`);
  }
});

test("the prompt names only the available tools", () => {
  const { section } = register(permitted);
  const both = section({ availableTools: new Set(["memory_search", "read"]) }).join("\n");
  assert.match(both, /relevant-memories[\s\S]*\[preference 3f8a\][\s\S]*memory_search[\s\S]*Source: <path#line>/);
  assert.doesNotMatch(both, /memory_get/);
  assert.doesNotMatch(section({ availableTools: new Set(["memory_search"]), citationsMode: "off" }).join("\n"), /Source/);
  assert.doesNotMatch(section({ availableTools: new Set() }).join("\n"), /memory_search/);
  assert.deepEqual(register(permitted, { autoRecall: false }).section({ availableTools: new Set() }), []);
});

test("settings: the schema has the defaults of the code, and every hint has a property", () => {
  const { properties } = manifest.configSchema;
  for (const [key, value] of Object.entries(defaults)) assert.equal(properties[key].default, value, key);
  const declared = Object.keys(properties).filter((key) => "default" in properties[key]);
  assert.deepEqual(declared.sort(), Object.keys(defaults).sort());
  for (const hint of Object.keys(manifest.uiHints)) {
    const [head, tail] = hint.split(".");
    assert.ok(properties[head], hint);
    if (tail && properties[head].additionalProperties === false) assert.ok(properties[head].properties[tail], hint);
  }
  assert.equal(properties.dreaming.additionalProperties, true, "the host reads its own settings there");
});

test("settings: environment and configuration select the socket", () => {
  const cases = [
    ["no settings", undefined, {}, "/home/sam/.openclaw/memory/tiered.sock"],
    ["the host's folder", {}, { OPENCLAW_STATE_DIR: "/var/openclaw" }, "/var/openclaw/memory/tiered.sock"],
    ["MEMORY_STATE_DIR wins", {}, { OPENCLAW_STATE_DIR: "/var/openclaw", MEMORY_STATE_DIR: "/var/memory" }, "/var/memory/tiered.sock"],
    ["configured", { stateDir: "/srv/m" }, { MEMORY_STATE_DIR: "/var/memory" }, "/srv/m/tiered.sock"],
    ["configured below home", { stateDir: "~/m" }, {}, "/home/sam/m/tiered.sock"],
  ];
  for (const [name, raw, env, socket] of cases) assert.equal(readSettings(raw, env, "/home/sam").socket, socket, name);
  assert.deepEqual(readSettings(undefined, {}, "/h"), { socket: "/h/.openclaw/memory/tiered.sock", remote: undefined, ...defaults, maxItems: undefined, maxTokens: undefined, allowDestroy: false });
  const all = { autoRecall: false, autoCapture: false, recallTimeoutMs: 100, searchTimeoutMs: 200, whenUnavailable: "pass", injection: { maxItems: 3, maxTokens: 90 }, startService: false, binary: "/opt/memory", tools: { allowDestroy: true }, remote: { url: "https://m.example:7443", workspace: "work" } };
  assert.deepEqual(readSettings(all, { MEMORY_REMOTE_TOKEN: "mt_1" }, "/h"), { socket: "/h/.openclaw/memory/tiered.sock", remote: { url: "https://m.example:7443", token: "mt_1", workspace: "work" }, autoRecall: false, autoCapture: false, recallTimeoutMs: 100, searchTimeoutMs: 200, whenUnavailable: "pass", maxItems: 3, maxTokens: 90, startService: false, binary: "/opt/memory", allowDestroy: true });
});
