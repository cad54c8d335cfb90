import { type HiddenPrompt, hiddenPromptRows } from "../../signal/hidden-prompt.ts";
import type { JsonObject } from "../../text/json.ts";
import { answerRequest, hiddenPromptOf } from "../../wire/codec/hidden-prompts.ts";
import { type Typing, TypingGuard } from "../screen/answer-guard.ts";
import { isKey } from "../screen/toolkit.ts";
import type { SilentRequests } from "../session/silent-requests.ts";
import { MaskedField, type MaskedLook } from "./masked-field.ts";

type HiddenAnswerParts = {
  readonly say: (text: string, tone: "dim" | "warning") => void;
  readonly clock: () => number;
  readonly typing: Typing;
};

/**
 * Asks for what a program hides, one prompt after the other. It is shown by dots alone, sent once, and kept nowhere. A prompt that is over
 * while it is answered takes keys until Enter or Escape: the rest of a password is not for the prompt below.
 */
export class HiddenAnswer {
  readonly #requests: SilentRequests;
  readonly #say: HiddenAnswerParts["say"];
  readonly #guard: TypingGuard;
  readonly #field = new MaskedField();
  readonly #open = new Map<string, HiddenPrompt>();
  #shown: HiddenPrompt | null = null;

  constructor(requests: SilentRequests, { say, clock, typing }: HiddenAnswerParts) {
    this.#requests = requests;
    this.#say = say;
    this.#guard = new TypingGuard(clock, typing);
  }

  /** Null where no program asks. */
  get look(): MaskedLook | null {
    const prompt = this.#shown;
    if (prompt === null) return null;
    if (!this.#open.has(prompt.id)) {
      const above = [`${prompt.program} asks no longer. What you type goes nowhere.`];
      return { above, label: "Dropped", dots: "", keys: "Enter or Esc goes on" };
    }
    const keys = "Enter sends it to the program · Esc refuses";
    return { above: hiddenPromptRows(prompt), label: "Your answer", dots: this.#field.dots, keys };
  }

  /** Takes in a message; true for one about a hidden prompt. */
  observe(message: JsonObject): boolean {
    const prompt = hiddenPromptOf(message);
    if (prompt === null) return false;
    if (prompt.over) this.#close(prompt.id);
    else {
      this.#open.set(prompt.id, prompt);
      if (this.#shown === null) this.#next();
    }
    return true;
  }

  /** The connection was lost: what is still asked is shown again by the next one. */
  lose(): void {
    for (const id of this.#open.keys()) this.#close(id);
  }

  takeKey(data: string): boolean {
    const prompt = this.#shown;
    if (prompt === null || !this.#guard.takesKey()) return false;
    const isOpen = this.#open.has(prompt.id);
    if (isKey(data, "enter")) this.#answer(prompt, isOpen, this.#field.take());
    else if (isKey(data, "escape") || isKey(data, "ctrl+c")) this.#answer(prompt, isOpen, null);
    else if (isOpen) this.#field.onKey(data);
    return true;
  }

  takeText(text: string): boolean {
    if (this.#shown === null) return false;
    if (this.#open.has(this.#shown.id)) this.#field.paste(text);
    return true;
  }

  #answer({ id }: HiddenPrompt, isOpen: boolean, line: string | null): void {
    this.#open.delete(id);
    this.#next();
    if (!isOpen) return;
    this.#requests.ask(answerRequest(id, line), ({ code, text }) =>
      this.#say(text, code === "hidden-prompt-answered" ? "dim" : "warning"),
    );
  }

  #close(id: string): void {
    this.#open.delete(id);
    if (this.#shown?.id === id) this.#field.clear();
  }

  #next(): void {
    this.#field.clear();
    const [next = null] = this.#open.values();
    this.#shown = next;
    if (next !== null) this.#guard.restart();
  }
}
