/**
 * The state that all instances of this plugin in one process share. The host loads
 * and registers the plugin for each of its registries. Within one turn it may call
 * the bootstrap hook of one instance and the prompt hook of another.
 *
 * @import { SharedState } from "../types/plugin.js"
 */

/** Plain data under a global key, because a reload brings other code. Change the number when SharedState changes. */
const key = Symbol.for("memory-tiered.openclaw.6");

/** @returns {SharedState} */
export function newState() {
  return { hung: false, spent: new Map(), answeredAt: 0, outage: false, told: new Set(), warned: new Set(), names: new Map(), turns: new Map(), shown: new Map(), sessions: new Map(), prompts: new Map() };
}

/**
 * Returns the same object for every caller with that socket, during the life of the process.
 *
 * @param {string} socket
 * @returns {SharedState}
 */
export function sharedState(socket) {
  const processState = /** @type {{ [key]?: Map<string, SharedState> }} */ (globalThis);
  const all = (processState[key] ??= new Map());
  const state = all.get(socket) ?? newState();
  all.set(socket, state);
  return state;
}

/** Bounds what is kept for sessions that never continue. A gateway has far fewer at a time. */
const maxEntries = 500;

/**
 * Sets an entry and removes the oldest ones.
 *
 * @template Value
 * @param {Map<string, Value>} map
 * @param {string} name
 * @param {Value} value
 */
export function remember(map, name, value) {
  map.delete(name);
  map.set(name, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxEntries) break;
    map.delete(oldest);
  }
}
