/**
 * The tool memory_search, with parameters and results as OpenClaw's own has them.
 *
 * @import { SearchDetails, SearchResult, Settings } from "../types/plugin.js"
 * @import { Tool, ToolContext, ToolResult } from "../types/host.js"
 * @import { Hit } from "../types/service.js"
 * @import { Requester } from "./requester.js"
 */
import { Failure } from "./client.js";

/** The default of the host's own tool. */
const defaultResults = 6;
/** More results would fill the conversation. */
const maxResults = 50;
/** The host's own limit for a snippet; memories are seldom longer. */
const maxSnippetChars = 700;

const parameters = {
  type: "object",
  properties: {
    query: { type: "string", description: "Words or a question. There is no query syntax." },
    maxResults: { type: "integer", minimum: 1, maximum: maxResults },
    minScore: { type: "number", description: "Leave out results with a lower score, from 0 to 1." },
    corpus: { type: "string", enum: ["memory", "wiki", "all", "sessions"], description: "Only the corpus memory is searched." },
  },
  required: ["query"],
  additionalProperties: false,
};

const description =
  "Search the user's memories (MEMORY.md, USER.md and the Markdown below memory/) by words and by meaning. " +
  "Use it before answering about prior work, decisions, dates, people, preferences or todos. " +
  "Each result is one memory with its file and lines. If unavailable is true, tell the user with the warning and action.";

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {ToolContext} ctx
 * @returns {Tool<SearchDetails>}
 */
export function searchTool(requester, settings, ctx) {
  return {
    name: "memory_search",
    label: "Memory Search",
    description,
    parameters,
    catalogMode: "direct-only",
    async execute(_callId, params, signal) {
      const search = parseParams(params);
      if (search.corpus === "wiki" || search.corpus === "sessions") return result(otherCorpus(search.corpus));
      const limit = AbortSignal.timeout(settings.searchTimeoutMs);
      try {
        const answer = await requester.request(ctx.workspaceDir, signal ? AbortSignal.any([signal, limit]) : limit, (client, workspace, within) =>
          client.post("/v1/search", { query: search.query, workspace, limit: search.limit, agent: ctx.agentId, session: ctx.sessionKey ?? ctx.sessionId, record: true, for: "model" }, within),
        );
        return result({ results: answer.hits.filter((/** @type {Hit} */ hit) => hit.score >= search.minScore).map(toResult) });
      } catch (error) {
        signal?.throwIfAborted();
        return result(unavailable(error));
      }
    },
  };
}

/** @param {unknown} params */
function parseParams(params) {
  const given = /** @type {Record<string, unknown>} */ (params ?? {});
  if (typeof given["query"] !== "string" || given["query"].trim() === "") throw new Error("memory_search: query is required");
  const wanted = Number(given["maxResults"] ?? defaultResults);
  return {
    query: given["query"],
    limit: Number.isFinite(wanted) ? Math.min(Math.max(Math.trunc(wanted), 1), maxResults) : defaultResults,
    minScore: Number(given["minScore"] ?? 0) || 0,
    corpus: given["corpus"],
  };
}

/**
 * @param {Hit} hit
 * @returns {SearchResult}
 */
function toResult(hit) {
  return {
    id: hit.id,
    path: hit.path,
    startLine: hit.line_start,
    endLine: hit.line_end,
    score: round(hit.score),
    textScore: round(hit.text_score),
    vectorScore: round(hit.vector_score),
    snippet: snippet(hit),
    source: "memory",
    citation: `${hit.path}#L${hit.line_start}${hit.line_end > hit.line_start ? `-L${hit.line_end}` : ""}`,
  };
}

/**
 * Adds the heading, because a memory is often unclear without it.
 *
 * @param {Hit} hit
 */
function snippet(hit) {
  const full = hit.heading.length > 0 ? `${hit.heading.join(" › ")}: ${hit.text}` : hit.text;
  return full.length <= maxSnippetChars ? full : `${full.slice(0, maxSnippetChars - 1).toWellFormed()}…`;
}

/** @param {number} score */
function round(score) {
  return Math.round(score * 1000) / 1000;
}

/**
 * @param {string} corpus
 * @returns {SearchDetails}
 */
function otherCorpus(corpus) {
  return { results: [], warning: `memory-tiered has no corpus ${corpus}; search again with corpus "memory".` };
}

/**
 * @param {unknown} error
 * @returns {SearchDetails}
 */
function unavailable(error) {
  const failure = error instanceof Failure ? error : new Failure("internal", String(error));
  return {
    results: [],
    disabled: true,
    unavailable: true,
    error: failure.message,
    warning: "Memory search is unavailable.",
    action: failure.hint || "run memory status to see the state of the service",
  };
}

/**
 * Returns the details as JSON text, like the host's own tool.
 *
 * @param {SearchDetails} details
 * @returns {ToolResult<SearchDetails>}
 */
function result(details) {
  return { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details };
}
