// Memory for opencode. This file was written by: memory setup opencode
import { execFile } from "node:child_process"

const command = ["memory"]
const [program, ...options] = command

// ask runs memory hook with an event. It answers with the context, or with nothing.
const ask = (event, input) => new Promise((done) => {
  const child = execFile(program, [...options, "hook", "opencode", event], { timeout: 1000 }, (error, out) => {
    try { done(error ? "" : (JSON.parse(out).additionalContext ?? "")) } catch { done("") }
  })
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify(input))
})

const unquoted = (text) => (/^"[^"]*"$/.test(text) ? text.slice(1, -1) : text)
const words = (parts) => parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")

export const Memory = async ({ client, directory }) => {
  const first = new Map() // session: the block of its first prompt, the same bytes in every turn
  const turns = new Map() // session: the last prompt
  return {
    "chat.message": async (input, output) => {
      const session_id = input.sessionID
      const prompt = unquoted(words(output.parts))
      const isFirst = !first.has(session_id)
      turns.set(session_id, prompt)
      const start = isFirst ? await ask("session.start", { session_id, cwd: directory }) : ""
      const block = await ask("chat.message", { session_id, cwd: directory, prompt })
      const text = [start, block].filter(Boolean).join("\n")
      if (isFirst) first.set(session_id, text)
      else if (text) output.parts.push({ id: "prt_" + Date.now().toString(36), sessionID: session_id, messageID: output.message.id, type: "text", synthetic: true, text })
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (/^You are a title generator/.test(output.system[0] ?? "")) return
      const text = first.get(input.sessionID)
      if (text) output.system[0] += "\n" + text
    },
    "experimental.session.compacting": async (input) => { await ask("session.compacting", { session_id: input.sessionID, cwd: directory }) },
    event: async ({ event }) => {
      if (event.type !== "session.idle") return
      const session_id = event.properties.sessionID
      const answer = await client.session.messages({ path: { id: session_id } }).catch(() => undefined)
      const last = (answer?.data ?? []).filter((m) => m.info.role === "assistant").at(-1)
      await ask("session.idle", { session_id, cwd: directory, prompt: turns.get(session_id) ?? "", prompt_response: last ? words(last.parts) : "" })
    },
  }
}
