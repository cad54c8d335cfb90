import type { LoopEvent } from "../signal/loop-event.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { type ApprovalQuestion, formatQuestionFor } from "./approval-question.ts";
import { describeEffect } from "./describe-effect.ts";

/** What an answer to a question comes to: words to submit, or a text to show to the person. */
export type ResolvedAnswer = { readonly submit: string } | { readonly show: string };

/** Milliseconds in which nobody has read a question: a short word that was begun so early answers nothing. */
const blindTime = 300;

/** The reason of a no that names one, such as `n because …`; null for any other text. */
export function reasonOfNo(text: string): string | null {
  const { verb, argument } = readAnswer(text);
  return verb === "/deny" ? (/^because\s+(\S[\s\S]*)$/i.exec(argument)?.[1] ?? null) : null;
}

/** An answer as a command without its token, with what follows it. A short word such as `y`, `no` or `n because …` counts as one; `verb` is empty for any other text. */
function readAnswer(text: string): {
  readonly verb: string;
  readonly argument: string;
  readonly isShort: boolean;
} {
  const [, command, after = ""] = /^\s*(\/(?:approve|deny|always))(?:\s+([\s\S]*?))?\s*$/i.exec(text) ?? [];
  if (command !== undefined) return { verb: command, argument: after, isShort: false };
  const [, yes, value = ""] = /^\s*(y|yes)[.!]?(?:\s+(value|\d{1,3}))?\s*$/i.exec(text) ?? [];
  if (yes !== undefined) return { verb: "/approve", argument: value, isShort: true };
  const [, no, number = "", because = ""] =
    /^\s*(n|no)(?:\s+(\d{1,3}))?(?:[.!]|,?\s+(because\s+\S[\s\S]*?))?\s*$/i.exec(text) ?? [];
  if (no === undefined) return { verb: "", argument: "", isShort: false };
  return { verb: "/deny", argument: `${number} ${because}`.trim(), isShort: true };
}

type Shown = { readonly question: ApprovalQuestion; readonly at: number };

/**
 * The questions that a conversation has shown and that wait, for the owner who answers without a token: `/approve` and `/deny` alone answer the
 * only question that is shown, if it is of this session; else they list what waits, and `/approve 2` answers by the list that was shown last.
 */
export class WaitingQuestions {
  readonly #session: string;
  readonly #shown = new Map<string, Shown>();
  /** The tokens of the list that was shown last, in its order. */
  #listed: readonly string[] = [];

  constructor(session: string) {
    this.#session = session;
  }

  /** Takes in an event of a turn; a turn that goes on or ends has no open question. `now`: Unix milliseconds. */
  observe(event: LoopEvent, now: number): void {
    if (event.type === "approval-required") this.#shown.set(event.turn, { question: event, at: now });
    else this.#shown.delete(event.turn);
  }

  /** Whether a question of this turn was shown and waits. */
  has(turn: string): boolean {
    return this.#shown.has(turn);
  }

  /** A question as this conversation shows it. */
  format(question: ApprovalQuestion, now: number): string {
    return formatQuestionFor(question, this.#session, { now });
  }

  /** Puts the token into an answer that names none. `begun`: when the person began to type it, in Unix milliseconds. */
  resolve(text: string, begun: number): ResolvedAnswer {
    const { verb, argument, isShort } = readAnswer(text);
    if (verb === "" || this.#shown.size === 0) return { submit: text };
    const [, number = "", after = ""] = /^(\d{1,3})(?!\S)\s*([\s\S]*)$/.exec(argument) ?? [];
    if (number !== "") return this.#byNumber(verb, Number(number), after);
    if (argument !== "" && !/^(?:because|value|keep)(?!\S)/i.test(argument)) return { submit: text };
    const waiting = [...this.#shown.values()];
    const [only] = waiting;
    if (only === undefined || waiting.length > 1 || only.question.session !== this.#session)
      return { show: this.#list(verb, argument) };
    if (only.at + (isShort ? blindTime : 0) > begun) {
      return {
        show: `This question came while you typed, so nothing was answered. Read it, then answer again: ${isShort ? text.trim() : verb}`,
      };
    }
    return { submit: `${verb} ${only.question.token} ${argument}`.trim() };
  }

  #byNumber(verb: string, number: number, after: string): ResolvedAnswer {
    const token = this.#listed[number - 1];
    const waits = [...this.#shown.values()].some(({ question }) => question.token === token);
    if (token !== undefined && waits) return { submit: `${verb} ${token} ${after}`.trim() };
    return {
      show: `No question has the number ${number} in the list that was shown last.\n${this.#list(verb, after)}`,
    };
  }

  /** `after`: what follows the number in an answer. */
  #list(verb: string, after: string): string {
    const waiting = [...this.#shown.values()].map(({ question }) => question);
    this.#listed = waiting.map(({ token }) => token);
    return [
      waiting.length === 1 ? "One question waits." : `${waiting.length} questions wait.`,
      ...waiting.flatMap((question, index) => this.#entry(question, index + 1)),
      `Answer one by its number: ${`${verb} 1 ${after}`.trim()}`,
    ].join("\n");
  }

  #entry(
    { session, workspace, effects, reason, action }: ApprovalQuestion,
    number: number,
  ): readonly string[] {
    const folder = workspace === null ? "without a folder" : `in ${escapeInvisible(workspace)}`;
    const where = session === this.#session ? "of this session" : `of another session, ${folder}`;
    const lines = effects.length === 0 ? [escapeInvisible(action.target)] : effects.map(describeEffect);
    return [
      `  ${number}  a question ${where}, because: ${escapeInvisible(reason)}`,
      ...lines.map((line) => `     - ${line}`),
    ];
  }
}
