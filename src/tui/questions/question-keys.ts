import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { reasonOfNo } from "../../shown/waiting-questions.ts";
import type { Entered, Prompt } from "../prompt/prompt.ts";
import type { After } from "../screen/after.ts";
import { aloneFor, answerGuard, type Typing, typingPause } from "../screen/answer-guard.ts";
import { isKey, printableOf } from "../screen/toolkit.ts";
import type { WireSession } from "../session/wire-session.ts";
import type { Decision } from "./dialog.ts";
import { ApprovalDialog, nameOf } from "./dialog.ts";
import { requestOf } from "./offers.ts";

/** What answering needs. */
export type QuestionKeysParts = {
  /** The questions of this session that wait. */
  readonly questions: () => ReadonlyMap<string, ApprovalQuestion>;
  /** Takes one out of those that wait. */
  readonly remove: (turn: string) => void;
  readonly session: () => WireSession;
  readonly prompt: () => Prompt;
  readonly typing: Typing;
  /** Gives the prompt a key that was typed. */
  readonly type: (data: string) => void;
  readonly tell: (text: string) => void;
  /** Opens the list of all questions that wait. */
  readonly openList: () => void;
  readonly changed: () => void;
  readonly home: string;
  readonly clock: () => number;
  readonly after: After;
};

/** A key that answers if nothing follows it. */
type HeldKey = {
  readonly data: string;
  readonly decision: Decision;
  readonly token: string;
  readonly cancel: () => void;
};

/** What a held key is about to do. A key that decides nothing is not announced. */
const announced: Readonly<Partial<Record<Decision["kind"], string>>> = {
  yes: "y: yes",
  no: "n: no",
  explain: "w: no, and say why",
  offer: "yes, with this",
};

/**
 * Answers the questions of this session that wait. A question has the keyboard only where the prompt is
 * empty and nobody has typed for a second, and an answer is one key with nothing behind it: several keys are
 * typing, and go to the prompt with the first of them.
 */
export class QuestionKeys {
  readonly dialog: ApprovalDialog;
  readonly #parts: QuestionKeysParts;
  /** The question that gets a reason with its no. */
  #why: ApprovalQuestion | null = null;
  #held: HeldKey | null = null;
  /** The token of the question that could be read when the words at the prompt were begun. */
  #readBefore = "";
  #wake: (() => void) | null = null;

  constructor(parts: QuestionKeysParts) {
    this.dialog = new ApprovalDialog(parts);
    this.#parts = parts;
  }

  /** Whether the prompt takes the reason of a no. */
  get asksWhy(): boolean {
    return this.#why !== null;
  }

  /** Whether a question is in view. */
  get isOpen(): boolean {
    return this.#why === null && this.#parts.questions().size > 0;
  }

  /**
   * Where a key goes now that writes something. `soon`: to the question, once nobody has typed for a moment.
   */
  get keyboard(): "question" | "soon" | "prompt" {
    if (this.dialog.select(this.#parts.questions()) === null || this.#why !== null) return "prompt";
    if (!this.#parts.typing.isEmpty()) return "prompt";
    return this.#remaining > 0 ? "soon" : "question";
  }

  /** Milliseconds until the question in view takes keys, if nobody types. */
  get #remaining(): number {
    return Math.max(answerGuard - this.dialog.standsFor, typingPause - this.#parts.typing.pause());
  }

  /** The answer that is given if no other key follows; empty where none is. */
  get held(): string {
    return this.#held === null ? "" : (announced[this.#held.decision.kind] ?? "");
  }

  /** Paints again once the question in view has the keyboard. */
  wakeSoon(): void {
    if (this.keyboard !== "soon" || this.#wake !== null) return;
    this.#wake = this.#parts.after(this.#remaining, () => {
      this.#wake = null;
      this.#parts.changed();
    });
  }

  /** Sends an answer to a question, which goes out of view. */
  answer(payload: { readonly action: "approve" | "deny"; readonly token: string }): void {
    this.#parts.session().request(payload);
    this.#remove(payload.token);
  }

  /**
   * Something came from the terminal: a key that was held is the first letter of words. Details that it
   * showed stay for keys that move.
   */
  follow(data: string): void {
    const held = this.#held;
    if (held === null) return;
    this.#drop();
    const isDetails = held.decision.kind === "details";
    if (isDetails && printableOf(data) === "" && !isKey(data, "enter")) return;
    if (isDetails) this.dialog.toggleDetails();
    this.#parts.type(held.data);
  }

  /** A key while a question is in view; false where it belongs to the prompt. */
  onKey(data: string): boolean {
    const { keyboard } = this;
    const questions = this.#parts.questions();
    if (keyboard !== "question") {
      // These write nothing, whoever has the keyboard.
      const pages = isKey(data, "pageUp") || isKey(data, "pageDown");
      if (pages) this.dialog.move(data, questions);
      return pages;
    }
    const decision = printableOf(data) === "" ? null : this.dialog.decisionOf(data, questions);
    if (decision !== null) this.#hold(data, decision);
    else if (printableOf(data) !== "") return false;
    else this.dialog.move(data, questions);
    return true;
  }

  #hold(data: string, decision: Decision): void {
    const { token } = this.dialog;
    if (decision.kind === "details") this.dialog.toggleDetails();
    const cancel = this.#parts.after(aloneFor, () => {
      this.#held = null;
      const inView = this.dialog.select(this.#parts.questions());
      if (this.dialog.token === token) this.#decide(decision, token);
      // Another question took its place, as a new daemon asks it anew: the key is typing, and is seen.
      else if (inView !== null && decision.kind !== "details") this.#parts.type(data);
      this.#parts.changed();
    });
    this.#held = { data, decision, token, cancel };
  }

