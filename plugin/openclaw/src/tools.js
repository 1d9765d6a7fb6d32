/**
 * The tools of this plugin beside the host's memory_search and memory_get. Each has one
 * entry in a table. Details are small, because the model sees them too.
 *
 * @import { MemoryTool, Settings, SharedState, ToolAnswer } from "../types/plugin.js"
 * @import { Tool, ToolContext } from "../types/host.js"
 * @import { Hit, Memory } from "../types/service.js"
 * @import { Requester } from "./requester.js"
 */
import { Ask, result } from "./ask.js";
import { Failure } from "./client.js";
import { integer, limited, oneOf, required, text, toggle } from "./params.js";
import { aboveFloor } from "./search.js";

/** More would fill the conversation. */
const maxListed = 100;
const maxExportChars = 12_000;
const maxImported = 50;

const memoryId = text("The id of a memory, or its first digits (at least 4), as a block or another tool shows it.");
const tier = oneOf(["HOT", "WARM", "COLD", "ARCHIVE"]);
const limit = integer(1, maxListed);

/** @type {MemoryTool[]} */
const table = [
  {
    name: "memory_recall",
    description: "Find memories about a subject. It is like memory_search, and can also search one tier or the archive.",
    properties: { query: text("Words or a question."), limit, tier, includeArchive: toggle, includeForgotten: toggle },
    required: ["query"],
    async run(ask, { query, limit = 5, tier, includeArchive, includeForgotten }) {
      const { session } = ask.who;
      const fields = { query: required(query, "query"), limit: limited(limit, 5, maxListed), tier, deep: includeArchive === true, session, record: true };
      const hits = aboveFloor((await ask.send("POST", "/v1/search", fields)).hits);
      const note = includeForgotten === true ? "\nForgotten memories are never shown to a model. The user sees them with: memory list --forgotten" : "";
      if (hits.length === 0) return { text: `No relevant memories found${note}`, details: { count: 0, memories: [] } };
      return { text: `Found ${hits.length} memories:\n${hits.map(numbered).join("\n")}${note}`, details: { count: hits.length, memories: hits.map(brief) } };
    },
  },
  {
    name: "memory_store",
    isVisible: true,
    description: "Remember something: one fact, preference or decision in one sentence. Use the user's own words where possible. Never store passwords or other secrets.",
    properties: {
      text: text("10 to 10,000 characters; at least 5 in Chinese and Japanese."),
      tier: oneOf(["HOT", "WARM"]),
      memory_type: oneOf(["factual", "procedural", "episodic", "project"]),
      importance: { type: "number", minimum: 0, maximum: 1 },
      pinned: toggle,
      replaces: text("The id of a memory of which this is a new value."),
    },
    required: ["text"],
    async run(ask, { text, tier, memory_type, importance, pinned, replaces }, { userMessage }) {
      const { session } = ask.who;
      const fields = { text: required(text, "text"), tier, memory_type, importance, pinned: pinned === true, replaces, source: "tool", session, user_message: userMessage };
      const { memory, duplicate, similar = [] } = await ask.send("POST", "/v1/memories", fields);
      if (duplicate) return { text: `Similar memory exists: ${line(memory)}`, details: { action: "duplicate", id: memory.id } };
      const kept = similar.map((/** @type {{ id: string, text: string }} */ { id, text }) => `\nBoth stay: [${id.slice(0, 8)}] ${text}. If the new text replaces it, store the text again with replaces.`);
      return { text: `Stored: ${line(memory)}${kept.join("")}`, details: { action: "created", id: memory.id, path: memory.path } };
    },
  },
  {
    name: "memory_forget",
    isVisible: true,
    description:
      "Forget a memory, if the user asks for it: it never comes back by itself, and memory_restore takes it back. " +
      "A query forgets only one clear best hit; otherwise the candidates are listed. hard deletes the text for ever, and is for the owner only.",
    properties: { query: text("What the memory is about, if its id is not known."), memoryId, hard: toggle },
    async run(ask, { query, memoryId, hard }, { allowDestroy }) {
      if (hard === true) return destroy(ask, memoryId, allowDestroy);
      if (memoryId) return decide(ask, "forget", memoryId);
      try {
        return decision("forget", await ask.send("POST", "/v1/decide", { action: "forget", query: required(query, "query or memoryId"), source: "tool", agent: ask.who.agent }));
      } catch (error) {
        if (!(error instanceof Failure && error.code === "conflict")) throw error;
        const { hits } = await ask.send("POST", "/v1/search", { query, limit: 5 });
        return { text: `Which one? Nothing is forgotten yet. Call memory_forget with a memoryId:\n${hits.map(numbered).join("\n")}`, details: { action: "candidates", candidates: hits.map(brief) } };
      }
    },
  },
  ...["restore", "pin", "unpin"].map((action) => ({
    name: `memory_${action}`,
    description: { restore: "Take back that a memory was forgotten.", pin: "Keep a memory from ageing, and prefer it.", unpin: "Let a pinned memory age again." }[action] ?? "",
    properties: { memoryId },
    required: ["memoryId"],
    run: (/** @type {Ask} */ ask, /** @type {any} */ { memoryId }) => decide(ask, action, required(memoryId, "memoryId")),
  })),
  {
    name: "memory_explain",
    description: "Explain a memory: where it is from, why it ranks as it does for a query, and whether anything keeps it out.",
    properties: { memoryId, query: text("The question to explain it for.") },
    required: ["memoryId"],
    async run(ask, { memoryId, query }) {
      const told = await ask.send("GET", `/v1/memories/${idPath(memoryId)}/explain`, { query });
      const factors = (told.factors ?? []).map((/** @type {any} */ one) => `${one.name} ${one.points}`).join(", ");
      const { memory } = told;
      const lines = [line(memory), `${memory.path}, line ${memory.line_start}; ${memory.tier}: ${told.tier_reason}`, told.reason, ...(told.score == null ? [] : [`score ${told.score} (${factors})`])];
      return { text: lines.filter(Boolean).join("\n"), details: { id: memory.id, score: told.score ?? null, eligible: told.eligible } };
    },
  },
  {
    name: "memory_set_context",
    description: "Set what is being worked on now. It is put before every message until it expires.",
    properties: { text: text("One or two sentences."), ttlHours: { type: "number", exclusiveMinimum: 0, default: 4 } },
    required: ["text"],
    async run(ask, { text, ttlHours = 4 }) {
      const { context } = await ask.send("PUT", "/v1/context", { text: required(text, "text"), ttl_hours: Number(ttlHours) });
      return { text: `Context set until ${context.expires_at}: ${context.text}`, details: { expiresAt: context.expires_at } };
    },
  },
  {
    name: "memory_clear_context",
    description: "Remove what memory_set_context set.",
    properties: {},
    async run(ask) {
      await ask.send("DELETE", "/v1/context");
      return { text: "Context cleared", details: {} };
    },
  },
  {
    name: "memory_list",
    description: "List memories, newest first.",
    properties: { tier, scope: text("Only this scope, and memories without one."), category: text("Such as preference, decision or fact."), limit },
    async run(ask, { tier, scope, category, limit }) {
      const { memories, total } = await ask.send("GET", "/v1/memories", { tier, scope, category, limit: limited(limit, 20, maxListed), sort: "created_at" });
      const head = memories.length === total ? `${total} memories:` : `${memories.length} of ${total} memories:`;
      return { text: [head, ...memories.map(line)].join("\n"), details: { total, ids: memories.map((/** @type {Memory} */ one) => one.id) } };
    },
  },
  {
    name: "memory_stats",
    description: "Count the memories by tier and type.",
    properties: {},
    async run(ask) {
      const { total, tiers, types, forgotten, pinned } = await ask.send("GET", "/v1/stats");
      const counts = (/** @type {Record<string, number>} */ by) => Object.entries(by).map(([name, count]) => `${name} ${count}`).join(", ");
      return { text: `${total} memories: ${counts(tiers)}; ${counts(types)}; ${pinned} pinned, ${forgotten} forgotten`, details: { total, tiers, types, pinned, forgotten } };
    },
  },
  {
    name: "memory_profile",
    description: "One page of what the memories tell about the user: preferences, people, projects, habits.",
    properties: {},
    async run(ask) {
      const { sections, tokens, left_out } = await ask.send("GET", "/v1/profile");
      const lines = sections.flatMap((/** @type {any} */ { title, lines }) => [`## ${title}`, ...lines.map((/** @type {any} */ one) => `- ${one.text} (${one.place}, ${one.id.slice(0, 8)})`)]);
      return { text: lines.join("\n") || "Nothing is known yet", details: { tokens, leftOut: left_out } };
    },
  },
  {
    name: "memory_export",
    description: "Return memories as JSON lines, for example to write them to a file that the user asks for.",
    properties: { tier, scope: text("Only this scope, and memories without one."), category: text("Only this category."), limit },
    async run(ask, { tier, scope, category, limit }) {
      const { memories, total } = await ask.send("GET", "/v1/memories", { tier, scope, category, limit: limited(limit, maxListed, maxListed), sort: "path" });
      let size = 0;
      const lines = memories.map((/** @type {any} */ one) => JSON.stringify({ text: one.text, tier: one.tier, memory_type: one.memory_type, category: one.category, path: one.path, created_at: one.created_at }));
      const fitting = lines.filter((/** @type {string} */ one) => (size += one.length + 1) <= maxExportChars);
      return { text: fitting.join("\n"), details: { exported: fitting.length, total } };
    },
  },
  {
    name: "memory_import",
    description: `Store up to ${maxImported} memories at once, for example from an export. Texts that a memory says already are left out.`,
    properties: { memories: { type: "array", maxItems: maxImported, items: { type: "object", properties: { text: text("One memory."), tier: oneOf(["HOT", "WARM"]), memory_type: text("Its type.") }, required: ["text"] } } },
    required: ["memories"],
    async run(ask, { memories }, { userMessage }) {
      const counts = { stored: 0, duplicates: 0, refused: 0 };
      const { session } = ask.who;
      for (const { text, tier, memory_type } of (Array.isArray(memories) ? memories : []).slice(0, maxImported)) {
        try {
          const { duplicate } = await ask.send("POST", "/v1/memories", { text, tier, memory_type, source: "tool", session, user_message: userMessage });
          counts[duplicate ? "duplicates" : "stored"]++;
        } catch (error) {
          if (!(error instanceof Failure && error.code === "invalid")) throw error;
          counts.refused++;
        }
      }
      return { text: `${counts.stored} stored, ${counts.duplicates} duplicates, ${counts.refused} refused`, details: counts };
    },
  },
];

