/**
 * How the plugin asks the daemon: in the workspace of the turn, within a limit,
 * with one warning an outage, and without waiting twice for one that hangs.
 */
import { Client, Failure } from "./client.ts";
import type { Logger } from "./host.ts";
import type { Shared } from "./shared.ts";
import { Workspaces } from "./workspaces.ts";

/** After a hang hooks do not wait again so long: the host asks several times while it starts a turn. */
const restMs = 10_000;

export type Question<Answer> = (client: Client, workspace: string, signal: AbortSignal) => Promise<Answer>;

export class Reach {
  readonly #client: Client;
  readonly #workspaces: Workspaces;
  readonly #log: Logger;
  readonly #state: Shared;

  constructor(socket: string, log: Logger, state: Shared) {
    this.#client = new Client(socket);
    this.#workspaces = new Workspaces(this.#client, state.names);
    this.#log = log;
    this.#state = state;
  }

  get socket(): string {
    return this.#client.socket;
  }

  /** For hooks: answers or says why not, never rejects, and has warned where it was needed. */
  async inTurn<Answer>(dir: string | undefined, limitMs: number, question: Question<Answer>): Promise<Answer | Failure> {
    if (performance.now() < this.#state.restUntil) {
      return new Failure("unavailable", "the daemon did not answer in time a moment ago", { hung: true });
    }
    try {
      const answer = await this.ask(dir, AbortSignal.timeout(limitMs), question);
      this.#answered();
      return answer;
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure("internal", String(error));
      this.#failed(failure);
      return failure;
    }
  }

  /** For tools: rejects with a Failure and warns of nothing, for the model is told. */
  async ask<Answer>(dir: string | undefined, signal: AbortSignal, question: Question<Answer>): Promise<Answer> {
    if (!dir) throw new Failure("not_registered", "the host names no workspace folder for this turn");
    try {
      return await question(this.#client, await this.#workspaces.name(dir, signal), signal);
    } catch (error) {
      if (!(error instanceof Failure && error.code === "not_found" && error.field === "workspace")) throw error;
      this.#workspaces.forget(dir);
      return await question(this.#client, await this.#workspaces.name(dir, signal), signal);
    }
  }

  #answered(): void {
    if (this.#state.out) this.#log.info("memory-tiered: the daemon answers again");
    this.#state.out = false;
    this.#state.restUntil = 0;
  }

  #failed(failure: Failure): void {
    if (failure.hung) this.#state.restUntil = performance.now() + restMs;
    if (failure.code === "unavailable") {
      if (this.#state.out) return;
      this.#state.out = true;
    } else if (this.#state.told.has(failure.message)) {
      return;
    } else {
      this.#state.told.add(failure.message);
    }
    this.#log.warn(`memory-tiered: going on without memory: ${failure.message}${failure.hint && ` (${failure.hint})`}`);
  }
}
