// A model on the loopback interface. It answers "OK." in the four protocols that agents
// speak, and keeps the texts of every request in the order in which a model reads them.
import http from "node:http"
import zlib from "node:zlib"

const answer = "OK."

// texts collects every text of a message, whatever the protocol calls its parts.
const texts = (value) =>
  typeof value === "string" ? [value]
    : Array.isArray(value) ? value.flatMap(texts)
      : value && typeof value === "object" ? texts(value.text ?? value.content ?? value.parts ?? value.output ?? []) : []

const toolCount = (tools) => (tools ?? []).reduce((n, t) => n + (t.functionDeclarations?.length ?? t.tools?.length ?? 1), 0)

// Side calls of a client, such as those for titles, offer no tools. Some are subagents.
const isTurn = (body, all) => toolCount(body.tools) > 0 && !/subagent/.test((all[0] ?? "").slice(0, 200))

const anthropic = (model) => {
  const whole = { id: "m", type: "message", role: "assistant", model, content: [{ type: "text", text: answer }], stop_reason: "end_turn", stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  return [whole, [
    { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: answer } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]]
}

const responses = (model) => {
  const item = { id: "i", type: "message", status: "completed", role: "assistant", content: [{ type: "output_text", text: answer, annotations: [] }] }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
  const whole = { id: "r", object: "response", created_at: 1, status: "completed", model, output: [item], usage }
  return [whole, [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: whole },
  ]]
}

const chat = (model) => {
  const base = { id: "c", created: 1, model }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const chunk = (delta, end) => ({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end }] })
  const message = { role: "assistant", content: answer }
  return [
    { ...base, object: "chat.completion", usage, choices: [{ index: 0, message, finish_reason: "stop" }] },
    [chunk(message, null), { ...chunk({}, "stop"), usage }, "[DONE]"],
  ]
}

const gemini = (model) => {
  const whole = { candidates: [{ content: { role: "model", parts: [{ text: answer }] }, finishReason: "STOP", index: 0 }], modelVersion: model, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }
  return [whole, [whole]]
}

const protocols = [[/\/messages$/, anthropic], [/\/responses$/, responses], [/\/chat\/completions$/, chat], [/enerateContent/, gemini]]

const readBody = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  return JSON.parse((request.headers["content-encoding"] === "gzip" ? zlib.gunzipSync(raw) : raw).toString() || "{}")
}

// startModel returns the URL of a model and the list of its requests, which grows.
export const startModel = async () => {
  const requests = []
  const server = http.createServer(async (request, response) => {
    const path = request.url.split("?")[0]
    const body = request.method === "POST" ? await readBody(request) : {}
    const send = (type, text) => { response.writeHead(200, { "content-type": type }); response.end(text) }
    const protocol = protocols.find(([pattern]) => pattern.test(path))
    if (/count_?tokens/i.test(path)) return send("application/json", JSON.stringify({ input_tokens: 1, totalTokens: 1 }))
    if (request.method !== "POST" || !protocol) return send("application/json", JSON.stringify({ object: "list", data: [], models: [] }))
    const all = ["system", "instructions", "systemInstruction", "messages", "input", "contents"].flatMap((key) => texts(body[key]))
    requests.push({ at: performance.now(), texts: all, isTurn: isTurn(body, all), size: JSON.stringify(body).length })
    const [whole, events] = protocol[1](body.model ?? "fake")
    if (!body.stream && !/stream/.test(path)) return send("application/json", JSON.stringify(whole))
    const line = (e) => (e.type ? `event: ${e.type}\n` : "") + `data: ${typeof e === "string" ? e : JSON.stringify(e)}\n\n`
    send("text/event-stream", events.map(line).join(""))
  })
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close: () => { server.closeAllConnections(); server.close() } }
}