  /** Words are begun at the prompt. */
  begin(): void {
    this.#readBefore = this.dialog.standsFor < answerGuard ? "" : this.dialog.token;
  }

  /**
   * The reason for a no, if one is asked for, or typed as `n because …`. Where the question went away
   * meanwhile it is neither sent nor lost.
   */
  explain({ text, pasted, pastes }: Pick<Entered, "text" | "pasted" | "pastes">): boolean {
    if (this.#why === null) return !pasted && this.#refuse(text);
    const question = this.#parts.questions().get(this.#why.turn);
    if (question === undefined || nameOf(question) !== nameOf(this.#why)) {
      this.#why = null;
      this.#parts.prompt().putBefore(text, pastes);
      this.#parts.tell(
        "The question was answered meanwhile, so your reason was not sent. Enter says it to the agent.",
      );
      return true;
    }
    this.#deny(question.token, text);
    this.#restore();
    return true;
  }

  /** A no with its reason, to the question in view; one that came while it was typed is not answered. */
  #refuse(text: string): boolean {
    const reason = reasonOfNo(text);
    const asked = this.dialog.select(this.#parts.questions());
    if (reason === null || asked === null) return false;
    if (asked.token === this.#readBefore) this.#deny(asked.token, reason);
    else {
      this.#parts.prompt().text = text;
      this.#parts.tell(
        "This question came while you typed, so nothing was answered. Read it; Enter says no.",
      );
      this.begin();
    }
    return true;
  }

  #deny(token: string, reason: string): void {
    this.#remove(token);
    this.#parts.session().request({ action: "deny", token, reason });
  }

  /** Back from the reason to the question. */
  goBack(): boolean {
    if (this.#why === null) return false;
    this.#restore();
    this.dialog.restartGuard();
    return true;
  }

  /** A key that was held decides nothing. */
  stop(): void {
    this.#drop();
    this.#wake?.();
    this.#wake = null;
  }

  #drop(): void {
    this.#held?.cancel();
    this.#held = null;
  }

  #restore(): void {
    this.#parts.prompt().text = "";
    this.#why = null;
  }

  #decide(decision: Decision, token: string): void {
    const asked = [...this.#parts.questions().values()].find((question) => question.token === token);
    if (asked === undefined) return;
    switch (decision.kind) {
      case "explain":
        this.#why = asked;
        return;
      case "yes":
        this.answer({ action: "approve", token });
        return;
      case "no":
        this.answer({ action: "deny", token });
        return;
      case "offer":
        this.#parts.session().request(requestOf(asked, decision));
        this.#remove(token);
        return;
      case "list":
        this.#parts.openList();
        return;
      case "offers":
      case "back":
        this.dialog.asksOffer = decision.kind === "offers";
        return;
      case "unseen":
        this.dialog.refuse();
        return;
      case "details":
    }
  }

  /** The question goes out of view; if the answer is refused, the daemon says so. */
  #remove(token: string): void {
    for (const [turn, question] of this.#parts.questions())
      if (question.token === token) this.#parts.remove(turn);
  }
}
