/**
 * Replaces MEMORY.md and USER.md before the host puts them before a model. The
 * service removes forgotten memories, and the front matter lines that quote them.
 *
 * @import { Settings } from "../types/plugin.js"
 * @import { BootstrapContext, BootstrapEvent, BootstrapFile } from "../types/host.js"
 * @import { ServedFile } from "../types/service.js"
 * @import { LastShown } from "./lastshown.js"
 * @import { Recall } from "./recall.js"
 * @import { Requester } from "./requester.js"
 */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Failure } from "./client.js";
import { filesInFull } from "./promptfiles.js";
import { sessionOf } from "./turn.js";

/** The indexed files that the host injects. */
const servedNames = ["MEMORY.md", "USER.md"];

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {Recall} recall
 * @param {LastShown} lastShown
 * @returns {(event: BootstrapEvent) => Promise<void>}
 */
export function bootstrapHook(requester, settings, recall, lastShown) {
  return async (event) => {
    const context = /** @type {BootstrapContext} */ (event.context);
    const { bootstrapFiles: files, workspaceDir: dir, cfg, agentId } = context;
    if (!Array.isArray(files) || !dir) return;
    /** @type {Map<BootstrapFile, string>} */
    const pathByFile = new Map(files.filter((file) => isServed(file, dir)).map((file) => [file, relative(dir, resolve(dir, file.path))]));
    if (pathByFile.size === 0) return;
    const paths = [...new Set(pathByFile.values())];
    const session = sessionOf(context);
    const reader = recall.readerOf(session);
    const readerName = JSON.stringify(reader);
    const hashesBefore = new Map(paths.map((path) => [path, lastShown.hashNow(dir, path)]));
    const answer =
      (await recall.withFiles(session, dir, paths, filesInFull(files, pathByFile, cfg, agentId))) ??
      (await requester.tryRequest(dir, (client, workspace, signal) => client.get("/v1/files", { path: paths, workspace, ...reader, agent: reader.agent ?? agentId, for: "model" }, signal), { session }));
    /** @type {Map<BootstrapFile, string>} */
    const contents = new Map();
    const changed = files.map((file) => {
      const path = pathByFile.get(file);
      if (path === undefined) return file;
      const served = answer instanceof Failure ? undefined : answer.files.find((/** @type {ServedFile} */ one) => one.path === path);
      if (served) lastShown.record(dir, served, readerName, hashesBefore.get(path));
      const result = served ? { ...file, content: served.content, missing: served.missing === true } : withoutService(file, path);
      if (served || result === file) contents.set(result, path);
      return result;
    });
    context.bootstrapFiles = changed;
    recall.noteFiles(session, filesInFull(changed, contents, cfg, agentId));

    /**
     * Returns a copy, because the host reuses its file object in later turns of the session.
     *
     * @param {BootstrapFile} file
     * @param {string} path
     * @returns {BootstrapFile}
     */
    function withoutService(file, path) {
      if (answer instanceof Failure && isPassed(answer, requester, settings)) return file;
      const rest = lastShown.remainder(dir ?? "", path, readerName);
      if (rest === undefined) {
        return { ...file, content: `[${file.name} is withheld: the memory service does not answer, so forgotten memories cannot be removed. Tell the user that memory is unavailable.]` };
      }
      const mark = rest.withheld === 0 ? "" : `\n\n[${rest.withheld} lines of ${file.name} are withheld: they changed while the memory service did not answer.]`;
      return { ...file, content: rest.content + mark };
    }
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
 * Reports whether files pass unchanged. They do if nothing can be forgotten: in a folder
 * that the service does not serve, and where no service ever ran. Otherwise the
 * setting whenUnavailable decides.
 *
 * @param {Failure} failure
 * @param {Requester} requester
 * @param {Settings} settings
 */
function isPassed(failure, requester, settings) {
  return failure.code === "not_registered" || settings.whenUnavailable === "pass" || !existsSync(dirname(requester.socket));
}
