/**
 * The host's limits for the files that it injects.
 *
 * @import { BootstrapFile, BootstrapLimits, HostConfig } from "../types/host.js"
 */

/** The host's default limits in 2026.9.6; USER.md has a lower limit of its own. */
const hostFileChars = 20_000;
const hostTotalChars = 60_000;
const hostUserChars = 4_000;

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
  const { entries, list } = config?.agents ?? {};
  const own = entries?.[agent ?? ""] ?? list?.find((entry) => entry.id === agent);
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
