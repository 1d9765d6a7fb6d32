/** A fake daemon: a unix socket with answers from the test, which records all requests. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
}

export interface Fixture {
  request: { method: string; path: string; body?: unknown };
  answer: { status: number; body: any };
}

/** One request and one answer, as the Go client and server exchange them. */
export function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`../../../api/testdata/${name}.json`, import.meta.url), "utf8"));
}

export type Answerer = (asked: Asked, response: ServerResponse) => void;

export interface Daemon {
  stateDir: string;
  socket: string;
  asked: Asked[];
  answer: Answerer;
  stop(): Promise<void>;
}

export async function daemon(t: TestContext, answer: Answerer): Promise<Daemon> {
  const stateDir = mkdtempSync(join(tmpdir(), "mt-"));
  const socket = join(stateDir, "tiered.sock");
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const question = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: text === "" ? undefined : JSON.parse(text) };
      asked.push(question);
      it.answer(question, response);
    });
  });
  const it: Daemon = {
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
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  t.after(async () => {
    await it.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });
  return it;
}

/** Answers each path with the fixture of that name, and all others with the daemon's 404. */
export function wire(names: Record<string, string>): Answerer {
  return (asked, response) => {
    const name = names[asked.path.replace(/\?.*/, "")];
    const { status, body } = fixture(name ?? "error_unknown_route").answer;
    send(response, status, body);
  };
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json", "Memory-Version": "1.4.0" }).end(JSON.stringify(body));
}

/** Accepts the request and never answers. */
export const hang: Answerer = () => {};

/** The folder of the workspace `notes` in the fixtures. */
export const notes = "/home/sam/notes";

/** A logger that records [level, message]. */
export function log() {
  const lines: [string, string][] = [];
  const at = (level: string) => (message: string) => void lines.push([level, message]);
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}