export const toolNames = table.map((entry) => entry.name);

/**
 * Returns a function for each tool that makes it for a turn.
 *
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {SharedState} state
 * @returns {[string, (ctx: ToolContext) => Tool<unknown>][]}
 */
export function memoryTools(requester, settings, state) {
  return table.map((entry) => [
    entry.name,
    (ctx) => ({
      name: entry.name,
      label: entry.name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "),
      description: entry.description,
      parameters: { type: "object", properties: entry.properties, required: entry.required ?? [], additionalProperties: false },
      ...(entry.isVisible ? { catalogMode: /** @type {const} */ ("direct-only") } : {}),
      async execute(_callId, params, signal) {
        const ask = new Ask(requester, settings, ctx, signal);
        const turn = { userMessage: state.prompts.get(ask.who.session ?? ""), allowDestroy: settings.allowDestroy && ctx.senderIsOwner === true };
        try {
          const { text, details } = await entry.run(ask, params ?? {}, turn);
          return result(text, details);
        } catch (error) {
          if (error instanceof TypeError || error instanceof RangeError) throw error;
          const { code, message, hint } = ask.failure(error);
          return result(`${message} (${hint})`, { error: code, message, action: hint });
        }
      },
    }),
  ]);
}

/**
 * @param {Ask} ask
 * @param {string} action
 * @param {string} id
 */
