// Loads an installed plugin as OpenClaw would, and sends one turn's requests through
// the plugin's own hooks. Prints what came back as JSON.
// arguments: the plugin's folder, and a JSON object {config, workspaceDir, agentId, session, prompt}
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, given] = process.argv.slice(1);
const { config, workspaceDir, agentId, session, prompt } = JSON.parse(given);
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const plugin = (await import(pathToFileURL(join(folder, manifest.openclaw.extensions[0])).href)).default;

const hooks = new Map();
const warnings = [];
const note = (message) => void warnings.push(String(message));
const known = {
  id: plugin.id,
  pluginConfig: config,
  config: { plugins: { entries: { [plugin.id]: { enabled: true, hooks: { allowConversationAccess: true }, config } } } },
  registrationMode: "full",
  logger: { info() {}, debug() {}, warn: note, error: note },
  on: (name, handler) => void hooks.set(name, [...(hooks.get(name) ?? []), handler]),
  registerHook: (names, handler) => names.forEach((name) => known.on(name, handler)),
};
// The plugin may call more of the host than a canary needs.
const api = new Proxy(known, { get: (target, name) => (name in target ? target[name] : () => undefined) });
plugin.register(api);

const context = { agentId, workspaceDir, sessionKey: session, sessionId: session, trigger: "user" };
const event = { prompt, currentUserMessage: prompt, messages: [{ role: "user", content: prompt }] };
let added = "";
const began = performance.now();
for (const name of ["before_model_resolve", "before_prompt_build"]) {
  for (const handler of hooks.get(name) ?? []) added += (await handler(event, context))?.prependContext ?? "";
}
const tookMs = performance.now() - began;
// The plugin notes which lines of the agent's files may be shown. So an outage before
// the first turn hides none of them.
const bootstrapFiles = ["MEMORY.md", "USER.md"]
  .map((name) => ({ name, path: join(workspaceDir, name), missing: false }))
  .filter(({ path }) => existsSync(path))
  .map((file) => ({ ...file, content: readFileSync(file.path, "utf8") }));
for (const handler of hooks.get("agent:bootstrap") ?? []) await handler({ context: { agentId, workspaceDir, bootstrapFiles } });
console.log(JSON.stringify({ hooks: [...hooks.keys()], context: added, warnings, took_ms: tookMs }));
process.exit(0);
