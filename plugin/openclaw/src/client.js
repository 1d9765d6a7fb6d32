/**
 * A client of the service's socket: HTTP with JSON, one method per route. It does
 * not depend on OpenClaw.
 *
 * @import { Memory, RecallAnswer, RecallRequest, SearchAnswer, SearchRequest, ServedFile, Workspace } from "../types/service.js"
 */
import { request } from "node:http";

/** The reason for a missing answer: the service's own code, or `unavailable` if the service is not reachable. */
export class Failure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ hint?: string, field?: string, timedOut?: boolean }} [more]
   */
  constructor(code, message, more = {}) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.hint = more.hint ?? "";
    this.field = more.field ?? "";
    /** The service accepted the connection but did not answer in time. */
    this.timedOut = more.timedOut ?? false;
  }
}

/** Twice the largest file that the service serves. A longer answer cannot be valid. */
const maxAnswerBytes = 32 << 20;

export class Client {
  /** @param {string} socket */
  constructor(socket) {
    this.socket = socket;
  }

  /**
   * @param {RecallRequest} body
   * @param {AbortSignal} signal
   * @returns {Promise<RecallAnswer>}
   */
  recall(body, signal) {
    return this.#send("POST", "/v1/recall", body, signal);
  }

  /**
   * @param {SearchRequest} body
   * @param {AbortSignal} signal
   * @returns {Promise<SearchAnswer>}
   */
  search(body, signal) {
    return this.#send("POST", "/v1/search", { ...body, for: "model" }, signal);
  }

  /**
   * @param {string} workspace
   * @param {string[]} paths
   * @param {AbortSignal} signal
   * @returns {Promise<ServedFile[]>}
   */
  async files(workspace, paths, signal) {
    const query = new URLSearchParams([...paths.map((path) => ["path", path]), ["workspace", workspace], ["for", "model"]]);
    return (await this.#send("GET", `/v1/files?${query}`, undefined, signal)).files;
  }

  /**
   * Returns one page of the service's list, which is far larger than any memory file.
   *
   * @param {string} workspace
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {Promise<Memory[]>}
   */
  async memories(workspace, path, signal) {
    const query = new URLSearchParams({ path, sort: "path", workspace, for: "model" });
    return (await this.#send("GET", `/v1/memories?${query}`, undefined, signal)).memories;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<Workspace[]>}
   */
  async workspaces(signal) {
    return (await this.#send("GET", "/v1/workspaces", undefined, signal)).workspaces;
  }

  /**
   * Every rejection is a Failure. The signal limits the whole request, including the body.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {AbortSignal} signal
   * @returns {Promise<any>}
   */
  #send(method, path, body, signal) {
    return new Promise((resolve, reject) => {
      const fail = (/** @type {unknown} */ cause) => reject(connectionFailure(this.socket, cause, signal));
      if (signal.aborted) return fail(signal.reason);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const headers = sent === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(sent) };
      // No keep-alive: an idle connection would keep a one-shot host process running.
      const outgoing = request({ socketPath: this.socket, method, path, headers: { Host: "localhost", ...headers }, agent: false, signal });
      outgoing.on("error", fail);
      outgoing.on("response", (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        let size = 0;
        response.on("error", fail);
        response.on("aborted", () => fail(new Error("the answer was cut off")));
        response.on("data", (/** @type {Buffer} */ chunk) => {
          size += chunk.length;
          if (size > maxAnswerBytes) outgoing.destroy(new Error("the answer is too long"));
          else chunks.push(chunk);
        });
        response.on("end", () => {
          try {
            resolve(parseAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8")));
          } catch (failure) {
            reject(failure);
          }
        });
      });
      outgoing.end(sent);
    });
  }
}

/**
 * @param {number} status
 * @param {string} text
 * @returns {unknown}
 */
function parseAnswer(status, text) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Failure("internal", `the service answered ${status} with something that is not JSON`);
  }
  if (status < 300 && typeof answer === "object" && answer !== null) return answer;
  const error = answer?.error;
  throw new Failure(error?.code ?? "internal", error?.message ?? `the service answered ${status}`, {
    hint: error?.hint ?? "",
    field: error?.field ?? "",
  });
}

/**
 * @param {string} socket
 * @param {unknown} cause
 * @param {AbortSignal} signal
 */
function connectionFailure(socket, cause, signal) {
  if (signal.aborted) {
    return new Failure("unavailable", `the service at ${socket} did not answer in time`, {
      hint: "memory status shows its state",
      timedOut: true,
    });
  }
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
  const why = code === "ENOENT" || code === "ECONNREFUSED" ? "no service answers" : `the service is not reachable (${message})`;
  return new Failure("unavailable", `${why} at ${socket}`, { hint: "start it: memory serve" });
}