async function decide(ask, action, id) {
  return decision(action, await ask.send("POST", `/v1/memories/${idPath(id)}/${action}`, { source: "tool" }));
}

const done = /** @type {Record<string, string>} */ ({ forget: "Forgotten", restore: "Restored", pin: "Pinned", unpin: "Unpinned" });

/**
 * @param {string} action
 * @param {{ changed: Memory[], unchanged: { id: string, reason: string }[] }} answer
 * @returns {ToolAnswer}
 */
function decision(action, { changed, unchanged }) {
  const lines = [...changed.map((memory) => `${done[action]}: ${line(memory)}`), ...unchanged.map(({ id, reason }) => `${reason}: ${id.slice(0, 8)}`)];
  return { text: lines.join("\n"), details: { action, changed: changed.map(({ id }) => id), unchanged: unchanged.map(({ id }) => id) } };
}

/**
 * @param {Ask} ask
 * @param {string} memoryId
 * @param {boolean} isAllowed
 * @returns {Promise<ToolAnswer>}
 */
async function destroy(ask, memoryId, isAllowed) {
  if (!isAllowed) {
    return { text: "hard is refused: only the owner may destroy, and only with plugins.entries.memory-tiered.config.tools.allowDestroy. Nothing changed. The owner can run: memory destroy ID --confirm", details: { error: "forbidden" } };
  }
  const { changed, unreachable } = await ask.send("DELETE", `/v1/memories/${idPath(memoryId)}`, { confirm: true, source: "tool" });
  return { text: `Destroyed ${changed.length} memories. Not searched: ${unreachable.join(", ")}`, details: { action: "destroy", changed: changed.map((/** @type {Memory} */ one) => one.id) } };
}

/** @param {unknown} id */
function idPath(id) {
  return encodeURIComponent(required(id, "memoryId"));
}

/** @param {Memory} memory */
function line(memory) {
  return `[${memory.category} ${memory.id.slice(0, 8)}] ${memory.text}`;
}

/**
 * @param {Hit} hit
 * @param {number} n
 */
function numbered(hit, n) {
  return `${n + 1}. ${line(hit)} (${Math.round(hit.similarity * 100)}%)`;
}

/** @param {Hit} hit */
function brief(hit) {
  return { id: hit.id, category: hit.category, tier: hit.tier, score: Math.round(hit.score * 100) / 100 };
}
