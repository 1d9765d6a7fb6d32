/**
 * What the host asks of its memory outside of a turn: the state for `openclaw status`,
 * searches and files for its own surfaces, and which files it may put into a prompt.
 *
 * @import { Settings } from "../types/plugin.js"
 * @import { HostConfig, MemoryManager, MemoryRuntime, MemoryStatus, ToolContext } from "../types/host.js"
 * @import { WorkspaceStatus } from "../types/service.js"
 * @import { Requester } from "./requester.js"
 */
import { Ask } from "./ask.js";
import { Failure } from "./client.js";
import { getTool } from "./get.js";
import { limited } from "./params.js";
import { aboveFloor, toResult } from "./search.js";

/** As for the tool memory_search. */
const defaultResults = 6;
const mostResults = 50;

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {(config: HostConfig, agent: string) => string} folderOf
 * @returns {MemoryRuntime}
 */
export function memoryRuntime(requester, settings, folderOf) {
  return {
    async getMemorySearchManager({ cfg, agentId }) {
      const ctx = { agentId, workspaceDir: folderOf(cfg, agentId) };
      return { manager: memoryManager(requester, settings, ctx, await memoryStatus(requester, settings, ctx)) };
    },
    // There is no backend of the host, so its doctor checks no embedding provider of its own.
    resolveMemoryBackendConfig: () => null,
    supportsWorkspaceMemoryReadSources: true,
    // The bootstrap hook removes what may not be in a prompt. Without this answer the host drops MEMORY.md.
    async classifyWorkspaceMemoryPaths({ relativePaths }) {
      return relativePaths.map((relativePath) => ({ relativePath, originClass: "owner" }));
    },
  };
}

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {ToolContext} ctx
 * @param {MemoryStatus} status
 * @returns {MemoryManager}
 */
function memoryManager(requester, settings, ctx, status) {
  const available = status.vector.available;
  return {
    status: () => status,
    probeVectorStoreAvailability: async () => available,
    probeVectorAvailability: async () => available,
    probeEmbeddingAvailability: async () => ({ ok: available, checked: true, ...(available ? {} : { error: status.vector.loadError ?? "there are no embeddings" }) }),
    async search(query, { maxResults, minScore, sessionKey, sources, signal } = {}) {
      if (sources && !sources.includes("memory")) return [];
      const ask = new Ask(requester, settings, { ...ctx, sessionKey }, signal);
      const { agent, session } = ask.who;
      const answer = await ask.send("POST", "/v1/search", { query, limit: limited(maxResults, defaultResults, mostResults), agent, session });
      return aboveFloor(answer.hits).filter((hit) => hit.score >= (minScore ?? 0)).map(toResult);
    },
    async readFile({ relPath, from, lines }) {
      const { details } = await getTool(requester, settings, ctx).execute("", { path: relPath, from, lines });
      if (details.status === "error") throw new Failure("unavailable", details.error ?? "", { hint: details.action });
      const { status, path, text } = details;
      if (status === "not_found") return { status, path, text: "" };
      return { status, path, text, from: details.from, lines: details.lines, truncated: details.truncated, nextFrom: details.nextFrom };
    },
  };
}

/**
 * Returns the state of an agent's folder in the host's shape. A memory is one chunk.
 *
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {ToolContext} ctx
 * @returns {Promise<MemoryStatus>}
 */
async function memoryStatus(requester, settings, ctx) {
  try {
    const workspace = await requester.request(ctx.workspaceDir, async (client, name, within) => {
      const { workspaces } = await client.get("/v1/status", {}, within);
      const found = /** @type {WorkspaceStatus[]} */ (workspaces).find((one) => one.name === name);
      if (!found) throw new Failure("not_found", `the service has no workspace ${name}`, { field: "workspace" });
      return found;
    }, { patientMs: settings.searchTimeoutMs });
    return available(workspace);
  } catch (error) {
    const { message } = new Ask(requester, settings, ctx).failure(error);
    const vector = { enabled: true, available: false, storeAvailable: false, semanticAvailable: false, loadError: message };
    return { ...shared, provider: "unknown", files: 0, chunks: 0, dirty: true, lastSyncError: message, fts: { enabled: true, available: false, error: message }, vector };
  }
}

/** The host knows no other backend. */
const shared = { backend: /** @type {const} */ ("builtin"), sources: [/** @type {const} */ ("memory")] };

/**
 * @param {WorkspaceStatus} workspace
 * @returns {MemoryStatus}
 */
function available({ files, memories, fresh, error, embedding }) {
  const enabled = embedding.provider !== "none";
  const works = enabled && !embedding.error;
  return {
    ...shared,
    provider: embedding.provider,
    model: embedding.model,
    files,
    chunks: memories,
    dirty: !fresh,
    ...(error ? { lastSyncError: error } : {}),
    sourceCounts: [{ source: "memory", files, chunks: memories }],
    fts: { enabled: true, available: true },
    vector: { enabled, available: works, storeAvailable: works, semanticAvailable: works, dims: embedding.dim, ...(embedding.error ? { loadError: embedding.error } : {}) },
  };
}
