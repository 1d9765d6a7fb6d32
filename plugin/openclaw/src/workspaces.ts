/** Finds the registered workspace of a folder. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type Client, Failure } from "./client.ts";
import type { SharedState } from "./state.ts";

/** How long a name is cached. Workspaces are seldom renamed or registered, but the change must show soon. */
const cacheMs = 10_000;

export class Workspaces {
  readonly #client: Client;
  readonly #names: SharedState["names"];

  constructor(client: Client, names: SharedState["names"]) {
    this.#client = client;
    this.#names = names;
  }

  /** Rejects with a Failure `not_registered` if no workspace has that folder. */
  async name(dir: string, signal: AbortSignal): Promise<string> {
    const known = this.#names.get(dir);
    if (known && performance.now() < known.until) return known.name;
    const wanted = realPath(dir);
    const found = (await this.#client.workspaces(signal)).find((workspace) => realPath(workspace.path) === wanted);
    if (!found) {
      this.#names.delete(dir);
      throw new Failure("not_registered", `the folder ${dir} is not registered with the service`, {
        hint: `memory workspace add '${dir}'`,
      });
    }
    this.#names.set(dir, { name: found.name, until: performance.now() + cacheMs });
    return found.name;
  }

  /** Removes a name from the cache after the service reported it as unknown. */
  forget(dir: string): void {
    this.#names.delete(dir);
  }
}

function realPath(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return resolve(dir);
  }
}
