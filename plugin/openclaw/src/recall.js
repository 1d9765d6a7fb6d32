/**
 * Recall before the prompt is built.
 *
 * @import { Settings } from "../types/plugin.js"
 * @import { PromptAddition, PromptEvent, TurnContext } from "../types/host.js"
 * @import { PromptFiles } from "./promptfiles.js"
 * @import { Requester } from "./requester.js"
 */
import { Failure } from "./client.js";

/**
 * @param {Requester} requester
 * @param {Settings} settings
 * @param {PromptFiles} promptFiles
 * @returns {(event: PromptEvent, ctx: TurnContext) => Promise<PromptAddition | undefined>}
 */
export function recallHook(requester, settings, promptFiles) {
  return async (event, ctx) => {
    const session = ctx.sessionKey ?? ctx.sessionId;
    const files = session === undefined ? [] : promptFiles.take(session);
    const prompt = event.currentUserMessage ?? event.prompt;
    if (!settings.autoRecall || prompt.trim() === "") return undefined;
    const answer = await requester.tryRequest(ctx.workspaceDir, settings.recallTimeoutMs, (client, workspace, signal) =>
      client.recall(
        {
          prompt: clamp(prompt),
          workspace,
          agent: ctx.agentId,
          session,
          user: user(ctx),
          max_items: settings.maxItems,
          max_tokens: settings.maxTokens,
          in_prompt: files,
        },
        signal,
      ),
    );
    return answer instanceof Failure || answer.context === "" ? undefined : { prependContext: answer.context };
  };
}

/** More text adds no information about the subject. The service accepts bodies up to 1 MiB. */
const maxPromptChars = 64_000;

/** @param {string} prompt */
function clamp(prompt) {
  if (prompt.length <= maxPromptChars) return prompt;
  return `${prompt.slice(0, maxPromptChars / 2)}\n${prompt.slice(-maxPromptChars / 2)}`.toWellFormed();
}

/**
 * Returns `channel:id`, because a sender id is unique only within its channel.
 *
 * @param {TurnContext} ctx
 */
function user(ctx) {
  if (!ctx.senderId) return undefined;
  return ctx.channel ? `${ctx.channel}:${ctx.senderId}` : ctx.senderId;
}
