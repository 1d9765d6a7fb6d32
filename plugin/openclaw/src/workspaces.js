/**
 * Finds the registered workspace of a folder.
 *
 * @import { Client } from "./client.js"
 * @import { SharedState } from "../types/plugin.js"
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "./client.js";

/** How long a name is cached. Workspaces are seldom renamed or registered, but the change must show soon. */
const cacheMs = 10_000;

export class Workspaces {
  #client;
  #names;

  /**
   * @param {Client} client
   * @param {SharedState["names"]} names
   */
  constructor(client, names) {
    this.#client = client;
    this.#names = names;
  }

  /**
   * Rejects with a Failure `not_registered` if no workspace has that folder.
   *
   * @param {string} dir
   * @param {AbortSignal} signal
   * @param {boolean} [confirms] the answer names the folder, so that an old name does no harm
   * @returns {Promise<string>}
   */
  async name(dir, signal, confirms = false) {
    if (this.#client.remote) return this.#client.remote.workspace; // its folders are those of another machine
    const known = this.#names.get(dir);
    if (known && (confirms || performance.now() < known.until)) return known.name;
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

  /**
   * Reports whether an answer came from the workspace of this folder.
   *
   * @param {string} dir
   * @param {string} folder as the answer names it
   */
  confirm(dir, folder) {
    const known = this.#names.get(dir);
    const isRight = realPath(dir) === realPath(folder);
    if (known && isRight) known.until = performance.now() + cacheMs;
    return isRight;
  }

  /**
   * Removes a name from the cache after the service reported it as unknown.
   *
   * @param {string} dir
   */
  forget(dir) {
    this.#names.delete(dir);
  }
}

/** @param {string} dir */
function realPath(dir) {
  try {
    return realpathSync(dir);
  } catch {
    return resolve(dir);
  }
}
