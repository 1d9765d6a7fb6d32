/** A mock model: serves openai-completions on 127.0.0.1, records requests, and calls a tool on command. */
import { createServer } from "node:http";

/** `SEARCH: words`, `READ: path` or `STORE: text` in the user's message makes the model call the tool, once. */
const wantsTool = /(SEARCH|READ|STORE): ([^\n"\\]+)/;

/** asked has each request as {raw, messages, tools}. */
export async function model() {
  const asked = [];
  const server = createServer((request, response) => {
    let raw = "";
    request.setEncoding("utf8").on("data", (chunk) => (raw += chunk));
    request.on("end", () => {
      if (!request.url?.endsWith("/chat/completions")) {
        response.writeHead(404).end("{}");
        return;
      }
      const body = JSON.parse(raw);
      const tools = (body.tools ?? []).map((tool) => tool.function.name);
      asked.push({ raw, messages: body.messages, tools });
      const delta = answer(body.messages);
      const choice = { index: 0, finish_reason: delta.tool_calls ? "tool_calls" : "stop" };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
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
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, asked, close: () => server.close() };
}

function answer(messages) {
  const searched = messages.some((message) => message.role === "tool");
  const [, wanted, words] = wantsTool.exec(messages.filter((message) => message.role === "user").map(text).join("\n")) ?? [];
  if (wanted === undefined || searched) return { role: "assistant", content: "The mock model has answered." };
  const [name, params] = { SEARCH: ["memory_search", { query: words }], READ: ["memory_get", { path: words }], STORE: ["memory_store", { text: words }] }[wanted];
  const call = { index: 0, id: "call_1", type: "function", function: { name, arguments: JSON.stringify(params) } };
  return { role: "assistant", content: null, tool_calls: [call] };
}

/** Returns a message's text from either of its two forms. */
export function text(message) {
  const content = message?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("\n") : "";
}
