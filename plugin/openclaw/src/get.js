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
import { Ask, result as toolResult } from "./ask.js";
import { required } from "./params.js";

/** The limits of the host's own tool: an excerpt, not a whole file. */
const defaultLines = 120;
const maxTextChars = 12_000;

const parameters = {
  type: "object",
  properties: {
    memoryId: { type: "string", description: "The id of one memory, or its first digits." },
    path: { type: "string", description: "Instead of an id: a path from a result of memory_search." },
    from: { type: "integer", minimum: 1, description: "The first line. Default: 1." },
    lines: { type: "integer", minimum: 1, description: `The number of lines. Default: ${defaultLines}.` },
    corpus: { type: "string", enum: ["memory", "wiki", "all"], description: "Only the corpus memory is available." },
  },
  additionalProperties: false,
};

const description =
  "Read one memory by its id, or the memories at some lines of a memory file (MEMORY.md, USER.md, or one below memory/), for example around a result of memory_search. " +
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
    catalogMode: "direct-only",
    async execute(_callId, params, signal) {
      const given = /** @type {Record<string, any>} */ (params ?? {});
      const ask = new Ask(requester, settings, ctx, signal);
      if (given["memoryId"]) return await one(ask, required(given["memoryId"], "memory_get: memoryId"));
      const range = parseRange(given);
      try {
        const { memories } = await ask.send("GET", "/v1/memories", { path: range.path, sort: "path" });
        return result(excerpt(memories, range));
      } catch (error) {
        const { message, hint } = ask.failure(error);
        return result({ status: "error", path: range.path, text: "", error: message, action: hint });
      }
    },
  };
}

/**
 * Returns one memory by its id.
 *
 * @param {Ask} ask
 * @param {string} id
 */
async function one(ask, id) {
  try {
    const memory = await ask.send("GET", `/v1/memories/${encodeURIComponent(id)}`);
    const range = { path: memory.path, from: memory.line_start, lines: memory.line_end - memory.line_start + 1 };
    return result({ ...excerpt([memory], range), id: memory.id, tier: memory.tier, created: memory.created_at });
  } catch (error) {
    const { code, message, hint } = ask.failure(error);
    return result({ status: code === "not_found" ? code : "error", path: "", text: "", error: message, action: hint });
  }
}

/** @typedef {{ path: string, from: number, lines: number }} Range */

/**
 * @param {Record<string, unknown>} given
 * @returns {Range}
 */
function parseRange(given) {
  const path = required(given["path"], "memory_get: path or memoryId");
  return { path: path.replace(/^\.\//, ""), from: positive(given["from"], 1), lines: positive(given["lines"], defaultLines) };
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
  return toolResult(JSON.stringify(details, null, 2), details);
}
