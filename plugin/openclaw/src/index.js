/**
 * memory-tiered for OpenClaw: recall before a prompt is built, capture after a turn,
 * tools over memories, and bootstrap files without forgotten memories.
 * It asks the service over its socket, or over the network.
 *
 * @import { PluginApi } from "../types/host.js"
 */
import { dirname, join } from "node:path";
import { bootstrapHook } from "./bootstrap.js";
import { Capture } from "./capture.js";
import { registerCommand } from "./cli.js";
import { readSettings } from "./config.js";
import { flushPlan, prepareFlush } from "./flush.js";
import { getTool } from "./get.js";
import { LastShown } from "./lastshown.js";
import { missingPermission, permissionAdvice, promptSection } from "./prompt.js";
import { Requester } from "./requester.js";
import { Recall } from "./recall.js";
import { memoryRuntime } from "./runtime.js";
import { searchTool } from "./search.js";
import { serviceStarter } from "./service.js";
import { sharedState } from "./state.js";
import { memoryTools } from "./tools.js";
import { sessionOf } from "./turn.js";

export default {
  id: "memory-tiered",
  name: "Tiered Memory",
  description: "Recall, search and forgetting over an agent's Markdown, served by the memory service",
  /** @param {PluginApi} api */
  register(api) {
    const settings = readSettings(api.pluginConfig);
    registerCommand(api, settings);
    if (api.registrationMode === "cli-metadata") return; // the host only lists commands

    const state = sharedState(settings.socket);
    const requester = new Requester(settings.socket, api.logger, state, settings.recallTimeoutMs, settings.remote);
    const recall = new Recall(requester, settings, state);
    const lastShown = new LastShown(join(dirname(settings.socket), "openclaw", "shown"), state.shown);
    const capture = new Capture(requester, settings, state);
    const missing = settings.autoRecall || settings.autoCapture ? missingPermission(api.config, api.id) : undefined;

    // The other modes only inspect a plugin; the advice belongs to a run.
    if (missing && api.registrationMode === "full") api.logger.error(permissionAdvice(missing, api.id));

    if (settings.startService && !settings.remote) api.registerService(serviceStarter(requester.client, settings, api.logger));

    api.registerMemoryCapability({
      promptBuilder: (params) => promptSection(params, settings.autoRecall, missing),
      flushPlanResolver: flushPlan,
      runtime: memoryRuntime(requester, settings, (config, agent) => api.runtime.agent.resolveAgentWorkspaceDir(config, agent)),
    });
    api.registerTool((ctx) => searchTool(requester, settings, ctx), { names: ["memory_search"] });
    api.registerTool((ctx) => getTool(requester, settings, ctx), { names: ["memory_get"] });
    for (const [name, create] of memoryTools(requester, settings, state)) api.registerTool(create, { names: [name] });
    // The host's own files are not those of another machine.
    if (!settings.remote) api.registerHook(["agent:bootstrap"], bootstrapHook(requester, settings, recall, lastShown), {
      name: "memory-tiered-bootstrap",
      description: "Removes forgotten memories from MEMORY.md and USER.md before they reach a model",
    });
    api.on("before_model_resolve", async (event, ctx) => {
      prepareFlush(ctx, api.config.agents?.defaults?.userTimezone);
      requester.patience.begin(sessionOf(ctx));
      await capture.settle(ctx);
      recall.begin(event, ctx);
    });
    api.on("before_prompt_build", async (event, ctx) => {
      const added = [await recall.add(event, ctx), capture.keptNote(ctx)].filter((text) => text !== "");
      return added.length === 0 ? undefined : { prependContext: added.join("\n\n") };
    });
    for (const hook of /** @type {const} */ (["agent_end", "before_compaction", "before_reset"])) {
      api.on(hook, (event, ctx) => {
        if (hook === "agent_end") state.prompts.delete(sessionOf(ctx) ?? "");
        return capture.offer(event, ctx);
      });
    }
    api.on("session_end", (_event, ctx) => capture.end(ctx));
  },
};
