/**
 * memory-tiered for OpenClaw: recall before a prompt is built, the tools
 * memory_search and memory_get, and bootstrap files without forgotten memories.
 * It asks the service over its socket and stores nothing.
 */
import { bootstrapHook } from "./bootstrap.ts";
import { readSettings } from "./config.ts";
import { getTool } from "./get.ts";
import type { PluginApi } from "./host.ts";
import { PromptFiles } from "./promptfiles.ts";
import { missingPermission, permissionAdvice, promptSection } from "./prompt.ts";
import { Requester } from "./requester.ts";
import { recallHook } from "./recall.ts";
import { searchTool } from "./search.ts";
import { sharedState } from "./state.ts";

export default {
  id: "memory-tiered",
  name: "Tiered Memory",
  description: "Recall, search and forgetting over an agent's Markdown, served by the memory service",
  register(api: PluginApi): void {
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
