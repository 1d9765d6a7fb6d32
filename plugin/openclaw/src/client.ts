/**
 * A client of the service's socket: HTTP with JSON, one method per route. It does
 * not depend on OpenClaw. Answers may contain more fields than are declared here.
 */
import { request } from "node:http";

export interface Memory {
  id: string;
  text: string;
  path: string;
  /** 1-based, inclusive: exactly the memory's own lines in the current file. */
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
  /** Files that are already before the model; their memories are left out. */
  in_prompt?: string[];
}

export interface RecallAnswer {
  /** The text to put before the prompt; empty if there is nothing to add. */
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
  /** Whether delivered memories count as used. */
  record?: boolean;
}

export interface SearchAnswer {
  hits: Hit[];
  /** By lane: `ok`, or the reason why the lane is unavailable. */
  lanes: Record<string, string>;
}

export interface ServedFile {
  path: string;
  content: string;
  /** The number of memories that were removed. */
  redacted: number;
  missing?: boolean;
}

export interface Workspace {
  name: string;
  path: string;
}

/** The reason for a missing answer: the service's own code, or `unavailable` if the service is not reachable. */
export class Failure extends Error {
  readonly code: string;
  readonly hint: string;
  readonly field: string;
  /** The service accepted the connection but did not answer in time. */
  readonly timedOut: boolean;

  constructor(code: string, message: string, more: { hint?: string; field?: string; timedOut?: boolean } = {}) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.hint = more.hint ?? "";
    this.field = more.field ?? "";
    this.timedOut = more.timedOut ?? false;
  }
}

/** Twice the largest file that the service serves. A longer answer cannot be valid. */
const maxAnswerBytes = 32 << 20;

export class Client {
  readonly socket: string;

  constructor(socket: string) {
    this.socket = socket;
  }

  recall(body: RecallRequest, signal: AbortSignal): Promise<RecallAnswer> {
    return this.#send("POST", "/v1/recall", body, signal);
  }

  search(body: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
    return this.#send("POST", "/v1/search", { ...body, for: "model" }, signal);
  }

  async files(workspace: string, paths: string[], signal: AbortSignal): Promise<ServedFile[]> {
    const query = new URLSearchParams([...paths.map((path) => ["path", path]), ["workspace", workspace], ["for", "model"]]);
    return (await this.#send<{ files: ServedFile[] }>("GET", `/v1/files?${query}`, undefined, signal)).files;
  }

  /** Returns one page of the service's list, which is far larger than any memory file. */
  async memories(workspace: string, path: string, signal: AbortSignal): Promise<Memory[]> {
    const query = new URLSearchParams({ path, sort: "path", workspace, for: "model" });
    return (await this.#send<{ memories: Memory[] }>("GET", `/v1/memories?${query}`, undefined, signal)).memories;
  }

  async workspaces(signal: AbortSignal): Promise<Workspace[]> {
    return (await this.#send<{ workspaces: Workspace[] }>("GET", "/v1/workspaces", undefined, signal)).workspaces;
  }

  /** Every rejection is a Failure. The signal limits the whole request, including the body. */
  #send<Answer>(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(connectionFailure(this.socket, cause, signal));
      if (signal.aborted) return fail(signal.reason);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const headers = sent === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(sent) };
      // No keep-alive: an idle connection would keep a one-shot host process running.
      const outgoing = request({ socketPath: this.socket, method, path, headers: { Host: "localhost", ...headers }, agent: false, signal });
      outgoing.on("error", fail);
      outgoing.on("response", (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("error", fail);
        response.on("aborted", () => fail(new Error("the answer was cut off")));
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxAnswerBytes) outgoing.destroy(new Error("the answer is too long"));
          else chunks.push(chunk);
        });
        response.on("end", () => {
          try {
            resolve(parseAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8")) as Answer);
          } catch (failure) {
            reject(failure);
          }
        });
      });
      outgoing.end(sent);
    });
  }
}

function parseAnswer(status: number, text: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Failure("internal", `the service answered ${status} with something that is not JSON`);
  }
  if (status < 300 && typeof answer === "object" && answer !== null) return answer;
  const error = (answer as { error?: { code?: string; message?: string; hint?: string; field?: string } } | null)?.error;
  throw new Failure(error?.code ?? "internal", error?.message ?? `the service answered ${status}`, {
    hint: error?.hint ?? "",
    field: error?.field ?? "",
  });
}

function connectionFailure(socket: string, cause: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) {
    return new Failure("unavailable", `the service at ${socket} did not answer in time`, {
      hint: "memory status shows its state",
      timedOut: true,
    });
  }
  const code = (cause as NodeJS.ErrnoException).code;
  const why = code === "ENOENT" || code === "ECONNREFUSED" ? "no service answers" : `the service is not reachable (${(cause as Error).message})`;
  return new Failure("unavailable", `${why} at ${socket}`, { hint: "start it: memory serve" });
}
