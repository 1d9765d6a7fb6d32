/**
 * Remembers which files are in a turn's prompt in full, from bootstrap until recall.
 *
 * @import { BootstrapFile, BootstrapLimits, HostConfig } from "../types/host.js"
 * @import { SharedState } from "../types/plugin.js"
 */

/** The host's default limits in 2026.9.6; USER.md has a lower limit of its own. */
const hostFileChars = 20_000;
const hostTotalChars = 60_000;
const hostUserChars = 4_000;

/** Bounds the memory for turns that never reach a recall. A gateway has far fewer turns at a time. */
const maxTurns = 500;

export class PromptFiles {
  #turns;

  /** @param {SharedState["turns"]} turns */
  constructor(turns) {
    this.#turns = turns;
  }

  /**
   * @param {string} session
   * @param {string[]} files
   */
  set(session, files) {
    this.#turns.delete(session);
    this.#turns.set(session, files);
    for (const oldest of this.#turns.keys()) {
      if (this.#turns.size <= maxTurns) break;
      this.#turns.delete(oldest);
    }
  }

  /**
   * Returns and removes the entry, because a later turn of the session may have no files and no bootstrap hook.
   *
   * @param {string} session
   * @returns {string[]}
   */
  take(session) {
    const files = this.#turns.get(session) ?? [];
    this.#turns.delete(session);
    return files;
  }
}

/**
 * Returns the paths of those files that the host will not truncate.
 *
 * @param {BootstrapFile[]} files
 * @param {Map<BootstrapFile, string>} paths
 * @param {HostConfig} [config]
 * @param {string} [agent]
 * @returns {string[]}
 */
export function filesInFull(files, paths, config, agent) {
  const own = config?.agents?.list?.find((entry) => entry.id === agent);
  const limit = (/** @type {keyof BootstrapLimits} */ key, /** @type {number} */ fallback) =>
    own?.[key] ?? config?.agents?.defaults?.[key] ?? fallback;
  const perFile = limit("bootstrapMaxChars", hostFileChars);
  let remaining = limit("bootstrapTotalMaxChars", hostTotalChars);
  const full = [];
  for (const file of files) {
    const length = (file.content ?? "").trimEnd().length;
    const allowed = Math.min(file.name === "USER.md" ? Math.min(perFile, hostUserChars) : perFile, remaining);
    remaining -= Math.min(length, allowed);
    const path = paths.get(file);
    if (path !== undefined && !file.missing && length > 0 && length <= allowed) full.push(path);
  }
  return full;
}
