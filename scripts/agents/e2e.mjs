// Runs each client with this memory, and looks at what its model received.
// usage: node e2e.mjs BINARY [CLIENT…]
import assert from "node:assert/strict"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

import { clients, install, newSession, run } from "./clients.mjs"
import { startModel } from "./model.mjs"

const [binary, ...named] = process.argv.slice(2)
const cache = process.env.AGENT_CLIENTS || path.join(os.tmpdir(), `memory-agents-${os.userInfo().uid}`)
const repository = path.resolve(import.meta.dirname, "../..")
const step = (text) => console.log(`  - ${text}`)
const pause = (ms) => new Promise((done) => setTimeout(done, ms))
const until = async (what, holds) => {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(100)) if (await holds()) return
  assert.fail(`waited in vain: ${what}`)
}

const notes = `- The collector of the greenhouse listens on port 7431
- The spare key of the shed is under the third flowerpot
- The vault of the bakery opens with the word marzipanium
`

// World is a home folder with a client, a workspace and a service.
class World {
  constructor(name, command, model) {
    Object.assign(this, { name, command, model, client: clients[name] })
    this.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "e2e-agents-")))
    this.home = path.join(this.root, "home")
    this.folder = path.join(this.root, "project")
    for (const dir of [this.home, this.folder, path.join(this.root, "bin"), path.join(this.root, "tmp")]) fs.mkdirSync(dir)
    this.write("memory/MEMORY.md", notes)
    this.write(".openclaw/memory/config.yaml", "embedding:\n  local:\n    quality: fast\n")
    for (const [file, text] of Object.entries(this.client.settings(model.url, this.folder))) this.write(file, text)
    if (command.length === 1) fs.symlinkSync(command[0], path.join(this.root, "bin", path.basename(command[0])))
    this.env = {
      PATH: `${this.root}/bin:${process.env.PATH}`, HOME: this.home, TMPDIR: path.join(this.root, "tmp"), NO_COLOR: "1", CI: "1", TERM: "dumb",
      ...this.client.env(model.url),
    }
  }

  write(file, text) {
    const target = path.join(this.home, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, text)
  }

  read(file) { return fs.existsSync(path.join(this.home, file)) ? fs.readFileSync(path.join(this.home, file), "utf8") : null }

  files() { return Object.fromEntries(this.client.files.map((f) => [f, this.read(f)])) }

  memory(...args) { return execFileSync(binary, args, { env: this.env, cwd: this.home, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }) }

  async serve() {
    this.daemon = spawn(binary, ["serve"], { env: this.env, stdio: "ignore" })
    await until("the service answers", () => fs.existsSync(path.join(this.home, ".openclaw/memory/tiered.sock")))
    this.memory("status")
  }

  async stop() {
    if (!this.daemon) return
    const ended = new Promise((done) => this.daemon.once("exit", done))
    this.daemon.kill("SIGCONT")
    this.daemon.kill("SIGTERM")
    await ended
    this.daemon = undefined
  }

  // kill ends the service without a chance to clean up.
  async kill() {
    const ended = new Promise((done) => this.daemon.once("exit", done))
    this.daemon.kill("SIGKILL")
    await ended
    this.daemon = undefined
  }

  // ask starts the client with a prompt, and returns the requests of its turn.
  async ask(prompt, session = newSession()) {
    const before = this.model.requests.length
    const turn = await run(this.name, this.command, prompt, session, { env: this.env, cwd: this.folder })
    const requests = this.model.requests.slice(before).filter((r) => r.isTurn)
    assert.ok(requests.length > 0, `the model got no request: exit ${turn.code}\n${turn.output.slice(-1500)}`)
    turn.wait = (requests[0].at - turn.start) / 1000
    turn.texts = requests[0].texts
    turn.count = (words) => requests[0].texts.join("\n").split(words).length - 1
    return turn
  }

  // askUntil asks in new sessions until the request has the words: on a busy machine a hook
  // may be late, and is silent then.
  async askUntil(words, prompt, trusting = false) {
    for (let tries = 1; ; tries++) {
      const session = newSession(trusting)
      const turn = await this.ask(prompt, session)
      if (turn.count(words) > 0 || tries === 3) return [turn, session]
    }
  }

  // processes lists what still runs with this home folder.
  processes() {
    if (process.platform !== "linux") return []
    return fs.readdirSync("/proc").filter((pid) => {
      try { return fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${this.home}`) } catch { return false }
    }).map((pid) => `${pid} ${fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`)
  }
}

const check = async (w) => {
  const before = w.files()
  w.memory("setup", w.client.setup, "--yes", "--no-service")
  const answer = JSON.parse(w.memory("setup", w.client.setup, "--yes", "--no-service", "--json"))
  assert.deepEqual(answer.files.map((f) => f.action), w.client.files.map(() => "unchanged"))
  assert.ok(answer.checks.length > 0 && answer.checks.every((c) => c.ok), JSON.stringify(answer.checks))
  w.memory("setup", w.client.setup, "remove", "--yes")
  assert.deepEqual(w.files(), before)
  step("set up, twice, and removed: every byte as before")

  await stopHookService(w)
  w.memory("setup", w.client.setup, "--yes", "--no-service")
  await stopHookService(w)
  await w.serve()
  const [first, session] = await w.askUntil("7431", "Which port does the collector of the greenhouse listen on?")
  assert.equal(first.count("7431"), 1, "how often the note is in the request" + around(first, "7431"))
  const second = await w.ask("And on which port does the greenhouse collector listen, once more?", session)
  assert.ok(second.count("7431") <= 1, `the note is in the request of the next prompt ${second.count("7431")} times` + around(second, "7431"))
  step(`a note is given once: ${first.wait.toFixed(1)} s until the model is asked`)

  const other = await w.ask("Reverse the string abcdef in Python")
  for (const words of ["7431", "flowerpot", "marzipanium"]) assert.equal(other.count(words), 0, `${words} for an unrelated prompt`)
  step("nothing for an unrelated prompt")

  await w.ask("Remember that the invoices of the mill are due on the ninth of each month.")
  const markdown = () => execFileSync("grep", ["-rl", "due on the ninth", path.join(w.home, "memory")], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  await until("the turn is in Markdown", () => { try { return markdown() } catch { return false } })
  step("what the user asked to remember is in Markdown")

  w.memory("forget", "--query", "the word that opens the vault of the bakery", "--yes")
  const forgotten = await w.ask("Which word opens the vault of the bakery?")
  assert.equal(forgotten.count("marzipanium"), 0, "a forgotten note reached the model")
  step("a forgotten note does not come")

  const usual = await w.ask("Reverse the string fedcba in Python")
  w.daemon.kill("SIGSTOP")
  const hung = await w.ask("Which port does the collector of the greenhouse listen on?")
  w.daemon.kill("SIGCONT")
  const alone = hookTime(w)
  assert.ok(alone < 0.5, `a hook takes ${alone} s`)
  await w.kill()
  const killed = await w.ask("Which port does the collector of the greenhouse listen on?")
  step(`the model is asked after ${usual.wait.toFixed(1)} s; with a service that hangs after ${hung.wait.toFixed(1)} s, that was killed after ${killed.wait.toFixed(1)} s`)
  await pause(10_000) // hooks start a service at most every ten seconds
  await w.ask("Reverse the string abc in Python")
  await until("the hooks have started a service", () => JSON.parse(w.memory("status", "--json")).daemon)
  const [again] = await w.askUntil("7431", "Which port does the collector of the greenhouse listen on?")
  assert.equal(again.count("7431"), 1, "how often the note is in the request after the service was killed")
  step("after a kill, the hooks start a service, and the note comes again")

  w.memory("setup", w.client.setup, "remove", "--yes")
  for (const [file, text] of Object.entries(w.files())) assert.ok(!text?.includes(binary), `${file} still has our entry:\n${text}`)
  await stopHookService(w)
  await until("every process has ended", () => w.processes().length === 0 || void (w.left = w.processes()))
  step("removed; no process is left")

  if (!w.client.plugin) return
  fs.symlinkSync(binary, path.join(w.root, "bin", "memory"))
  for (const args of w.client.plugin(repository)) execFileSync(w.command[0], [...w.command.slice(1), ...args], { env: w.env, cwd: w.folder, stdio: "pipe" })
  await w.serve()
  const [byPlugin] = await w.askUntil("7431", "Which port does the collector of the greenhouse listen on?", true)
  assert.equal(byPlugin.count("7431"), 1, "how often the note is in the request with the plugin")
  step("installed as a plugin: a note is given once")
}

// around shows where words are in a request.
const around = (turn, words) => turn.texts.map((text, i) => [i, text]).filter(([, text]) => text.includes(words))
  .map(([i, text]) => `\n    text ${i} of ${turn.texts.length}: ${JSON.stringify(text.slice(Math.max(0, text.indexOf(words) - 200), text.indexOf(words) + 60))}`).join("")

// hookTime returns how long a hook takes while the service hangs.
const hookTime = (w) => {
  w.daemon.kill("SIGSTOP")
  const start = performance.now()
  const hook = spawnSync(binary, ["hook", w.client.setup, "UserPromptSubmit"], { env: w.env, input: '{"prompt":"x","session_id":"s"}', encoding: "utf8" })
  w.daemon.kill("SIGCONT")
  assert.deepEqual([hook.status, hook.stdout], [0, ""])
  return (performance.now() - start) / 1000
}

// stopHookService ends the service that a hook started.
const stopHookService = async (w) => {
  const { daemon } = JSON.parse(w.memory("status", "--json"))
  if (!daemon || daemon.pid === w.daemon?.pid) return
  process.kill(daemon.pid, "SIGTERM")
  await until("the service that a hook started has ended", () => { try { return !process.kill(daemon.pid, 0) } catch { return true } })
}

let failed = false
for (const name of named.length ? named : Object.keys(clients)) {
  console.log(`${name} ${clients[name].version}`)
  let command
  try { command = install(name, cache) } catch (error) {
    console.log(`  skipped: npm cannot fetch it: ${String(error.stderr || error.message).trim().split("\n").at(-1)}`)
    continue
  }
  const model = await startModel()
  const w = new World(name, command, model)
  try { await check(w) } catch (error) {
    failed = true
    console.log(`  FAILED: ${error.message}`)
  } finally {
    await w.stop()
    try { await stopHookService(w) } catch {} // none runs
    model.close()
    if (process.env.KEEP) console.log(`  left in ${w.root}`)
    else fs.rmSync(w.root, { recursive: true, force: true })
  }
}
process.exit(failed ? 1 : 0)
