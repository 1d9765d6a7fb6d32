/**
 * The state that all instances of this plugin in one process share. The host loads
 * and registers the plugin for each of its registries. Within one turn it may call
 * the bootstrap hook of one instance and the prompt hook of another.
 */

export interface SharedState {
  /** Hooks do not ask the service before this time, on the clock of performance.now(). */
  pausedUntil: number;
  /** The last request did not reach the service, and a warning was logged. */
  outage: boolean;
  /** Messages of other failures that were logged. */
  warned: Set<string>;
  /** Workspace names by folder, each valid until a time. */
  names: Map<string, { name: string; until: number }>;
  /** By session: the files that are in full in the prompt of the turn in preparation. */
  turns: Map<string, string[]>;
}

/** Plain data under a global key, because a reload brings other code. Change the number when SharedState changes. */
const key = Symbol.for("memory-tiered.openclaw.2");

export function newState(): SharedState {
  return { pausedUntil: 0, outage: false, warned: new Set(), names: new Map(), turns: new Map() };
}

/** Returns the same object for every caller with that socket, during the life of the process. */
export function sharedState(socket: string): SharedState {
  const processState = globalThis as { [key]?: Map<string, SharedState> };
  const all = (processState[key] ??= new Map());
  const state = all.get(socket) ?? newState();
  all.set(socket, state);
  return state;
}
