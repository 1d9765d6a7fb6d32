/**
 * Sends requests to the service: for the workspace of the turn, within the time of the
 * turn, and with one warning per outage.
 *
 * @import { Call, How, Remote, SharedState } from "../types/plugin.js"
 * @import { Logger } from "../types/host.js"
 */
import { Client, Failure, toFailure } from "./client.js";
import { defaults } from "./config.js";
import { Patience } from "./patience.js";
import { Workspaces } from "./workspaces.js";

export class Requester {
  #workspaces;
  #log;
  #state;

  /**
   * @param {string} socket
   * @param {Logger} log
   * @param {SharedState} state
   * @param {number} [turnMs] how long a turn waits for the service, in all
   * @param {Remote} [remote]
   */
  constructor(socket, log, state, turnMs = defaults.recallTimeoutMs, remote) {
    this.client = new Client(socket, remote);
    this.patience = new Patience(this.client, state, turnMs);
    this.#workspaces = new Workspaces(this.client, state.names);
    this.#log = log;
    this.#state = state;
  }

  get socket() {
    return this.client.socket;
  }

  /**
   * For hooks: returns the answer or a Failure, never rejects, and logs a warning if needed.
   *
   * @template Answer
   * @param {string | undefined} dir
   * @param {Call<Answer>} call
   * @param {How} [how]
   * @returns {Promise<Answer | Failure>}
   */
  async tryRequest(dir, call, how = {}) {
    const began = performance.now();
    try {
      return await this.request(dir, call, how);
    } catch (error) {
      const failure = toFailure(error);
      // A patient request may end long after the service has answered another one.
      if (failure.code !== "unavailable" || this.#state.answeredAt < began) this.#failed(failure);
      return failure;
    }
  }

  /**
   * For tools: rejects with a Failure and logs nothing, because the model gets the error.
   * It waits as [Patience] allows.
   *
   * @template Answer
   * @param {string | undefined} dir
   * @param {Call<Answer>} call
   * @param {How} [how]
   * @returns {Promise<Answer>}
   */
  async request(dir, call, { session, patientMs, signal, confirms = false } = {}) {
    if (this.#state.hung || (patientMs === undefined && this.patience.left(session) <= 0)) {
      throw new Failure("unavailable", "the service did not answer in time a moment ago", { hint: "memory status shows its state", timedOut: true });
    }
    const limit = this.patience.limit(session, patientMs, signal);
    try {
      const answer = await this.#inWorkspace(dir, limit.signal, call, confirms);
      this.#answered();
      return answer;
    } finally {
      limit.end();
    }
  }

  /**
   * An answer with a folder is checked: it must be that of the turn.
   *
   * @template Answer
   * @param {string | undefined} dir
   * @param {AbortSignal} signal
   * @param {Call<Answer>} call
   * @param {boolean} confirms
   * @returns {Promise<Answer>}
   */
  async #inWorkspace(dir, signal, call, confirms) {
    if (!dir) throw new Failure("not_registered", "the host names no workspace folder for this turn");
    const attempt = async () => {
      const answer = await call(this.client, await this.#workspaces.name(dir, signal, confirms), signal);
      const folder = confirms && !this.client.remote && /** @type {any} */ (answer).folder;
      if (folder && !this.#workspaces.confirm(dir, folder)) throw new Failure("not_found", "another folder has this name", { field: "workspace" });
      return answer;
    };
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure && error.code === "not_found" && error.field === "workspace")) throw error;
      this.#workspaces.forget(dir);
      return await attempt();
    }
  }

  #answered() {
    if (this.#state.outage) this.#log.info("memory-tiered: the service answers again");
    this.#state.outage = false;
    this.#state.answeredAt = performance.now();
    this.#state.told.clear();
  }

  /** @param {Failure} failure */
  #failed(failure) {
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
