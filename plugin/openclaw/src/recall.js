/**
 * Recall: one request a turn, for the files that the host injects and for the memories.
 * The first hook of a turn tells the prompt, the second the files, the third gets the block.
 *
 * @import { Reader, Turn } from "../types/plugin.js"
 * @import { PromptEvent, TurnContext } from "../types/host.js"
 * @import { RecallAnswer } from "../types/service.js"
 */
import { Failure } from "./client.js";
import { Hook } from "./hook.js";
import { remember } from "./state.js";
import { identityOf, isAutomated, sessionOf } from "./turn.js";

/** More text adds no information about the subject. The service accepts bodies up to 1 MiB. */
const maxPromptChars = 64_000;

export class Recall extends Hook {
  /**
   * Notes the prompt of a turn that begins.
   *
   * @param {{ prompt: string }} event
   * @param {TurnContext} ctx
   */
  begin(event, ctx) {
    const session = sessionOf(ctx);
    if (session) remember(this.state.turns, session, { prompt: event.prompt, ctx });
  }

  /**
   * Returns the files of a turn, and asks for its memories in the same request. It returns
   * undefined if the turn is unknown or needs no memories.
   *
   * @param {string | undefined} session
   * @param {string} dir
   * @param {string[]} files
   * @param {string[]} inFull those of which the host injects every line
   * @returns {Promise<RecallAnswer | Failure | undefined>}
   */
  async withFiles(session, dir, files, inFull) {
    const turn = this.state.turns.get(session ?? "");
    if (!turn || turn.ctx.workspaceDir !== dir || !this.#isWanted(turn.prompt, turn.ctx)) return undefined;
    const answer = await this.#ask(turn, files, inFull);
    turn.answer = plain(answer);
    return answer;
  }

  /**
   * Returns the fields of a request that decide what the sender of a turn may see. They
   * are empty if the turn is unknown.
   *
   * @param {string | undefined} session
   * @returns {Reader}
   */
  readerOf(session) {
    const turn = this.state.turns.get(session ?? "");
    if (!turn) return {};
    const { agent, user, channel } = identityOf(turn.ctx);
    return { agent, user, channel };
  }

  /**
   * Notes which files are in full in the prompt, for a turn whose recall has not been asked for yet.
   *
   * @param {string | undefined} session
   * @param {string[]} inFull
   */
  noteFiles(session, inFull) {
    const turn = this.state.turns.get(session ?? "");
    if (turn) turn.inFull = inFull;
    else if (session) remember(this.state.turns, session, { prompt: "", ctx: {}, inFull });
  }

  /**
   * The hook before the prompt is built.
   *
   * @param {PromptEvent} event
   * @param {TurnContext} ctx
   * @returns {Promise<string>} the text to put before the prompt
   */
  async add(event, ctx) {
    const session = sessionOf(ctx) ?? "";
    /** @type {Turn} */
    const turn = this.state.turns.get(session) ?? { prompt: "", ctx };
    this.state.turns.delete(session);
    const prompt = event.currentUserMessage ?? event.prompt;
    if (!isAutomated(ctx)) remember(this.state.prompts, session, prompt);
    if (!this.#isWanted(prompt, ctx)) return "";
    let answer = turn.answer;
    if (!answer || (!answer.failed && prompt !== turn.prompt)) {
      answer = plain(await this.#ask({ ...turn, prompt, ctx }, [], turn.inFull ?? []));
    }
    return answer.failed === "unavailable" ? this.#outageNote(session) : answer.context;
  }

  /**
   * @param {string} prompt
   * @param {TurnContext} ctx
   */
  #isWanted(prompt, ctx) {
    return this.settings.autoRecall && prompt.trim() !== "" && !isAutomated(ctx);
  }

  /**
   * @param {Turn} turn
   * @param {string[]} files
   * @param {string[]} inFull
   * @returns {Promise<RecallAnswer | Failure>}
   */
  async #ask(turn, files, inFull) {
    const { maxItems, maxTokens } = this.settings;
    const body = {
      prompt: clamp(turn.prompt),
      ...identityOf(turn.ctx),
      max_items: maxItems,
      max_tokens: maxTokens,
      in_prompt: inFull,
      files,
    };
    const answer = await this.requester.tryRequest(
      turn.ctx.workspaceDir,
      (client, workspace, signal) => client.post("/v1/recall", { ...body, workspace }, signal),
      { confirms: true, session: sessionOf(turn.ctx) },
    );
    turn.inFull = inFull;
    return answer;
  }

  /**
   * Tells the model once in an outage and session that memory is missing.
   *
   * @param {string} session
   */
  #outageNote(session) {
    if (this.state.told.has(session)) return "";
    this.state.told.add(session);
    return "<memory-note>The memory service does not answer. This turn has no recalled memories, and changed lines of MEMORY.md and USER.md are withheld. Tell the user once.</memory-note>";
  }
}

/**
 * Returns what another instance of the plugin understands: its class Failure is another one.
 *
 * @param {RecallAnswer | Failure} answer
 */
function plain(answer) {
  return answer instanceof Failure ? { context: "", failed: answer.code } : { context: answer.context, failed: "" };
}

/** @param {string} prompt */
function clamp(prompt) {
  if (prompt.length <= maxPromptChars) return prompt;
  return `${prompt.slice(0, maxPromptChars / 2)}\n${prompt.slice(-maxPromptChars / 2)}`.toWellFormed();
}
