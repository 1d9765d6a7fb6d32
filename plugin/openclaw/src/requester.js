/**
 * Sends requests to the service: for the workspace of the turn, within a timeout,
 * with one warning per outage, and without waiting repeatedly for a hanging service.
 *
 * @import { Call, SharedState } from "../types/plugin.js"
 * @import { Logger } from "../types/host.js"
 */
import { Client, Failure, toFailure } from "./client.js";
import { Workspaces } from "./workspaces.js";

/** After a timeout, no turn waits again for this time. A service that answers again is used within 2 s. */
const pauseMs = 1_500;

export class Requester {
  #workspaces;
  #log;
  #state;

  /**
   * @param {string} socket
   * @param {Logger} log
   * @param {SharedState} state
   */
  constructor(socket, log, state) {
    this.client = new Client(socket);
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
   * @param {number} timeoutMs
   * @param {Call<Answer>} call
   * @param {{ confirms?: boolean, isBackground?: boolean }} [how] whether the answer has a folder, and whether no turn waits for it
   * @returns {Promise<Answer | Failure>}
   */
  async tryRequest(dir, timeoutMs, call, { confirms = false, isBackground = false } = {}) {
    if (!isBackground && (performance.now() < this.#state.pausedUntil || timeoutMs <= 0)) {
      return new Failure("unavailable", "the service did not answer in time a moment ago", { timedOut: true });
    }
    const began = performance.now();
    try {
      const answer = await this.request(dir, AbortSignal.timeout(Math.ceil(timeoutMs)), call, confirms);
      this.#answered();
      return answer;
    } catch (error) {
      const failure = toFailure(error);
      // A background request may end long after the service has answered another one.
      if (failure.code !== "unavailable" || this.#state.answeredAt < began) this.#failed(failure, isBackground);
      return failure;
    }
  }

  /**
   * For tools: rejects with a Failure and logs nothing, because the model gets the error.
   * An answer with a folder is checked: it must be that of the turn.
   *
   * @template Answer
   * @param {string | undefined} dir
   * @param {AbortSignal} signal
   * @param {Call<Answer>} call
   * @param {boolean} [confirms] the answer has a folder
   * @returns {Promise<Answer>}
   */
  async request(dir, signal, call, confirms = false) {
    if (!dir) throw new Failure("not_registered", "the host names no workspace folder for this turn");
    const attempt = async () => {
      const answer = await call(this.client, await this.#workspaces.name(dir, signal, confirms), signal);
      const folder = confirms && /** @type {any} */ (answer).folder;
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
    this.#state.pausedUntil = 0;
    this.#state.told.clear();
  }

  /**
   * @param {Failure} failure
   * @param {boolean} isBackground
   */
  #failed(failure, isBackground) {
    if (failure.timedOut && !isBackground) this.#state.pausedUntil = performance.now() + pauseMs;
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
