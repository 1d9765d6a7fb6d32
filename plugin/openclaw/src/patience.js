/**
 * How long a turn waits for the service. All that the plugin asks in one turn has one time
 * limit. Whoever finds that the service hangs ends the waiting for all: until the service
 * answers a cheap question again, which no turn waits for, every request fails at once.
 *
 * @import { Limit, SharedState } from "../types/plugin.js"
 * @import { Client } from "./client.js"
 */
import { toFailure } from "./client.js";
import { remember } from "./state.js";

/** The pause between two questions whether a hanging service answers again, and the time for one. */
const pauseMs = 400;
const probeMs = 1_000;
/** How long it takes at most to notice that the service answers again. */
export const recoveryMs = pauseMs + probeMs;
/** The least time for such a question, where the turn has no time left. */
const leastMs = 100;

/** Why a request was ended: the service hangs. */
const hangs = new Error("the service hangs");

export class Patience {
  #client;
  #state;
  #turnMs;

  /**
   * @param {Client} client
   * @param {SharedState} state
   * @param {number} turnMs the limit of a turn
   */
  constructor(client, state, turnMs) {
    this.#client = client;
    this.#state = state;
    this.#turnMs = turnMs;
  }

  /**
   * Gives a turn its time.
   *
   * @param {string | undefined} session
   */
  begin(session) {
    if (session) remember(this.#state.spent, session, 0);
  }

  /**
   * Returns what is left of the time of a turn, in milliseconds. What is asked outside of
   * a turn has the whole time.
   *
   * @param {string | undefined} session
   */
  left(session) {
    return this.#turnMs - (this.#state.spent.get(session ?? "") ?? 0);
  }

  /**
   * @param {string | undefined} session
   * @param {number} ms
   */
  spend(session, ms) {
    const spent = this.#state.spent.get(session ?? "");
    if (session && spent !== undefined) this.#state.spent.set(session, spent + ms);
  }

  /**
   * Begins to wait for a request. Without patientMs, it may take what the turn has left.
   * With it, it may take longer, as long as the service answers another question meanwhile.
   *
   * @param {string | undefined} session
   * @param {number} [patientMs]
   * @param {AbortSignal} [signal] ends the request too
   * @returns {Limit}
   */
  limit(session, patientMs, signal) {
    const began = performance.now();
    const controller = new AbortController();
    const hung = () => controller.abort(hangs);
    const left = this.left(session);
    const quietMs = left / 4;
    const timers = [setTimeout(patientMs === undefined ? hung : () => controller.abort(), Math.max(0, patientMs ?? left))];
    if (patientMs !== undefined) {
      const ask = async () => ((await this.#answers(Math.max(left - quietMs, leastMs))) ? undefined : hung());
      timers.push(setTimeout(ask, Math.max(0, quietMs)));
    }
    return {
      signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
      end: () => {
        timers.forEach(clearTimeout);
        const isHung = controller.signal.reason === hangs;
        if (isHung || patientMs === undefined) this.spend(session, performance.now() - began);
        if (isHung) this.#hang();
      },
    };
  }

  #hang() {
    if (this.#state.hung) return;
    this.#state.hung = true;
    void this.#probe();
  }

  /** Asks until the service does not hang any more. No process stays alive for it. */
  async #probe() {
    while (this.#state.hung) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      if (await this.#answers(probeMs)) this.#state.hung = false;
    }
  }

  /**
   * Reports whether the service answers, or is not there: then nobody waits for it.
   *
   * @param {number} ms
   */
  async #answers(ms) {
    try {
      await this.#client.health(AbortSignal.timeout(Math.ceil(ms)));
      return true;
    } catch (error) {
      return !toFailure(error).timedOut;
    }
  }
}
