/**
 * Capture: offers what was said to the service, which keeps what is worth keeping. The
 * host sends the whole session each time; a cursor leaves out what was offered before.
 *
 * @import { CapturedSession, CaptureMessage } from "../types/plugin.js"
 * @import { TurnContext } from "../types/host.js"
 * @import { CaptureAnswer } from "../types/service.js"
 */
import { Hook } from "./hook.js";
import { ownText, toMessages } from "./messages.js";
import { remember } from "./state.js";
import { identityOf, isAutomated, isBackground, sessionOf } from "./turn.js";

/** Storing takes the service up to a second a memory. The host allows capture more, except at its end. */
const timeoutMs = 10_000;
/** The host allows 2 s for everything at its end. */
const endTimeoutMs = 1_500;
/** Less than the service's limit for a body. Only a session that was never offered is longer. */
const maxBodyChars = 400_000;
/** A memory's text in the note of what was kept. */
const maxKeptChars = 200;

export class Capture extends Hook {
  /**
   * Offers the messages of a session. The next turn of the session waits for it.
   *
   * @param {{ messages?: unknown[], success?: boolean }} event
   * @param {TurnContext} ctx
   */
  async offer(event, ctx) {
    const name = sessionOf(ctx);
    if (!this.settings.autoCapture || !name || isBackground(name)) return;
    const session = this.#session(name);
    // A hook before a compaction may name only the session: the turn's sender and trigger count.
    session.trigger = ctx.trigger ?? session.trigger;
    if (isAutomated({ trigger: session.trigger })) {
      skipAdded(session, event.messages);
    } else {
      session.ctx = { ...session.ctx, ...ctx };
      session.success = event.success ?? session.success;
      if (event.messages) addMessages(session, event.messages);
    }
    await this.#send(session, timeoutMs);
  }

  /**
   * Offers what is left of a session that ends.
   *
   * @param {{ sessionKey?: string, sessionId?: string }} ctx
   */
  async end(ctx) {
    const session = this.state.sessions.get(sessionOf(ctx) ?? "");
    if (session) await this.#send(session, endTimeoutMs);
  }

  /**
   * Waits until what was said before is stored, so that the turn that begins knows it. It
   * takes at most half of the turn's time limit.
   *
   * @param {TurnContext} ctx
   */
  async settle(ctx) {
    const name = sessionOf(ctx);
    if (!this.settings.autoCapture || !name || isBackground(name)) return;
    const session = this.#session(name);
    session.trigger = ctx.trigger;
    if (!isAutomated(ctx)) session.ctx = { ...session.ctx, ...ctx };
    if (!session.sending && unsent(session).length === 0) return;
    const start = performance.now();
    const sent = this.#send(session, timeoutMs); // also what failed in an outage
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, this.settings.recallTimeoutMs / 2)));
    if (!this.state.outage) await Promise.race([sent, limit]);
    clearTimeout(timer);
    this.requester.patience.spend(name, performance.now() - start);
  }

  /**
   * Returns a note about what was kept since the last turn, or an empty text.
   *
   * @param {TurnContext} ctx
   */
  keptNote(ctx) {
    const session = this.state.sessions.get(sessionOf(ctx) ?? "");
    const kept = session?.kept.splice(0) ?? [];
    const notKept = [...(session?.notKept ?? [])];
    session?.notKept.clear();
    return [
      kept.length === 0 ? "" : `<memory-kept>\nKept in memory from what was said before:\n${kept.join("\n")}\n</memory-kept>`,
      notKept.length === 0 ? "" : `<memory-not-kept>The user asked to remember something that is not kept: ${notKept.join("; ")}. Tell the user.</memory-not-kept>`,
    ]
      .filter((text) => text !== "")
      .join("\n\n");
  }

  /** @param {string} name */
  #session(name) {
    const known = this.state.sessions.get(name);
    /** @type {CapturedSession} */
    const session = known ?? { messages: [], speakers: new Map(), skipped: new Set(), offered: new Set(), ctx: {}, trigger: undefined, success: true, kept: [], notKept: new Set(), sending: undefined };
    remember(this.state.sessions, name, session);
    return session;
  }

  /**
   * Offers what is left, one request at a time in a session.
   *
   * @param {CapturedSession} session
   * @param {number} limitMs
   */
  async #send(session, limitMs) {
    while (session.sending) await session.sending;
    session.sending = this.#sendAll(session, limitMs).finally(() => (session.sending = undefined));
    await session.sending;
  }

  /**
   * @param {CapturedSession} session
   * @param {number} limitMs
   */
  async #sendAll(session, limitMs) {
    for (let before = -1; session.offered.size > before; ) {
      before = session.offered.size;
      const messages = ofOneSpeaker(session, unsent(session));
      if (messages.length > 0) await this.#sendSome(session, messages, limitMs);
    }
  }

  /**
   * @param {CapturedSession} session
   * @param {CaptureMessage[]} messages of one speaker
   * @param {number} limitMs
   */
  async #sendSome(session, messages, limitMs) {
    const speaking = messages.find((message) => message.role === "user") ?? messages[0];
    const ctx = session.speakers.get(speaking?.key ?? "") ?? session.ctx;
    const { agent, session: name, user, channel } = identityOf(ctx);
    const body = { messages, session: name, agent, user, channel, trigger: ctx.trigger, success: session.success };
    const answer = /** @type {CaptureAnswer | Error} */ (
      await this.requester.tryRequest(ctx.workspaceDir, (client, workspace, signal) => client.post("/v1/capture", { ...body, workspace }, signal), { session: name, patientMs: limitMs })
    );
    if (answer instanceof Error) return;
    // An assistant's last message is offered again, because the answer to it is to come.
    for (const message of messages) if (message.role === "user" || message !== messages.at(-1)) session.offered.add(message.key);
    session.kept.push(...answer.stored.map((memory) => `- [${memory.category} ${memory.id.slice(0, 8)}] ${oneLine(memory.text)}`));
    for (const { not_kept: reason } of answer.skipped) if (reason) session.notKept.add(reason);
  }
}

/**
 * Notes the messages of a session. The new ones are those of the turn.
 *
 * @param {CapturedSession} session
 * @param {unknown[]} messages
 */
function addMessages(session, messages) {
  session.messages = toMessages(messages).filter(({ key }) => !session.skipped.has(key));
  session.speakers = new Map(session.messages.map(({ key }) => [key, session.speakers.get(key) ?? session.ctx]));
}

/**
 * Returns the first messages with the words of one speaker only.
 *
 * @param {CapturedSession} session
 * @param {CaptureMessage[]} messages
 */
function ofOneSpeaker({ speakers, offered }, messages) {
  const speakerOf = (/** @type {CaptureMessage | undefined} */ message) => identityOf(speakers.get(message?.key ?? "") ?? {}).user;
  const speaker = speakerOf(messages.find((message) => message.role === "user" && !offered.has(message.key)));
  const isOther = (/** @type {CaptureMessage} */ message) => message.role === "user" && speakerOf(message) !== speaker;
  const from = Math.max(messages.findIndex((message) => !isOther(message)), 0);
  const end = messages.findIndex((message, n) => n > from && isOther(message));
  return messages.slice(from, end < 0 ? undefined : end);
}

/**
 * Notes what an automated turn added: no person said it, and later turns send the whole session.
 *
 * @param {CapturedSession} session
 * @param {unknown[]} [messages]
 */
function skipAdded(session, messages) {
  const said = new Set(session.messages.map((message) => message.key));
  for (const { key } of toMessages(messages)) if (!said.has(key)) session.skipped.add(key);
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
