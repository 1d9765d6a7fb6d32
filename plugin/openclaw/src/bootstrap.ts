/**
 * MEMORY.md and USER.md as the host may put them before a model: what was
 * forgotten, and our lines that quote it, are taken out by the daemon.
 */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { Failure, type ServedFile } from "./client.ts";
import type { Settings } from "./config.ts";
import type { BootstrapContext, BootstrapFile } from "./host.ts";
import { type InPrompt, uncut } from "./inprompt.ts";
import type { Reach } from "./reach.ts";

/** What the host injects of the files that the daemon indexes. */
const ours = ["MEMORY.md", "USER.md"];

export function bootstrapHook(reach: Reach, settings: Settings, inPrompt: InPrompt) {
  return async (event: { context: Record<string, unknown> }): Promise<void> => {
    const context = event.context as BootstrapContext;
    const { bootstrapFiles: files, workspaceDir: dir } = context;
    if (!Array.isArray(files) || !dir) return;
    const named = new Map(files.flatMap((file) => (isOurs(file, dir) ? [[file, relative(dir, resolve(dir, file.path))] as const] : [])));
    if (named.size === 0) return;
    const paths = [...new Set(named.values())];
    const answer = await reach.inTurn(dir, settings.recallTimeoutMs, (client, workspace, signal) => client.files(workspace, paths, signal));
    const contents = new Map<BootstrapFile, string>();
    const changed = files.map((file) => {
      const path = named.get(file);
      if (path === undefined) return file;
      const given = answer instanceof Failure ? passed(file, answer, reach, settings) : served(file, path, answer);
      if (given) contents.set(given, path);
      return given ?? withheld(file);
    });
    context.bootstrapFiles = changed;
    const session = context.sessionKey ?? context.sessionId;
    if (session) inPrompt.set(session, uncut(changed, contents, context.cfg, context.agentId));
  };
}

function isOurs(file: BootstrapFile, dir: string): boolean {
  return !file.missing && typeof file.path === "string" && ours.includes(relative(dir, resolve(dir, file.path)));
}

/**
 * Nothing can have been forgotten in a folder that the daemon does not know, nor
 * where no daemon ever ran. Else it is not known what was, and the settings say.
 */
function passed(file: BootstrapFile, failure: Failure, reach: Reach, settings: Settings): BootstrapFile | undefined {
  const pass = failure.code === "not_registered" || settings.whenUnavailable === "pass" || !existsSync(dirname(reach.socket));
  return pass ? file : undefined;
}

/** A copy: the host keeps what it read for the session's next turns. */
function served(file: BootstrapFile, path: string, answer: ServedFile[]): BootstrapFile | undefined {
  const now = answer.find((candidate) => candidate.path === path);
  return now && { ...file, content: now.content, missing: now.missing === true };
}

function withheld(file: BootstrapFile): BootstrapFile {
  return {
    ...file,
    content: `[${file.name} is withheld: the memory daemon does not say what in it was forgotten. Tell the user that memory is out.]`,
  };
}
