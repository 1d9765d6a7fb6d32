/**
 * The flush before a compaction: a turn in which the agent itself writes down what is
 * worth keeping. Its file is marked, because an agent's words are not the user's.
 *
 * @import { FlushParams, FlushPlan, TurnContext } from "../types/host.js"
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The values of the host's own plan in 2026.9.6. */
const softThresholdTokens = 4_000;
const forceFlushTranscriptBytes = 2 << 20;
const reserveTokensFloor = 20_000;

const head = "---\ntrust: untrusted\n---\n\n";

/**
 * Returns the plan, or null where the configuration turns the flush off.
 *
 * @param {FlushParams} params
 * @returns {FlushPlan | null}
 */
export function flushPlan({ cfg, nowMs, contextWindowTokens }) {
  const settings = cfg?.agents?.defaults?.compaction?.memoryFlush ?? {};
  if (settings.enabled === false) return null;
  const relativePath = flushPath(cfg?.agents?.defaults?.userTimezone, nowMs);
  const soft = settings.softThresholdTokens ?? softThresholdTokens;
  const rules =
    `Append to ${relativePath}, one bullet for each fact, decision or preference of the user that will matter later. ` +
    "Keep what is in the file. Write to no other file, and never to MEMORY.md or USER.md. Never write passwords or other secrets. " +
    "If there is nothing to keep, or when you are done, reply with NO_REPLY.";
  return {
    softThresholdTokens: contextWindowTokens ? Math.min(soft, Math.max(0, Math.floor((contextWindowTokens - reserveTokensFloor) / 2))) : soft,
    forceFlushTranscriptBytes: Number(settings.forceFlushTranscriptBytes) || forceFlushTranscriptBytes,
    reserveTokensFloor,
    ...(settings.model ? { model: settings.model } : {}),
    prompt: `The session is about to be compacted. ${rules}`,
    systemPrompt: `This turn comes before a compaction. ${rules}`,
    relativePath,
  };
}

/**
 * Begins the file of a flush with its mark. The host has created the file, empty, before
 * the turn.
 *
 * @param {TurnContext} ctx
 * @param {string} [timezone] as in the plan
 */
export function prepareFlush(ctx, timezone) {
  if (ctx.trigger !== "memory" || !ctx.workspaceDir) return;
  const file = join(ctx.workspaceDir, flushPath(timezone));
  try {
    mkdirSync(dirname(file), { recursive: true });
    const isNew = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (isNew) writeFileSync(file, head, { flag: "a" });
  } catch {
    // The agent cannot write it either.
  }
}

/**
 * @param {string | undefined} timezone
 * @param {number} [nowMs]
 */
function flushPath(timezone, nowMs = Date.now()) {
  return `memory/agent/${new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...(timezone ? { timeZone: timezone } : {}) }).format(nowMs)}.md`;
}
