/**
 * A mock model: serves openai-completions on 127.0.0.1, records requests, and calls a
 * tool on command. Every host runs against it, so nothing leaves the machine.
 */
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

/** `SEARCH: words`, `READ: path`, `STORE: text` or `DELEGATE: task` in a message makes the model call a tool, once in its turn. */
const wantsTool = /(SEARCH|READ|STORE|DELEGATE): ([^\n"\\]+)/;

const tools = {
  SEARCH: (words) => ["memory_search", { query: words }],
  READ: (path) => ["memory_get", { path }],
  STORE: (text) => ["memory_store", { text }],
  DELEGATE: (task) => ["sessions_spawn", { task }],
};

/** What the model claims to have read. A turn with FULL in its message nearly fills the context. */
const usualTokens = 1;
const nearlyFull = 105_000;

/** The last lines of the host's prompt before a compaction name the file to write. */
const wantsFlush = /Append to (memory\/agent\/[\d-]+\.md)/;

/** What the model writes in a flush. */
export const flushed = "The user keeps bees on the roof of the library";

/**
 * asked has each request as {raw, messages, tools}; the file MOCK_LOG gets each too. beforeAnswer is called once, with
 * the next request, before the model answers: a turn is under way then.
 */
export async function model() {
  const mock = { asked: [], beforeAnswer: undefined, url: "", close: () => server.close() };
  const server = createServer((request, response) => {
    let raw = "";
    request.setEncoding("utf8").on("data", (chunk) => (raw += chunk));
    request.on("end", async () => {
      if (!request.url?.endsWith("/chat/completions")) {
        response.writeHead(404).end("{}");
        return;
      }
      if (process.env["MOCK_LOG"]) appendFileSync(process.env["MOCK_LOG"], `${raw}\n`);
      const body = JSON.parse(raw);
      mock.asked.push({ raw, messages: body.messages, tools: (body.tools ?? []).map((tool) => tool.function.name) });
      const { beforeAnswer } = mock;
      mock.beforeAnswer = undefined;
      await beforeAnswer?.();
      reply(response, body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  mock.url = `http://127.0.0.1:${server.address().port}/v1`;
  return mock;
}

function reply(response, body) {
  const delta = answer(body.messages);
  const choice = { index: 0, finish_reason: delta.tool_calls ? "tool_calls" : "stop" };
  const prompt = turnOf(body.messages).said.includes("FULL") ? nearlyFull : usualTokens;
  const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 };
  const shared = { id: "c", created: 0, model: body.model };
  if (!body.stream) {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ ...shared, object: "chat.completion", choices: [{ ...choice, message: delta }], usage }));
    return;
  }
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const send = (part) => response.write(`data: ${JSON.stringify(part)}\n\n`);
  const chunk = { ...shared, object: "chat.completion.chunk" };
  send({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
  send({ ...chunk, choices: [{ ...choice, delta: {} }], usage });
  response.end("data: [DONE]\n\n");
}

function answer(messages) {
  const { said, hasResult } = turnOf(messages);
  const [, flushPath] = wantsFlush.exec(said) ?? [];
  const [, wanted, words] = wantsTool.exec(said) ?? [];
  if (hasResult || !(flushPath || wanted)) return { role: "assistant", content: "The mock model has answered." };
  return flushPath ? call("write", { path: flushPath, content: `- ${flushed}\n` }) : call(...tools[wanted](words));
}

function call(name, params) {
  const one = { index: 0, id: "call_1", type: "function", function: { name, arguments: JSON.stringify(params) } };
  return { role: "assistant", content: null, tool_calls: [one] };
}

/** Returns what the host's last turn said, and whether a tool has answered in it. */
function turnOf(messages) {
  const own = messages.slice(messages.findLastIndex((message) => message.role === "assistant" && !message.tool_calls) + 1);
  const said = own.filter((message) => message.role === "user").map(text).join("\n");
  return { said, hasResult: own.some((message) => message.role === "tool") };
}

/** Returns a message's text from either of its two forms. */
export function text(message) {
  const content = message?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("\n") : "";
}
