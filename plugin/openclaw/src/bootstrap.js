/**
 * Replaces MEMORY.md and USER.md before the host puts them before a model. The
 * service removes forgotten memories, and the front matter lines that quote them.
 *
 * @import { Settings } from "../types/plugin.js"
 * @import { BootstrapContext, BootstrapEvent, BootstrapFile } from "../types/host.js"
 * @import { ServedFile } from "../types/service.js"
 * @import { PromptFiles } from "./promptfiles.js"
 * @import { Requester } from "./requester.js"
 */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Failure } from "./client.js";
import { filesInFull } from "./promptfiles.js";

/** The indexed files that the host injects. */
const servedNames = ["MEMORY.md", "USER.md"];

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {PromptFiles} promptFiles
 * @returns {(event: BootstrapEvent) => Promise<void>}
 */
export function bootstrapHook(requester, settings, promptFiles) {
  return async (event) => {
    const context = /** @type {BootstrapContext} */ (event.context);
    const { bootstrapFiles: files, workspaceDir: dir } = context;
    if (!Array.isArray(files) || !dir) return;
    /** @type {Map<BootstrapFile, string>} */
    const pathByFile = new Map(files.filter((file) => isServed(file, dir)).map((file) => [file, relative(dir, resolve(dir, file.path))]));
    if (pathByFile.size === 0) return;
    const paths = [...new Set(pathByFile.values())];
    const answer = await requester.tryRequest(dir, settings.recallTimeoutMs, (client, workspace, signal) => client.files(workspace, paths, signal));
    /** @type {Map<BootstrapFile, string>} */
    const contents = new Map();
    const changed = files.map((file) => {
      const path = pathByFile.get(file);
      if (path === undefined) return file;
      const result = answer instanceof Failure ? passThrough(file, answer, requester, settings) : replacement(file, path, answer);
      if (result) contents.set(result, path);
      return result ?? withheld(file);
    });
    context.bootstrapFiles = changed;
    const session = context.sessionKey ?? context.sessionId;
    if (session) promptFiles.set(session, filesInFull(changed, contents, context.cfg, context.agentId));
  };
}

/**
 * @param {BootstrapFile} file
 * @param {string} dir
 */
function isServed(file, dir) {
  return !file.missing && typeof file.path === "string" && servedNames.includes(relative(dir, resolve(dir, file.path)));
}

/**
 * passThrough returns the file unchanged if nothing can be forgotten: in a folder
 * that the service does not serve, and where no service ever ran. Otherwise the
 * setting whenUnavailable decides.
 *
 * @param {BootstrapFile} file
 * @param {Failure} failure
 * @param {Requester} requester
 * @param {Settings} settings
 */
function passThrough(file, failure, requester, settings) {
  const pass = failure.code === "not_registered" || settings.whenUnavailable === "pass" || !existsSync(dirname(requester.socket));
  return pass ? file : undefined;
}

/**
 * Returns a copy, because the host reuses its file object in later turns of the session.
 *
 * @param {BootstrapFile} file
 * @param {string} path
 * @param {ServedFile[]} answer
 * @returns {BootstrapFile | undefined}
 */
function replacement(file, path, answer) {
  const now = answer.find((candidate) => candidate.path === path);
  return now && { ...file, content: now.content, missing: now.missing === true };
}

/**
 * @param {BootstrapFile} file
 * @returns {BootstrapFile}
 */
function withheld(file) {
  return {
    ...file,
    content: `[${file.name} is withheld: the memory service does not answer, so forgotten memories cannot be removed. Tell the user that memory is unavailable.]`,
  };
}
