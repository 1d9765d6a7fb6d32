/**
 * The daemon's socket: HTTP with JSON, one method a question. It knows nothing
 * of OpenClaw. Answers may hold more fields than are named here.
 */
import { request } from "node:http";

export interface Memory {
  id: string;
  text: string;
  path: string;
  /** 1-based, inclusive, in the file as it is, and exactly the memory's own. */
  line_start: number;
  line_end: number;
  heading: string[];
  forgotten: boolean;
  missing: boolean;
  private: boolean;
  trust_tier: string;
  superseded_by: string | null;
}

export interface Hit extends Memory {
  score: number;
  text_score: number;
  vector_score: number;
}

export interface RecallRequest {
  prompt: string;
  workspace: string;
  agent?: string | undefined;
  session?: string | undefined;
  user?: string | undefined;
  max_items?: number | undefined;
  max_tokens?: number | undefined;
  /** Files that stand before the model whole: their memories are not said twice. */
  in_prompt?: string[];
}

export interface RecallAnswer {
  /** Ready to be put before the prompt; empty where there is nothing to say. */
  context: string;
  hits: Hit[];
  skipped: string | null;
}

export interface SearchRequest {
  query: string;
  workspace: string;
  limit?: number;
  agent?: string | undefined;
  session?: string | undefined;
  /** Counts what is delivered as used. */
  record?: boolean;
}

export interface SearchAnswer {
  hits: Hit[];
  /** `ok`, or why a way of searching is out. */
  lanes: Record<string, string>;
}

export interface ServedFile {
  path: string;
  content: string;
  /** How many memories were taken out. */
  redacted: number;
  missing?: boolean;
}

export interface Workspace {
  name: string;
  path: string;
}

/** Why there is no answer: the daemon's own code, or `unavailable` where it could not be asked. */
export class Failure extends Error {
  readonly code: string;
  readonly hint: string;
  readonly field: string;
  /** It was there but did not answer in time. */
  readonly hung: boolean;

  constructor(code: string, message: string, more: { hint?: string; field?: string; hung?: boolean } = {}) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.hint = more.hint ?? "";
    this.field = more.field ?? "";
    this.hung = more.hung ?? false;
  }
}

/** Twice the largest file that the daemon serves; more than that is no answer of its. */
const maxAnswerBytes = 32 << 20;

export class Client {
  readonly socket: string;

  constructor(socket: string) {
    this.socket = socket;
  }

  recall(question: RecallRequest, signal: AbortSignal): Promise<RecallAnswer> {
    return this.#ask("POST", "/v1/recall", question, signal);
  }

  search(question: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
    return this.#ask("POST", "/v1/search", question, signal);
  }

  async files(workspace: string, paths: string[], signal: AbortSignal): Promise<ServedFile[]> {
    const query = new URLSearchParams([...paths.map((path) => ["path", path]), ["workspace", workspace]]);
    return (await this.#ask<{ files: ServedFile[] }>("GET", `/v1/files?${query}`, undefined, signal)).files;
  }

  /** As many as the daemon answers with at once, which is far more than a file of this kind holds. */
  async memories(workspace: string, path: string, signal: AbortSignal): Promise<Memory[]> {
    const query = new URLSearchParams({ path, sort: "path", workspace });
    return (await this.#ask<{ memories: Memory[] }>("GET", `/v1/memories?${query}`, undefined, signal)).memories;
  }

  async workspaces(signal: AbortSignal): Promise<Workspace[]> {
    return (await this.#ask<{ workspaces: Workspace[] }>("GET", "/v1/workspaces", undefined, signal)).workspaces;
  }

  /** Rejects with a Failure, always; the signal bounds the whole of it, body included. */
  #ask<Answer>(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(unreachable(this.socket, cause, signal));
      if (signal.aborted) return fail(signal.reason);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const headers = sent === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(sent) };
      // No kept connections: one that idles would keep a one-shot host process alive.
      const ask = request({ socketPath: this.socket, method, path, headers: { Host: "localhost", ...headers }, agent: false, signal });
      ask.on("error", fail);
      ask.on("response", (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("error", fail);
        response.on("aborted", () => fail(new Error("the answer was cut off")));
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxAnswerBytes) ask.destroy(new Error("the answer is too long"));
          else chunks.push(chunk);
        });
        response.on("end", () => {
          try {
            resolve(understand(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8")) as Answer);
          } catch (failure) {
            reject(failure);
          }
        });
      });
      ask.end(sent);
    });
  }
}

function understand(status: number, text: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Failure("internal", `the daemon answered ${status} with something that is not JSON`);
  }
  if (status < 300 && typeof answer === "object" && answer !== null) return answer;
  const error = (answer as { error?: { code?: string; message?: string; hint?: string; field?: string } } | null)?.error;
  throw new Failure(error?.code ?? "internal", error?.message ?? `the daemon answered ${status}`, {
    hint: error?.hint ?? "",
    field: error?.field ?? "",
  });
}

function unreachable(socket: string, cause: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) {
    return new Failure("unavailable", `the daemon at ${socket} did not answer in time`, {
      hint: "memory status says how it is",
      hung: true,
    });
  }
  const code = (cause as NodeJS.ErrnoException).code;
  const why = code === "ENOENT" || code === "ECONNREFUSED" ? "no daemon answers" : `the daemon cannot be asked (${(cause as Error).message})`;
  return new Failure("unavailable", `${why} at ${socket}`, { hint: "start it: memory serve" });
}
