/**
 * What the host tells about a turn: the session, the sender, and whether a person started it.
 *
 * @import { TurnContext } from "../types/host.js"
 * @import { Identity } from "../types/plugin.js"
 */

/**
 * Names the session of a turn, the same in all hooks.
 *
 * @param {{ sessionKey?: string, sessionId?: string }} ctx
 */
export function sessionOf(ctx) {
  return ctx.sessionKey ?? ctx.sessionId;
}

/**
 * Returns the fields of a request that say who asks. A sender id is unique only within
 * its channel, so the user is `channel:id`.
 *
 * @param {TurnContext} ctx
 * @returns {Identity}
 */
export function identityOf(ctx) {
  const channel = ctx.channel ?? ctx.messageProvider;
  const user = ctx.senderId && (channel ? `${channel}:${ctx.senderId}` : ctx.senderId);
  return { agent: ctx.agentId, session: sessionOf(ctx), user: user || undefined, channel };
}

/** Turns that no person started: the host's EmbeddedRunTrigger without user, manual and overflow. */
const automated = ["cron", "heartbeat", "memory"];

/**
 * Reports whether a schedule, the host itself or another agent started the turn.
 *
 * @param {TurnContext} ctx
 */
export function isAutomated(ctx) {
  return automated.includes(ctx.trigger ?? "") || isBackground(ctx.sessionKey ?? "");
}

/**
 * Reports whether no person speaks in a session.
 *
 * @param {string} session
 */
export function isBackground(session) {
  return /(^|:)(subagent|cron|heartbeat)(:|$)/.test(session);
}
