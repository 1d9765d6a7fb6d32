/**
 * The messages of a session as the service takes them: with keys that stay the same in
 * every hook, and without what the host or this plugin put into them.
 *
 * @import { CaptureMessage } from "../types/plugin.js"
 */
import { createHash } from "node:crypto";

/** The service looks at the ends of a long message only. */
const maxChars = 16_000;

/** A smaller number is no count of milliseconds, but perhaps one of seconds. */
const earliest = Date.UTC(2001);

/** Blocks that are nobody's words: the host's context and metadata, and what this plugin adds. */
const blocks = [
  /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[^]*?(<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|$)/g,
  /<(relevant-memories|memory-note|memory-kept|memory-not-kept)>[^]*?(<\/\1>|$)/g,
  /^[\w ]+ \(untrusted[^)\n]*\):\n```\w*\n[^]*?\n```$/gm,
  /^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]*\] /,
];

/**
 * Returns the user's and the assistant's messages that have a text. The same text again has another key.
 *
 * @param {unknown} messages of the host
 * @returns {CaptureMessage[]}
 */
export function toMessages(messages) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return (Array.isArray(messages) ? messages : []).flatMap((message) => {
    const { role, content, timestamp } = message ?? {};
    const text = role === "user" || role === "assistant" ? ownText(content) : "";
    if (text === "") return [];
    const key = createHash("sha256").update(`${role}\0${text.replace(/\s+/g, " ")}`).digest("hex").slice(0, 16);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return [{ key: count === 1 ? key : `${key}/${count}`, role, content: clamp(text), ...sentAt(timestamp) }];
  });
}

/**
 * Returns when a message was sent, if the host says so in milliseconds since 1970.
 *
 * @param {unknown} timestamp
 * @returns {{ at?: string }}
 */
function sentAt(timestamp) {
  const isTime = typeof timestamp === "number" && timestamp >= earliest && timestamp <= Date.now();
  return isTime ? { at: new Date(timestamp).toISOString() } : {};
}

/**
 * Returns the text of a message without foreign blocks.
 *
 * @param {unknown} content a text, or a list of parts
 */
export function ownText(content) {
  const parts = Array.isArray(content) ? content.map((part) => (part?.type === "text" ? String(part.text ?? "") : "")) : [String(content ?? "")];
  return blocks.reduce((text, block) => text.replace(block, ""), parts.join("\n")).trim();
}

/** @param {string} text */
function clamp(text) {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars / 2)}\n${text.slice(-maxChars / 2)}`.toWellFormed();
}
