/**
 * What all instances of this plugin in one process share. The host loads and
 * registers it anew for each of its registries, and within one turn calls the
 * bootstrap hook of one instance and the prompt hook of another.
 */

export interface Shared {
  /** Hooks do not wait for the daemon before; on the clock of performance.now(). */
  restUntil: number;
  /** The daemon could not be asked last time, and a warning has said so. */
  out: boolean;
  /** Other failures that a warning has told of. */
  told: Set<string>;
  /** Workspaces by their folder, each believed for a while. */
  names: Map<string, { name: string; until: number }>;
  /** By session: files that stand whole in the prompt of a turn that is being prepared. */
  turns: Map<string, string[]>;
}

/** Plain data under a name of its own, for a reload brings other code: change the number with the shape. */
const key = Symbol.for("memory-tiered.openclaw.1");

export function fresh(): Shared {
  return { restUntil: 0, out: false, told: new Set(), names: new Map(), turns: new Map() };
}

/** The same for every caller with that socket, as long as the process lives. */
export function shared(socket: string): Shared {
  const everywhere = globalThis as { [key]?: Map<string, Shared> };
  const all = (everywhere[key] ??= new Map());
  const state = all.get(socket) ?? fresh();
  all.set(socket, state);
  return state;
}
