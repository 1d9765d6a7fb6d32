/**
 * The tool memory_get: the memories in some lines of a file. While OpenClaw's
 * dreaming is on, the host also loads its own memory plugin. That one has a
 * memory_get that reads the whole file, including forgotten memories.
 *
 * @import { GetDetails, Settings } from "../types/plugin.js"
 * @import { Tool, ToolContext, ToolResult } from "../types/host.js"
 * @import { Memory } from "../types/service.js"
 * @import { Requester } from "./requester.js"
 */
import { Failure } from "./client.js";

/** The limits of the host's own tool: an excerpt, not a whole file. */
const defaultLines = 120;
const maxTextChars = 12_000;

const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "A path from a result of memory_search." },
    from: { type: "integer", minimum: 1, description: "The first line. Default: 1." },
    lines: { type: "integer", minimum: 1, description: `The number of lines. Default: ${defaultLines}.` },
    corpus: { type: "string", enum: ["memory", "wiki", "all"], description: "Only the corpus memory is available." },
  },
  required: ["path"],
  additionalProperties: false,
};

const description =
  "Read the memories at some lines of a memory file (MEMORY.md, USER.md, or one below memory/), for example around a result of memory_search. " +
  "If there is more, truncated is true and nextFrom is the next line. status is not_found if the file contains no memory.";

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {ToolContext} ctx
 * @returns {Tool<GetDetails>}
 */
export function getTool(requester, settings, ctx) {
  return {
    name: "memory_get",
    label: "Memory Get",
    description,
    parameters,
    async execute(_callId, params, signal) {
      const range = parseParams(params);
      const limit = AbortSignal.timeout(settings.searchTimeoutMs);
      try {
        const memories = await requester.request(ctx.workspaceDir, signal ? AbortSignal.any([signal, limit]) : limit, (client, workspace, within) =>
          client.get("/v1/memories", { path: range.path, sort: "path", workspace, for: "model" }, within),
        );
        return result(excerpt(memories.memories, range));
      } catch (error) {
        signal?.throwIfAborted();
        const failure = error instanceof Failure ? error : new Failure("internal", String(error));
        return result({ status: "error", path: range.path, text: "", error: failure.message, action: failure.hint || "run memory status to see the state of the service" });
      }
    },
  };
}

/** @typedef {{ path: string, from: number, lines: number }} Range */

/**
 * @param {unknown} params
 * @returns {Range}
 */
function parseParams(params) {
  const given = /** @type {Record<string, unknown>} */ (params ?? {});
  if (typeof given["path"] !== "string" || given["path"].trim() === "") throw new Error("memory_get: path is required");
  return { path: given["path"].trim().replace(/^\.\//, ""), from: positive(given["from"], 1), lines: positive(given["lines"], defaultLines) };
}

/**
 * @param {unknown} value
 * @param {number} fallback
 */
function positive(value, fallback) {
  const wanted = Math.trunc(Number(value ?? fallback));
  return wanted >= 1 ? wanted : fallback;
}

/**
 * @param {Memory[]} memories
 * @param {Range} range
 * @returns {GetDetails}
 */
function excerpt(memories, range) {
  const inFile = memories.filter((memory) => memory.path === range.path && isReadable(memory)).sort((a, b) => a.line_start - b.line_start);
  if (inFile.length === 0) return { status: "not_found", path: range.path, text: "" };
  const end = range.from + range.lines;
  const parts = [];
  let size = 0;
  let heading = "";
  let nextFrom = inFile.find((memory) => memory.line_start >= end)?.line_start;
  for (const memory of inFile) {
    if (memory.line_end < range.from || memory.line_start >= end) continue;
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
  const text = parts.join("\n");
  const shown = Math.min(range.lines, (nextFrom ?? end) - range.from);
  const more = nextFrom === undefined ? {} : { truncated: /** @type {const} */ (true), nextFrom };
  return { status: "ok", path: range.path, text, from: range.from, lines: shown, ...more };
}

/**
 * Checks again what the service leaves out for a model: one of these in an answer would be a serious error.
 *
 * @param {Memory} memory
 */
function isReadable(memory) {
  return !memory.forgotten && !memory.missing && !memory.private && memory.trust_tier !== "quarantined" && memory.superseded_by === null;
}

/** @param {Memory} memory */
function lines(memory) {
  return memory.line_end > memory.line_start ? `L${memory.line_start}-L${memory.line_end}` : `L${memory.line_start}`;
}

/**
 * @param {GetDetails} details
 * @returns {ToolResult<GetDetails>}
 */
function result(details) {
  return { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details };
}
