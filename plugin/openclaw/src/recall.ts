/** Recall before the prompt is built. */
import { Failure } from "./client.ts";
import type { Settings } from "./config.ts";
import type { PromptAddition, PromptEvent, TurnContext } from "./host.ts";
import type { InPrompt } from "./inprompt.ts";
import type { Reach } from "./reach.ts";

export function recallHook(reach: Reach, settings: Settings, inPrompt: InPrompt) {
  return async (event: PromptEvent, ctx: TurnContext): Promise<PromptAddition | undefined> => {
    const session = ctx.sessionKey ?? ctx.sessionId;
    const files = session === undefined ? [] : inPrompt.take(session);
    const prompt = event.currentUserMessage ?? event.prompt;
    if (!settings.autoRecall || prompt.trim() === "") return undefined;
    const answer = await reach.inTurn(ctx.workspaceDir, settings.recallTimeoutMs, (client, workspace, signal) =>
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

/** A message longer than this tells no more of what it is about; the daemon takes bodies up to 1 MiB. */
const maxPromptChars = 64_000;

function clamp(prompt: string): string {
  if (prompt.length <= maxPromptChars) return prompt;
  return `${prompt.slice(0, maxPromptChars / 2)}\n${prompt.slice(-maxPromptChars / 2)}`.toWellFormed();
}

/** As the daemon's `identities` name people: the channel, then the id that holds within it. */
function user(ctx: TurnContext): string | undefined {
  if (!ctx.senderId) return undefined;
  return ctx.channel ? `${ctx.channel}:${ctx.senderId}` : ctx.senderId;
}
