/**
 * memory-tiered for OpenClaw: recall before a prompt is built, memory_search and
 * memory_get, and bootstrap files without what was forgotten. All of it is asked of the
 * daemon over its socket; nothing is kept here.
 */
import { bootstrapHook } from "./bootstrap.ts";
import { readSettings } from "./config.ts";
import { getTool } from "./get.ts";
import type { PluginApi } from "./host.ts";
import { InPrompt } from "./inprompt.ts";
import { missingPermission, permissionAdvice, promptSection } from "./prompt.ts";
import { Reach } from "./reach.ts";
import { recallHook } from "./recall.ts";
import { searchTool } from "./search.ts";
import { shared } from "./shared.ts";

export default {
  id: "memory-tiered",
  name: "Tiered Memory",
  description: "Recall, search and forgetting over an agent's Markdown, served by the memory daemon",
  register(api: PluginApi): void {
    const settings = readSettings(api.pluginConfig);
    const state = shared(settings.socket);
    const reach = new Reach(settings.socket, api.logger, state);
    const inPrompt = new InPrompt(state.turns);
    const missing = settings.autoRecall ? missingPermission(api.config, api.id) : undefined;

    // The other modes only look at what a plugin has; the advice belongs to a run.
    if (missing && api.registrationMode === "full") api.logger.error(permissionAdvice(missing, api.id));

    // No runtime here: one that cannot classify paths makes the host drop MEMORY.md.
    api.registerMemoryCapability({ promptBuilder: (params) => promptSection(params, settings.autoRecall, missing) });
    api.registerTool((ctx) => searchTool(reach, settings, ctx), { names: ["memory_search"] });
    api.registerTool((ctx) => getTool(reach, settings, ctx), { names: ["memory_get"] });
    api.registerHook(["agent:bootstrap"], bootstrapHook(reach, settings, inPrompt), {
      name: "memory-tiered-bootstrap",
      description: "Takes forgotten memories out of MEMORY.md and USER.md before they reach a model",
    });
    api.on("before_prompt_build", recallHook(reach, settings, inPrompt));
  },
};
