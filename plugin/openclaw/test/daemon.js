/** A fake daemon: a unix socket with answers from the test, which records all requests. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One request and one answer, as the Go client and server exchange them. */
export function fixture(name) {
  return JSON.parse(readFileSync(new URL(`../../../api/testdata/${name}.json`, import.meta.url), "utf8"));
}

/** answer is called with each request {method, path, headers, body} and the response; tests may replace it. */
export async function daemon(t, answer) {
  const stateDir = mkdtempSync(join(tmpdir(), "mt-"));
  const socket = join(stateDir, "tiered.sock");
  const asked = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const question = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: text === "" ? undefined : JSON.parse(text) };
      asked.push(question);
      it.answer(question, response);
    });
  });
  const it = {
    stateDir,
    socket,
    asked,
    answer,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  await new Promise((resolve) => server.listen(socket, resolve));
  t.after(async () => {
    await it.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });
  return it;
}

/** Answers each path with the fixture of that name, and all others with the daemon's 404. */
export function wire(names) {
  return (asked, response) => {
    const name = names[asked.path.replace(/\?.*/, "")];
    const { status, body } = fixture(name ?? "error_unknown_route").answer;
    send(response, status, body);
  };
}

export function send(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json", "Memory-Version": "1.4.0" }).end(JSON.stringify(body));
}

/** Accepts the request and never answers. */
export const hang = () => {};

/** A timeout in milliseconds that even a busy machine never reaches. */
export const patient = 300_000;

/**
 * Runs a test with longer and longer timeouts, until one suffices: only a daemon that
 * hangs may exceed it, and a busy machine exceeds a short one.
 */
export async function tryTimeouts(run) {
  for (let timeoutMs = 100; ; timeoutMs *= 3) {
    try {
      return await run(timeoutMs);
    } catch (error) {
      if (timeoutMs > 30_000) throw error;
    }
  }
}

/** The folder of the workspace `notes` in the fixtures. */
export const notes = "/home/sam/notes";

/** A logger that records [level, message]. */
export function log() {
  const lines = [];
  const at = (level) => (message) => void lines.push([level, message]);
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}
