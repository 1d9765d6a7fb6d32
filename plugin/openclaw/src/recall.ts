/** Recall before the prompt is built. */
import { Failure } from "./client.ts";
import type { Settings } from "./config.ts";
import type { PromptAddition, PromptEvent, TurnContext } from "./host.ts";
import type { PromptFiles } from "./promptfiles.ts";
import type { Requester } from "./requester.ts";

export function recallHook(requester: Requester, settings: Settings, promptFiles: PromptFiles) {
  return async (event: PromptEvent, ctx: TurnContext): Promise<PromptAddition | undefined> => {
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

function clamp(prompt: string): string {
  if (prompt.length <= maxPromptChars) return prompt;
  return `${prompt.slice(0, maxPromptChars / 2)}\n${prompt.slice(-maxPromptChars / 2)}`.toWellFormed();
}

/** Returns `channel:id`, because a sender id is unique only within its channel. */
function user(ctx: TurnContext): string | undefined {
  if (!ctx.senderId) return undefined;
  return ctx.channel ? `${ctx.channel}:${ctx.senderId}` : ctx.senderId;
}
