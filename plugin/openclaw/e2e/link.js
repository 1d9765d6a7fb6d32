/** The socket that the plugin knows. It leads to the service's socket, until a test makes it slow or takes it away. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

export class Link {
  #socket;
  #target;
  #server;

  /** dir: the plugin's state folder; target: the service's socket. */
  constructor(dir, target) {
    mkdirSync(dir, { recursive: true });
    this.#socket = join(dir, "tiered.sock");
    this.#target = target;
  }

  pass() {
    this.remove();
    symlinkSync(this.#target, this.#socket);
  }

  remove() {
    this.#server?.close();
    this.#server = undefined;
    rmSync(this.#socket, { force: true });
  }

  /** Every answer is late by so many milliseconds. */
  slow(ms) {
    return this.#forward((chunk, client) => setTimeout(() => client.writable && client.write(chunk), ms));
  }

  /** Every answer ends after its first bytes. */
  cut() {
    return this.#forward((chunk, client) => client.end(chunk.subarray(0, 40)));
  }

  #forward(answer) {
    this.remove();
    this.#server = createServer((client) => {
      const service = connect(this.#target);
      for (const side of [client, service]) side.on("error", () => [client, service].forEach((one) => one.destroy()));
      client.on("close", () => service.destroy());
      client.on("data", (chunk) => service.write(chunk));
      service.on("data", (chunk) => answer(chunk, client));
    });
    return new Promise((resolve) => this.#server.listen(this.#socket, resolve));
  }
}
