// The six clients: where npm has them, and how each is started without a login.
import { execFileSync, spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { randomUUID } from "node:crypto"

const machine = `${os.platform()}-${os.arch()}`
const json = (value) => JSON.stringify(value, null, 2) + "\n"

// Per client: the package of npm, its program, the files that setup edits, the least
// settings with which it talks to the model, its variables and its arguments.
export const clients = {
  claude: {
    setup: "claude-code", package: `@anthropic-ai/claude-code-${machine}`, version: "2.1.330", program: "claude",
    files: [".claude/settings.json", ".claude.json"],
    settings: () => ({ ".claude.json": json({ hasCompletedOnboarding: true, numStartups: 3 }), ".claude/settings.json": '{\n  "theme": "dark"\n}' }),
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" }),
    args: (prompt, s) => ["-p", prompt, ...(s.known ? ["--resume", s.id] : ["--session-id", s.id])],
    plugin: (repository) => [["plugin", "marketplace", "add", repository], ["plugin", "install", "memory@memory-tiered"]],
  },
  codex: {
    setup: "codex", package: "@openai/codex", version: `0.169.0-${machine}`, program: "vendor/*/bin/codex",
    files: [".codex/hooks.json", ".codex/config.toml"],
    settings: (url, folder) => ({ ".codex/config.toml": `# mine\nmodel = "gpt-5"\nmodel_provider = "local"\n\n[model_providers.local]\nname = "local"\nbase_url = "${url}/v1"\nwire_api = "responses"\n\n[projects."${folder}"]\ntrust_level = "trusted"` }),
    env: () => ({}), session: /"thread_id":"([^"]+)/,
    args: (prompt, s) => ["exec", ...(s.known ? ["resume", s.id] : []), "--json", "--skip-git-repo-check", ...(s.trusting ? ["--dangerously-bypass-hook-trust"] : []), "--dangerously-bypass-approvals-and-sandbox", prompt],
    plugin: (repository) => [["plugin", "marketplace", "add", repository], ["plugin", "add", "memory@memory-tiered"]],
  },
  copilot: {
    setup: "copilot", package: `@github/copilot-${machine}`, version: "1.0.102", program: "copilot",
    files: [".copilot/settings.json", ".copilot/mcp-config.json"],
    settings: (url, folder) => ({ ".copilot/config.json": json({ trustedFolders: [folder], trusted_folders: [folder] }) }),
    env: (url) => ({ COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: "local" }),
    args: (prompt, s) => ["-p", prompt, "--allow-all-tools", "--no-color", "--no-auto-update", ...(s.known ? [`--resume=${s.id}`] : ["--session-id", s.id])],
  },
  gemini: {
    setup: "gemini", package: "@google/gemini-cli", version: "0.61.0", program: "bundle/gemini.js", node: true,
    files: [".gemini/settings.json"],
    settings: () => ({ ".gemini/settings.json": '// mine\n{\n  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},\n  "telemetry": {"enabled": false},\n  "general": {"enableAutoUpdate": false}\n}\n' }),
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url }),
    args: (prompt, s) => ["-p", prompt, "-m", "gemini-2.5-pro", "--yolo", ...(s.known ? ["--resume", s.id] : ["--session-id", s.id])],
  },
  opencode: {
    setup: "opencode", package: `opencode-${machine}`, version: "1.18.33", program: "bin/opencode",
    files: [".config/opencode/plugins/memory.js", ".config/opencode/opencode.json"],
    settings: (url) => ({
      ".config/opencode/opencode.json": json({
        autoupdate: false, model: "local/local", small_model: "local/local",
        provider: { local: { npm: "@ai-sdk/openai-compatible", name: "local", options: { baseURL: `${url}/v1`, apiKey: "none" }, models: { local: { name: "local" } } } },
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }), session: /"sessionID":"([^"]+)/, input: true,
    args: (prompt, s) => ["run", "--format", "json", ...(s.known ? ["--session", s.id] : [])],
  },
  qwen: {
    setup: "qwen", package: "@qwen-code/qwen-code", version: "0.24.4", program: "cli-entry.js", node: true,
    files: [".qwen/settings.json"],
    settings: () => ({ ".qwen/settings.json": json({ security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } }, general: { enableAutoUpdate: false }, model: { name: "local" } }) }),
    env: (url) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "local" }),
    args: (prompt, s) => ["-p", prompt, "--yolo", ...(s.known ? ["--resume", s.id] : ["--session-id", s.id])],
  },
}

// install returns the command of a client, and fetches it by npm at its first use, without
// its install scripts.
export const install = (name, cache) => {
  const c = clients[name]
  const folder = path.join(cache, `${name}-${c.version}`)
  if (!fs.existsSync(folder)) {
    fs.mkdirSync(cache, { recursive: true })
    const temporary = fs.mkdtempSync(path.join(cache, "fetch-"))
    try {
      const packed = execFileSync("npm", ["pack", "--silent", `${c.package}@${c.version}`], { cwd: temporary, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim().split("\n").at(-1)
      execFileSync("tar", ["-xzf", packed], { cwd: temporary })
      fs.renameSync(path.join(temporary, "package"), folder)
    } finally {
      fs.rmSync(temporary, { recursive: true, force: true })
    }
  }
  const [before, after] = c.program.split("*") // the name of a platform
  const program = after ? path.join(folder, before, fs.readdirSync(path.join(folder, before))[0], after) : path.join(folder, before)
  return c.node ? [process.execPath, program] : [program]
}

// newSession is a conversation of several starts of a client. A trusting one runs hooks that
// nobody has trusted.
export const newSession = (trusting = false) => ({ id: randomUUID(), known: false, trusting })

// run starts a client with one prompt, and returns when it has ended.
export const run = (name, command, prompt, session, { env, cwd, timeout = 180_000 }) => new Promise((done) => {
  const c = clients[name]
  const start = performance.now()
  const child = spawn(command[0], [...command.slice(1), ...c.args(prompt, session)], { env, cwd, detached: true, stdio: ["pipe", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => { output += data })
  const timer = setTimeout(() => { try { process.kill(-child.pid, "SIGKILL") } catch {} }, timeout)
  child.stdin.on("error", () => {})
  child.stdin.end(c.input ? prompt : "")
  child.on("close", (code) => {
    clearTimeout(timer)
    const printed = c.session && output.match(c.session)
    if (printed) session.id = printed[1]
    session.known = true
    done({ code, output, start, seconds: (performance.now() - start) / 1000 })
  })
})
