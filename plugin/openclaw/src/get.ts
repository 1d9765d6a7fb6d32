/**
 * The tool memory_get: what a file holds at some lines, memory by memory. While
 * OpenClaw's dreaming is on, its own memory plugin is loaded beside this one and
 * would offer a memory_get that reads the file as it is, forgotten memories too.
 */
import { Failure, type Memory } from "./client.ts";
import type { Settings } from "./config.ts";
import type { Tool, ToolContext, ToolResult } from "./host.ts";
import type { Reach } from "./reach.ts";

export interface GetDetails {
  status: "ok" | "not_found" | "error";
  path: string;
  /** One memory after the other with its lines, below the headings that it stands under. */
  text: string;
  /** The first line asked for, and how many; counted in the file as it is. */
  from?: number;
  lines?: number;
  truncated?: true;
  /** Where to go on. */
  nextFrom?: number;
  error?: string;
  action?: string;
}

/** Both as the host's own tool has them: an excerpt, not a whole file. */
const defaultLines = 120;
const maxTextChars = 12_000;

const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "As memory_search gives it." },
    from: { type: "integer", minimum: 1, description: "The first line; 1 where it is left out." },
    lines: { type: "integer", minimum: 1, description: `How many lines; ${defaultLines} where it is left out.` },
    corpus: { type: "string", enum: ["memory", "wiki", "all"], description: "Only memory is read." },
  },
  required: ["path"],
  additionalProperties: false,
};

const description =
  "Read the memories at some lines of a memory file (MEMORY.md, USER.md, or one below memory/), for example around a result of memory_search. " +
  "truncated and nextFrom say that there is more. status is not_found where the file holds no memory.";

export function getTool(reach: Reach, settings: Settings, ctx: ToolContext): Tool<GetDetails> {
  return {
    name: "memory_get",
    label: "Memory Get",
    description,
    parameters,
    async execute(_callId, params, signal) {
      const asked = read(params);
      const limit = AbortSignal.timeout(settings.searchTimeoutMs);
      try {
        const memories = await reach.ask(ctx.workspaceDir, signal ? AbortSignal.any([signal, limit]) : limit, (client, workspace, within) =>
          client.memories(workspace, asked.path, within),
        );
        return result(excerpt(memories, asked));
      } catch (error) {
        signal?.throwIfAborted();
        const failure = error instanceof Failure ? error : new Failure("internal", String(error));
        return result({ status: "error", path: asked.path, text: "", error: failure.message, action: failure.hint || "memory status says how the daemon is." });
      }
    },
  };
}

interface Asked {
  path: string;
  from: number;
  lines: number;
}

function read(params: unknown): Asked {
  const given = (params ?? {}) as Record<string, unknown>;
  if (typeof given["path"] !== "string" || given["path"].trim() === "") throw new Error("memory_get: path is required");
  return { path: given["path"].trim().replace(/^\.\//, ""), from: positive(given["from"], 1), lines: positive(given["lines"], defaultLines) };
}

function positive(value: unknown, otherwise: number): number {
  const wanted = Math.trunc(Number(value ?? otherwise));
  return wanted >= 1 ? wanted : otherwise;
}

function excerpt(memories: Memory[], asked: Asked): GetDetails {
  const inFile = memories.filter((memory) => memory.path === asked.path && mayBeRead(memory)).sort((a, b) => a.line_start - b.line_start);
  if (inFile.length === 0) return { status: "not_found", path: asked.path, text: "" };
  const behind = asked.from + asked.lines;
  const parts: string[] = [];
  let size = 0;
  let heading = "";
  let nextFrom = inFile.find((memory) => memory.line_start >= behind)?.line_start;
  for (const memory of inFile) {
    if (memory.line_end < asked.from || memory.line_start >= behind) continue;
    const above = memory.heading.join(" › ");
    const part = `${above === heading ? "" : `# ${above}\n`}${lines(memory)}: ${memory.text}`;
    if (parts.length > 0 && size + part.length > maxTextChars) {
      nextFrom = memory.line_start;
      break;
    }
    parts.push(part.length > maxTextChars ? `${part.slice(0, maxTextChars - 1).toWellFormed()}…` : part);
    size += part.length + 1;
    heading = above;
  }
  const more = nextFrom === undefined ? {} : { truncated: true as const, nextFrom };
  return { status: "ok", path: asked.path, text: parts.join("\n"), from: asked.from, lines: Math.min(asked.lines, (nextFrom ?? behind) - asked.from), ...more };
}

/** A list is for people, and holds what is never put before a model. */
function mayBeRead(memory: Memory): boolean {
  return !memory.forgotten && !memory.missing && !memory.private && memory.trust_tier !== "quarantined" && memory.superseded_by === null;
}

function lines(memory: Memory): string {
  return memory.line_end > memory.line_start ? `L${memory.line_start}-L${memory.line_end}` : `L${memory.line_start}`;
}

function result(details: GetDetails): ToolResult<GetDetails> {
  return { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details };
}
