/**
 * What a tool may ask the service: always for the turn's workspace and user, and always
 * for a model, so that no answer contains what may not be put before one.
 *
 * @import { Settings } from "../types/plugin.js"
 * @import { ToolContext, ToolResult } from "../types/host.js"
 * @import { Requester } from "./requester.js"
 */
import { Failure, toFailure, withQuery } from "./client.js";
import { identityOf } from "./turn.js";

/** The route of the current context takes no audience. */
const withoutAudience = ["/v1/context"];
/** The routes that select by scope. The service chooses it by agent and channel. */
const withScope = ["/v1/search", "/v1/memories"];

export class Ask {
  #requester;
  #settings;
  #signal;

  /**
   * @param {Requester} requester
   * @param {Settings} settings
   * @param {ToolContext} ctx
   * @param {AbortSignal} [signal] ends with the turn
   */
  constructor(requester, settings, ctx, signal) {
    this.#requester = requester;
    this.#settings = settings;
    this.#signal = signal;
    this.ctx = ctx;
    this.who = identityOf({ ...ctx, channel: ctx.messageChannel ?? undefined, senderId: ctx.requesterSenderId ?? undefined });
  }

  /**
   * @param {string} method GET and DELETE take the fields as a query
   * @param {string} path
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  send(method, path, fields = {}) {
    const { agent, user, channel } = this.who;
    const audience = withoutAudience.includes(path) ? {} : { for: "model" };
    const all = { ...fields, ...(withScope.includes(path) ? { agent } : {}), user, channel, ...audience };
    const isQuery = method === "GET" || method === "DELETE";
    return this.#requester.request(
      this.ctx.workspaceDir,
      (client, workspace, within) => client.send(method, isQuery ? withQuery(path, { ...all, workspace }) : path, isQuery ? undefined : { ...all, workspace }, within),
      { session: this.who.session, patientMs: this.#settings.searchTimeoutMs, signal: this.#signal },
    );
  }

  /**
   * Returns why a request failed. An aborted turn is no failure of the service.
   *
   * @param {unknown} error
   * @returns {Failure}
   */
  failure(error) {
    this.#signal?.throwIfAborted();
    const failure = toFailure(error);
    return new Failure(failure.code, failure.message, { ...failure, hint: failure.hint || "run memory status to see the state of the service" });
  }
}

/**
 * @template Details
 * @param {string} text
 * @param {Details} details
 * @returns {ToolResult<Details>}
 */
export function result(text, details) {
  return { content: [{ type: "text", text }], details };
}
