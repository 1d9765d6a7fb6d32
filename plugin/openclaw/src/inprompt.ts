/** Remembers which files stand in a turn's prompt whole, from bootstrap until recall. */
import type { BootstrapFile, HostConfig } from "./host.ts";
import type { Shared } from "./shared.ts";

/** The host's defaults in 2026.9.6; USER.md has a lower one of its own. */
const hostFileChars = 20_000;
const hostTotalChars = 60_000;
const hostUserChars = 4_000;

/** Turns that never come to a recall must not add up; a gateway has far fewer at a time. */
const maxTurns = 500;

export class InPrompt {
  readonly #turns: Shared["turns"];

  constructor(turns: Shared["turns"]) {
    this.#turns = turns;
  }

  set(session: string, files: string[]): void {
    this.#turns.delete(session);
    this.#turns.set(session, files);
    for (const oldest of this.#turns.keys()) {
      if (this.#turns.size <= maxTurns) break;
      this.#turns.delete(oldest);
    }
  }

  /** Once a turn: where the host puts no files in, it does not run the hook that would say so. */
  take(session: string): string[] {
    const files = this.#turns.get(session) ?? [];
    this.#turns.delete(session);
    return files;
  }
}

/** Those of the named files that the host will not cut short. */
export function uncut(files: BootstrapFile[], named: Map<BootstrapFile, string>, config?: HostConfig, agent?: string): string[] {
  const own = config?.agents?.list?.find((entry) => entry.id === agent);
  const limit = (key: "bootstrapMaxChars" | "bootstrapTotalMaxChars", otherwise: number) =>
    own?.[key] ?? config?.agents?.defaults?.[key] ?? otherwise;
  const each = limit("bootstrapMaxChars", hostFileChars);
  let left = limit("bootstrapTotalMaxChars", hostTotalChars);
  const whole: string[] = [];
  for (const file of files) {
    const length = (file.content ?? "").trimEnd().length;
    const most = Math.min(file.name === "USER.md" ? Math.min(each, hostUserChars) : each, left);
    left -= Math.min(length, most);
    const path = named.get(file);
    if (path !== undefined && !file.missing && length > 0 && length <= most) whole.push(path);
  }
  return whole;
}
