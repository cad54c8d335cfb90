import type { ApprovalQuestion } from "../../signal/shown/approval-question.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { isKey } from "../screen/toolkit.ts";
import type { WireSession } from "../session/wire-session.ts";
import type { Decision } from "./dialog.ts";
import { ApprovalDialog } from "./dialog.ts";
import { requestOf } from "./offers.ts";

/** Milliseconds in which a decision waits for another key: several at once were not typed for it. */
const alone = 30;

/** Answers the questions that wait, by keys that were typed for them. */
export class QuestionKeys {
  readonly dialog: ApprovalDialog;
  readonly #questions: Map<string, ApprovalQuestion>;
  readonly #session: () => WireSession;
  readonly #prompt: () => Prompt;
  readonly #tell: (text: string) => void;
  readonly #changed: () => void;
  /** The question that gets a reason with its no, and what stood at the prompt before. */
  #why: { readonly turn: string; readonly draft: string } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: {
    readonly questions: Map<string, ApprovalQuestion>;
    readonly session: () => WireSession;
    readonly prompt: () => Prompt;
    readonly tell: (text: string) => void;
    readonly changed: () => void;
    readonly home: string;
    readonly clock: () => number;
  }) {
    this.dialog = new ApprovalDialog(parts);
    this.#questions = parts.questions;
    this.#session = parts.session;
    this.#prompt = parts.prompt;
    this.#tell = parts.tell;
    this.#changed = parts.changed;
  }

  /** Whether the prompt takes the reason of a no. */
  get asksWhy(): boolean {
    return this.#why !== null;
  }

  /** Whether a question is in view. */
  get isOpen(): boolean {
    return this.#why === null && this.#questions.size > 0;
  }

  /** Whether this key asks for the list of all questions that wait. */
  wantsList(data: string): boolean {
    return this.isOpen && this.#questions.size > 1 && isKey(data, "l") && this.dialog.takesKey();
  }

  /** Sends an answer to a question, which goes out of view. */
  answer(payload: { readonly action: "approve" | "deny"; readonly token: string }): void {
    this.#session().request(payload);
    this.#answer(payload.token);
  }

  /** A key while a question is in view; false where it belongs to the prompt, since it was not typed for the question. */
  onKey(data: string): boolean {
    if (this.dialog.select(this.#questions) === null || !this.dialog.takesKey()) return false;
    if (this.#timer !== undefined) {
      this.stop();
      this.dialog.restartGuard();
      return true;
    }
    const token = this.dialog.token;
    const decision = this.dialog.onKey(data, this.#questions);
    if (decision.kind === "none") return true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.dialog.token === token) this.#decide(decision, token);
      this.#changed();
    }, alone);
    return true;
  }

  /** The reason for a no, if one is asked for. Where the question went away meanwhile it is neither sent nor lost. */
  explain(text: string): boolean {
    if (this.#why === null) return false;
    const question = this.#questions.get(this.#why.turn);
    if (question === undefined) {
      this.#why = null;
      this.#prompt().text = text;
      this.#tell(
        "The question was answered meanwhile, so your reason was not sent. Enter says it to the agent.",
      );
      return true;
    }
    this.#answer(question.token);
    this.#session().request({ action: "deny", token: question.token, reason: text });
    this.#restore();
    return true;
  }

  /** Back from the reason to the question. */
  goBack(): boolean {
    if (this.#why === null) return false;
    this.#restore();
    this.dialog.restartGuard();
    return true;
  }

  /** A decision that waits is dropped. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #restore(): void {
    this.#prompt().text = this.#why?.draft ?? "";
    this.#why = null;
  }

  #askWhy(token: string): void {
    const asked = [...this.#questions.values()].find((question) => question.token === token);
    if (asked === undefined) return;
    this.#why = { turn: asked.turn, draft: this.#prompt().text };
    this.#prompt().text = "";
  }

  #decide(decision: Exclude<Decision, { kind: "none" }>, token: string): void {
    switch (decision.kind) {
      case "explain":
        this.#askWhy(token);
        return;
      case "yes":
        this.answer({ action: "approve", token });
        return;
      case "no":
        this.answer({ action: "deny", token });
        return;
      case "offer": {
        const asked = [...this.#questions.values()].find((question) => question.token === token);
        if (asked !== undefined) this.#session().request(requestOf(asked, decision));
      }
    }
    this.#answer(token);
  }

  /** The question goes out of view; if the answer is refused, the daemon says so. */
  #answer(token: string): void {
    for (const [turn, question] of this.#questions)
      if (question.token === token) this.#questions.delete(turn);
  }
}
