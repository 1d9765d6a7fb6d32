/**
 * Capture: offers what was said to the service, which keeps what is worth keeping. The
 * host sends the whole session each time; a cursor leaves out what was offered before.
 *
 * @import { CapturedSession, CaptureMessage, Settings, SharedState } from "../types/plugin.js"
 * @import { TurnContext } from "../types/host.js"
 * @import { CaptureAnswer } from "../types/service.js"
 * @import { Requester } from "./requester.js"
 */
import { ownText, toMessages } from "./messages.js";
import { remember } from "./state.js";
import { identityOf, isAutomated, sessionOf } from "./turn.js";

/** Storing takes the service up to a second a memory. The host allows capture more, except at its end. */
const timeoutMs = 10_000;
/** The host allows 2 s for everything at its end. */
const endTimeoutMs = 1_500;
/** Less than the service's limit for a body. Only a session that was never offered is longer. */
const maxBodyChars = 400_000;
/** A memory's text in the note of what was kept. */
const maxKeptChars = 200;

export class Capture {
  #requester;
  #settings;
  #state;
  #sessions;

  /**
   * @param {Requester} requester
   * @param {Settings} settings
   * @param {SharedState} state
   */
  constructor(requester, settings, state) {
    this.#requester = requester;
    this.#settings = settings;
    this.#state = state;
    this.#sessions = state.sessions;
  }

  /**
   * Offers the messages of a session. The next turn of the session waits for it.
   *
   * @param {{ messages?: unknown[], success?: boolean }} event
   * @param {TurnContext} ctx
   */
  async offer(event, ctx) {
    const name = sessionOf(ctx);
    if (!this.#settings.autoCapture || !name || isAutomated(ctx)) return;
    const session = this.#session(name);
    if (event.messages) session.messages = toMessages(event.messages);
    // A hook before compaction names no sender: the last turn's counts.
    session.ctx = { ...session.ctx, ...ctx };
    session.success = event.success ?? session.success;
    await this.#send(session, timeoutMs);
  }

  /**
   * Offers what is left of a session that ends.
   *
   * @param {{ sessionKey?: string, sessionId?: string }} ctx
   */
  async end(ctx) {
    const session = this.#sessions.get(sessionOf(ctx) ?? "");
    if (session) await this.#send(session, endTimeoutMs);
  }

  /**
   * Waits until what was said before is stored, so that the turn that begins knows it. It
   * takes at most half of the turn's time limit.
   *
   * @param {TurnContext} ctx
   * @returns {Promise<number>} how many milliseconds it took
   */
  async settle(ctx) {
    const session = this.#sessions.get(sessionOf(ctx) ?? "");
    if (!session) return 0;
    const start = performance.now();
    const sent = this.#send(session, timeoutMs); // also what failed in an outage
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, this.#settings.recallTimeoutMs / 2)));
    if (!this.#state.outage) await Promise.race([sent, limit]);
    clearTimeout(timer);
    return performance.now() - start;
  }

  /**
   * Returns a note about what was kept since the last turn, or an empty text.
   *
   * @param {TurnContext} ctx
   */
  keptNote(ctx) {
    const kept = this.#sessions.get(sessionOf(ctx) ?? "")?.kept.splice(0) ?? [];
    return kept.length === 0 ? "" : `<memory-kept>\nKept in memory from what was said before:\n${kept.join("\n")}\n</memory-kept>`;
  }

  /** @param {string} name */
  #session(name) {
    const known = this.#sessions.get(name);
    /** @type {CapturedSession} */
    const session = known ?? { messages: [], offered: new Set(), ctx: {}, success: true, kept: [], sending: undefined };
    remember(this.#sessions, name, session);
    return session;
  }

  /**
   * One request a session at a time: a second one offers what is left.
   *
   * @param {CapturedSession} session
   * @param {number} limitMs
   */
  async #send(session, limitMs) {
    while (session.sending) await session.sending;
    const messages = unsent(session);
    if (messages.length === 0) return;
    const { agent, session: name, user, channel } = identityOf(session.ctx);
    const body = { messages, session: name, agent, user, channel, trigger: session.ctx.trigger, success: session.success };
    session.sending = this.#requester
      .tryRequest(session.ctx.workspaceDir, limitMs, (client, workspace, signal) => client.post("/v1/capture", { ...body, workspace }, signal), { isBackground: true })
      .then((/** @type {CaptureAnswer | Error} */ answer) => {
        if (answer instanceof Error) return;
        // An assistant's last message is offered again, because the answer to it is to come.
        for (const message of messages) if (message.role === "user" || message !== messages.at(-1)) session.offered.add(message.key);
        session.kept.push(...answer.stored.map((memory) => `- [${memory.category} ${memory.id.slice(0, 8)}] ${oneLine(memory.text)}`));
      })
      .finally(() => (session.sending = undefined));
    await session.sending;
  }
}

/**
 * Returns the messages that were not offered, with the one before them: an assistant's
 * proposal counts only with its answer.
 *
 * @param {CapturedSession} session
 * @returns {CaptureMessage[]}
 */
function unsent({ messages, offered }) {
  const first = messages.findIndex((message) => !offered.has(message.key));
  if (first < 0 || messages.slice(first).every((message) => message.role === "assistant" && offered.size > 0)) return [];
  let from = Math.max(first - 1, 0);
  let size = 0;
  for (let n = messages.length - 1; n >= from; n--) {
    size += messages[n]?.content.length ?? 0;
    if (size > maxBodyChars) from = n + 1;
  }
  return messages.slice(from);
}

/** @param {string} text */
function oneLine(text) {
  const line = ownText(text).replace(/[<>]/g, "").replace(/\s+/g, " ");
  return line.length <= maxKeptChars ? line : `${line.slice(0, maxKeptChars - 1).toWellFormed()}…`;
}
