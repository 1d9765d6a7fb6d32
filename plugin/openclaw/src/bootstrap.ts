/**
 * Replaces MEMORY.md and USER.md before the host puts them before a model. The
 * service removes forgotten memories, and the front matter lines that quote them.
 */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Failure, type ServedFile } from "./client.ts";
import type { Settings } from "./config.ts";
import type { BootstrapContext, BootstrapFile } from "./host.ts";
import { type PromptFiles, filesInFull } from "./promptfiles.ts";
import type { Requester } from "./requester.ts";

/** The indexed files that the host injects. */
const servedNames = ["MEMORY.md", "USER.md"];

export function bootstrapHook(requester: Requester, settings: Settings, promptFiles: PromptFiles) {
  return async (event: { context: Record<string, unknown> }): Promise<void> => {
    const context = event.context as BootstrapContext;
    const { bootstrapFiles: files, workspaceDir: dir } = context;
    if (!Array.isArray(files) || !dir) return;
    const pathByFile = new Map(files.flatMap((file) => (isServed(file, dir) ? [[file, relative(dir, resolve(dir, file.path))] as const] : [])));
    if (pathByFile.size === 0) return;
    const paths = [...new Set(pathByFile.values())];
    const answer = await requester.tryRequest(dir, settings.recallTimeoutMs, (client, workspace, signal) => client.files(workspace, paths, signal));
    const contents = new Map<BootstrapFile, string>();
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

function isServed(file: BootstrapFile, dir: string): boolean {
  return !file.missing && typeof file.path === "string" && servedNames.includes(relative(dir, resolve(dir, file.path)));
}

/**
 * passThrough returns the file unchanged if nothing can be forgotten: in a folder
 * that the service does not serve, and where no service ever ran. Otherwise the
 * setting whenUnavailable decides.
 */
function passThrough(file: BootstrapFile, failure: Failure, requester: Requester, settings: Settings): BootstrapFile | undefined {
  const pass = failure.code === "not_registered" || settings.whenUnavailable === "pass" || !existsSync(dirname(requester.socket));
  return pass ? file : undefined;
}

/** Returns a copy, because the host reuses its file object in later turns of the session. */
function replacement(file: BootstrapFile, path: string, answer: ServedFile[]): BootstrapFile | undefined {
  const now = answer.find((candidate) => candidate.path === path);
  return now && { ...file, content: now.content, missing: now.missing === true };
}

function withheld(file: BootstrapFile): BootstrapFile {
  return {
    ...file,
    content: `[${file.name} is withheld: the memory service does not answer, so forgotten memories cannot be removed. Tell the user that memory is unavailable.]`,
  };
}
