/**
 * Sends requests to the service: for the workspace of the turn, within a timeout,
 * with one warning per outage, and without waiting repeatedly for a hanging service.
 *
 * @import { Call, SharedState } from "../types/plugin.js"
 * @import { Logger } from "../types/host.js"
 */
import { Client, Failure } from "./client.js";
import { Workspaces } from "./workspaces.js";

/** After a timeout, hooks do not ask again for this time: the host runs several hooks at the start of a turn. */
const pauseMs = 10_000;

export class Requester {
  #client;
  #workspaces;
  #log;
  #state;

  /**
   * @param {string} socket
   * @param {Logger} log
   * @param {SharedState} state
   */
  constructor(socket, log, state) {
    this.#client = new Client(socket);
    this.#workspaces = new Workspaces(this.#client, state.names);
    this.#log = log;
    this.#state = state;
  }

  get socket() {
    return this.#client.socket;
  }

  /**
   * For hooks: returns the answer or a Failure, never rejects, and logs a warning if needed.
   *
   * @template Answer
   * @param {string | undefined} dir
   * @param {number} timeoutMs
   * @param {Call<Answer>} call
   * @returns {Promise<Answer | Failure>}
   */
  async tryRequest(dir, timeoutMs, call) {
    if (performance.now() < this.#state.pausedUntil) {
      return new Failure("unavailable", "the service did not answer in time a moment ago", { timedOut: true });
    }
    try {
      const answer = await this.request(dir, AbortSignal.timeout(timeoutMs), call);
      this.#answered();
      return answer;
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure("internal", String(error));
      this.#failed(failure);
      return failure;
    }
  }

  /**
   * For tools: rejects with a Failure and logs nothing, because the model gets the error.
   *
   * @template Answer
   * @param {string | undefined} dir
   * @param {AbortSignal} signal
   * @param {Call<Answer>} call
   * @returns {Promise<Answer>}
   */
  async request(dir, signal, call) {
    if (!dir) throw new Failure("not_registered", "the host names no workspace folder for this turn");
    try {
      return await call(this.#client, await this.#workspaces.name(dir, signal), signal);
    } catch (error) {
      if (!(error instanceof Failure && error.code === "not_found" && error.field === "workspace")) throw error;
      this.#workspaces.forget(dir);
      return await call(this.#client, await this.#workspaces.name(dir, signal), signal);
    }
  }

  #answered() {
    if (this.#state.outage) this.#log.info("memory-tiered: the service answers again");
    this.#state.outage = false;
    this.#state.pausedUntil = 0;
  }

  /** @param {Failure} failure */
  #failed(failure) {
    if (failure.timedOut) this.#state.pausedUntil = performance.now() + pauseMs;
    if (failure.code === "unavailable") {
      if (this.#state.outage) return;
      this.#state.outage = true;
    } else if (this.#state.warned.has(failure.message)) {
      return;
    } else {
      this.#state.warned.add(failure.message);
    }
    this.#log.warn(`memory-tiered: going on without memory: ${failure.message}${failure.hint && ` (${failure.hint})`}`);
  }
}
