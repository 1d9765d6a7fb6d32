/** Which registered workspace a folder is. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type Client, Failure } from "./client.ts";
import type { Shared } from "./shared.ts";

/** How long a name is believed: renaming and registering are rare, but must show soon. */
const believedMs = 10_000;

export class Workspaces {
  readonly #client: Client;
  readonly #names: Shared["names"];

  constructor(client: Client, names: Shared["names"]) {
    this.#client = client;
    this.#names = names;
  }

  /** Rejects with a Failure `not_registered` where no workspace has that folder. */
  async name(dir: string, signal: AbortSignal): Promise<string> {
    const known = this.#names.get(dir);
    if (known && performance.now() < known.until) return known.name;
    const wanted = real(dir);
    const found = (await this.#client.workspaces(signal)).find((workspace) => real(workspace.path) === wanted);
    if (!found) {
      this.#names.delete(dir);
      throw new Failure("not_registered", `the folder ${dir} is not registered with the daemon`, {
        hint: `memory workspace add '${dir}'`,
      });
    }
    this.#names.set(dir, { name: found.name, until: performance.now() + believedMs });
    return found.name;
  }

  /** To be called where the daemon does not know a name any more. */
  forget(dir: string): void {
    this.#names.delete(dir);
  }
}

function real(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return resolve(dir);
  }
}
