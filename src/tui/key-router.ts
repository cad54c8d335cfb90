import type { Composer } from "./composer.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Hint } from "./prompt/hint.ts";
import { KeyGuard } from "./prompt/key-guard.ts";
import type { Typed } from "./prompt/typed.ts";
import type { QuestionKeys } from "./questions/question-keys.ts";
import type { After } from "./screen/after.ts";
import type { Panels } from "./screen/panel.ts";
import { isKey } from "./screen/toolkit.ts";
import type { SessionPanels } from "./session-panels.ts";
import type { SessionView } from "./session-view.ts";
import type { View } from "./view.ts";

/** Whom a key may be for, the first of them first. */
export type KeyRouterParts = {
  readonly view: SessionView;
  readonly interrupts: Interrupts;
  readonly shown: View;
  readonly openers: SessionPanels;
  readonly panels: Panels;
  readonly questions: QuestionKeys;
  readonly composer: () => Composer;
  readonly typed: Typed;
  readonly hint: Hint;
  readonly stop: () => void;
  readonly leave: () => void;
  readonly changed: () => void;
  readonly after: After;
};

/** Gives what the terminal sends to whom it is for: a hidden field, a panel, the question or the prompt. */
export class KeyRouter {
  readonly #parts: KeyRouterParts;
  readonly #guard: KeyGuard;

  constructor(parts: KeyRouterParts) {
    this.#parts = parts;
    this.#guard = new KeyGuard(
      {
        // A key that was held back comes from a timer, and paints by itself.
        onKey: (data) => {
          this.#onKey(data);
          parts.changed();
        },
        onPaste: (text, marked) => {
          this.#onPaste(text, marked);
          parts.changed();
        },
      },
      parts.after,
    );
  }

  /** One key or one paste, as the terminal sent it. */
  feed(data: string): void {
    this.#parts.questions.follow(data);
    this.#guard.feed(data);
  }

  /** A key for the prompt. */
  type(data: string): void {
    this.#parts.typed.note();
    this.#parts.composer().onKey(data);
  }

  #onPaste(text: string, marked: boolean): void {
    const { view, panels, hint, typed, composer } = this.#parts;
    if (view.takeMasked("paste", text) || panels.takePaste(text)) return;
    const refusal = KeyGuard.refusalOf(text);
    typed.note();
    if (refusal === null) composer().paste(text, marked);
    else hint.say(refusal);
  }

  #onKey(data: string): void {
    const { view, interrupts, shown, openers, questions } = this.#parts;
    if (view.takeMasked("key", data)) return;
    if (isKey(data, "ctrl+c")) {
      interrupts.press();
      return;
    }
    interrupts.reset();
    if (shown.onKey(data) || openers.onKey(data)) return;
    if (!questions.isOpen || !questions.onKey(data)) this.#promptKey(data);
  }

  #promptKey(data: string): void {
    const { prompt } = this.#parts.composer();
    const sends = isKey(data, "enter") || isKey(data, "ctrl+s");
    if (isKey(data, "escape") && !prompt.isCompleting) {
      if (!this.#parts.questions.goBack()) this.#parts.stop();
    } else if (isKey(data, "ctrl+d") && prompt.text === "") this.#parts.leave();
    else if (sends && this.#parts.view.masked !== null) this.#parts.hint.say(answerFirst);
    else this.type(data);
  }
}

/** What was typed for a hidden field, before it took keys, is not sent as words. */
const answerFirst = "not sent: a hidden answer is asked for";
