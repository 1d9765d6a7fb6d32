/**
 * The tool memory_search, with parameters and results as OpenClaw's own has them.
 *
 * @import { SearchDetails, SearchResult, Settings } from "../types/plugin.js"
 * @import { Tool, ToolContext, ToolResult } from "../types/host.js"
 * @import { Hit } from "../types/service.js"
 * @import { Requester } from "./requester.js"
 */
import { Ask, result as toolResult } from "./ask.js";
import { limited, required } from "./params.js";

/** The default of the host's own tool. */
const defaultResults = 6;
/** More results would fill the conversation. */
const mostResults = 50;
/** The host's own limit for a snippet; memories are seldom longer. */
const maxSnippetChars = 700;

const parameters = {
  type: "object",
  properties: {
    query: { type: "string", description: "Words or a question. There is no query syntax." },
    maxResults: { type: "integer", minimum: 1, maximum: mostResults },
    minScore: { type: "number", description: "Leave out results with a lower score, from 0 to 1." },
    corpus: { type: "string", enum: ["memory", "documents", "wiki", "all", "sessions"], description: "memory, or the user's documents." },
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
      const { query, maxResults, minScore, corpus } = /** @type {any} */ (params ?? {});
      const wanted = required(query, "memory_search: query");
      if (otherCorpora[corpus]) return result({ results: [], warning: otherCorpora[corpus] });
      const ask = new Ask(requester, settings, ctx, signal);
      const { session } = ask.who;
      try {
        const answer = await ask.send("POST", "/v1/search", { query: wanted, limit: limited(maxResults, defaultResults, mostResults), session, record: true, docs: corpus === "documents" || undefined });
        const found = aboveFloor(answer.hits).filter((hit) => hit.score >= (Number(minScore ?? 0) || 0));
        return result({ results: found.map(toResult) });
      } catch (error) {
        const { message, hint } = ask.failure(error);
        return result({ results: [], disabled: true, unavailable: true, error: message, warning: "Memory search is unavailable.", action: hint });
      }
    },
  };
}

/** @type {Record<string, string>} */
const otherCorpora = {
  sessions: 'Transcripts are not memories: search them with sessions_search. What was kept of them is in the corpus "memory".',
  wiki: 'There is no corpus wiki. Search again with corpus "memory".',
};

/** Half of what recall demands, because the model has asked. Below it, hits have nothing to do with the query. */
const floor = 0.1;

/**
 * Leaves out hits that are unlikely to answer the query.
 *
 * @param {Hit[]} hits
 */
export function aboveFloor(hits) {
  return hits.filter((hit) => hit.similarity >= floor);
}

/**
 * @param {Hit} hit
 * @returns {SearchResult}
 */
export function toResult(hit) {
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
    citation: citation(hit),
  };
}

/**
 * The lines of a PDF are its pages.
 *
 * @param {Hit} hit
 */
function citation({ path, line_start: first, line_end: last }) {
  if (/\.pdf$/i.test(path)) return `${path}, page ${first}${last > first ? `-${last}` : ""}`;
  return `${path}#L${first}${last > first ? `-L${last}` : ""}`;
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
 * Returns the details as JSON text, like the host's own tool.
 *
 * @param {SearchDetails} details
 * @returns {ToolResult<SearchDetails>}
 */
function result(details) {
  return toolResult(JSON.stringify(details, null, 2), details);
}
