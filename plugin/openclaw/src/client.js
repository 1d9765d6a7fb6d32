/**
 * A client of the service: HTTP with JSON over its socket, or over TLS. It does not depend on OpenClaw.
 *
 * @import { Remote } from "../types/plugin.js"
 * @import { Workspace } from "../types/service.js"
 */
import { request } from "node:http";
import { request as requestTLS } from "node:https";

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

/**
 * @param {unknown} error
 * @returns {Failure}
 */
export function toFailure(error) {
  return error instanceof Failure ? error : new Failure("internal", String(error));
}

/** Twice the largest file that the service serves. A longer answer cannot be valid. */
const maxAnswerBytes = 32 << 20;

export class Client {
  /**
   * @param {string} socket
   * @param {Remote} [remote] is asked instead of the socket
   */
  constructor(socket, remote) {
    this.socket = socket;
    this.remote = remote;
  }

  /** Where the service is, for messages. */
  get address() {
    return this.remote?.url ?? this.socket;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<Workspace[]>}
   */
  async workspaces(signal) {
    return (await this.get("/v1/workspaces", {}, signal)).workspaces;
  }

  /**
   * Sends a query. A list is a repeated parameter; undefined ones are left out.
   *
   * @param {string} path
   * @param {Record<string, unknown>} query
   * @param {AbortSignal} signal
   */
  get(path, query, signal) {
    return this.send("GET", withQuery(path, query), undefined, signal);
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} body
   * @param {AbortSignal} signal
   */
  post(path, body, signal) {
    return this.send("POST", path, body, signal);
  }

  /**
   * Asks whether the service answers. The request keeps no process alive.
   *
   * @param {AbortSignal} signal
   */
  health(signal) {
    return this.send("GET", "/v1/health", undefined, signal, (outgoing) => outgoing.on("socket", (socket) => socket.unref()));
  }

  /**
   * Every rejection is a Failure. The signal limits the whole request, including the body.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {AbortSignal} signal
   * @param {(outgoing: import("node:http").ClientRequest) => void} [prepare]
   * @returns {Promise<any>}
   */
  send(method, path, body, signal, prepare) {
    return new Promise((resolve, reject) => {
      const fail = (/** @type {unknown} */ cause) => reject(connectionFailure(this.address, cause, signal));
      if (signal.aborted) return fail(signal.reason);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const headers = sent === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(sent) };
      // No keep-alive: an idle connection would keep a one-shot host process running.
      const options = { method, headers, agent: /** @type {false} */ (false), signal };
      const outgoing = this.remote
        ? (this.remote.url.startsWith("https:") ? requestTLS : request)(this.remote.url.replace(/\/$/, "") + path, { ...options, headers: { Authorization: `Bearer ${this.remote.token}`, ...headers } })
        : request({ ...options, socketPath: this.socket, path, headers: { Host: "localhost", ...headers } });
      prepare?.(outgoing);
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
 * @param {string} path
 * @param {Record<string, unknown>} query
 */
export function withQuery(path, query) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const given = pairs.filter(([, value]) => value !== undefined).map((pair) => pair.map(String));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
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
 * @param {string} address
 * @param {unknown} cause
 * @param {AbortSignal} signal
 */
function connectionFailure(address, cause, signal) {
  if (signal.aborted) {
    return new Failure("unavailable", `the service at ${address} did not answer in time`, {
      hint: "memory status shows its state",
      timedOut: true,
    });
  }
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
  const why = code === "ENOENT" || code === "ECONNREFUSED" ? "no service answers" : `the service is not reachable (${message})`;
  return new Failure("unavailable", `${why} at ${address}`, { hint: "start it: memory serve" });
}
