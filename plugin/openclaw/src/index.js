/**
 * memory-tiered for OpenClaw: recall before a prompt is built, the tools
 * memory_search and memory_get, and bootstrap files without forgotten memories.
 * It asks the service over its socket and stores nothing.
 *
 * @import { PluginApi } from "../types/host.js"
 */
import { bootstrapHook } from "./bootstrap.js";
import { readSettings } from "./config.js";
import { getTool } from "./get.js";
import { PromptFiles } from "./promptfiles.js";
import { missingPermission, permissionAdvice, promptSection } from "./prompt.js";
import { Requester } from "./requester.js";
import { recallHook } from "./recall.js";
import { searchTool } from "./search.js";
import { sharedState } from "./state.js";

export default {
  id: "memory-tiered",
  name: "Tiered Memory",
  description: "Recall, search and forgetting over an agent's Markdown, served by the memory service",
  /** @param {PluginApi} api */
  register(api) {
    const settings = readSettings(api.pluginConfig);
    const state = sharedState(settings.socket);
    const requester = new Requester(settings.socket, api.logger, state);
    const promptFiles = new PromptFiles(state.turns);
    const missing = settings.autoRecall ? missingPermission(api.config, api.id) : undefined;

    // The other modes only inspect a plugin; the advice belongs to a run.
    if (missing && api.registrationMode === "full") api.logger.error(permissionAdvice(missing, api.id));

    // No runtime is registered: one that cannot classify paths makes the host drop MEMORY.md.
    api.registerMemoryCapability({ promptBuilder: (params) => promptSection(params, settings.autoRecall, missing) });
    api.registerTool((ctx) => searchTool(requester, settings, ctx), { names: ["memory_search"] });
    api.registerTool((ctx) => getTool(requester, settings, ctx), { names: ["memory_get"] });
    api.registerHook(["agent:bootstrap"], bootstrapHook(requester, settings, promptFiles), {
      name: "memory-tiered-bootstrap",
      description: "Removes forgotten memories from MEMORY.md and USER.md before they reach a model",
    });
    api.on("before_prompt_build", recallHook(requester, settings, promptFiles));
  },
};
