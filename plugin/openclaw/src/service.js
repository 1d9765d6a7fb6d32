/**
 * Starts the memory service from the gateway, where the operating system does not. It
 * starts it again after it ended. The service itself makes sure that there is only one.
 *
 * @import { Settings } from "../types/plugin.js"
 * @import { HostService, Logger } from "../types/host.js"
 * @import { Client } from "./client.js"
 */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { toFailure } from "./client.js";

/** How often the service is looked for. */
const checkMs = 2_000;
/** The longest pause between two starts of a service that ends at once. */
const maxPauseMs = 60_000;

/**
 * @param {Client} client
 * @param {Settings} settings
 * @param {Logger} log
 * @returns {HostService}
 */
export function serviceStarter(client, settings, log) {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let isStopped = true;
  let absent = 0;
  let pauseMs = checkMs;

  async function check() {
    try {
      await client.get("/v1/health", {}, AbortSignal.timeout(checkMs));
      [absent, pauseMs] = [0, checkMs];
    } catch (error) {
      // One that hangs is not started again. One that is absent may be starting now.
      absent = toFailure(error).timedOut ? 0 : absent + 1;
    }
    if (isStopped) return;
    if (absent > 1 && !child) start();
    timer = setTimeout(check, absent > 1 ? pauseMs : checkMs);
    timer.unref();
  }

  function start() {
    const dir = dirname(settings.socket);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    log.info(`memory-tiered: starting the memory service (${settings.binary} serve)`);
    const started = spawn(settings.binary, ["serve", "--log-file", join(dir, "service.log")], {
      env: { ...process.env, MEMORY_STATE_DIR: dir },
      stdio: "ignore",
    });
    child = started;
    started.on("error", (error) => {
      log.warn(`memory-tiered: the memory service cannot be started: ${error.message} (install it, or set plugins.entries.memory-tiered.config.binary)`);
      child = undefined;
    });
    started.on("exit", () => (child = undefined));
  }

  return {
    id: "memory-tiered",
    async start() {
      isStopped = false;
      await check();
    },
    /** Ends the service if this plugin started it. */
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const running = child;
      if (!running) return;
      await new Promise((resolve) => {
        running.once("exit", resolve);
        running.kill("SIGTERM");
      });
    },
  };
}
