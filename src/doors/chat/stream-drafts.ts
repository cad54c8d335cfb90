import { isEnd, type LoopEvent } from "../../signal/loop-event.ts";
import { beginOf } from "../../text/cut-text.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatService } from "./chat-service.ts";
import { pauseAfter } from "./pause-after.ts";

type DraftParts = {
  readonly kernel: Pick<ChatKernel, "wait" | "clock">;
  readonly service: ChatService;
  /** The chat in which the turn was begun and can be shown while it runs; null for any other turn. */
  readonly chatOfTurn: (turn: string) => Promise<string | null>;
  /** Whether the owner is linked in a chat now. */
  readonly isLinked: (chat: string) => boolean;
  readonly cancel: AbortSignal;
};

type Draft = {
  text: string;
  isOver: boolean;
  /** Ends its waits, once it is over. */
  readonly end: AbortController;
  /** Resolves once nothing more is shown of it. */
  done: Promise<void>;
};

/**
 * Milliseconds after which a draft is shown again, though it says the same: services drop one that is older.
 */
const renewal = 20_000;
/** Characters that are shown of a draft: the last ones. */
const shownCharacters = 3500;

/**
 * Shows the answers of running turns as they grow. A draft is a preview that the service drops by itself: one
 * that cannot be shown is no loss, since the answer is sent whatever becomes of it.
 */
export class DraftStreams {
  readonly #parts: DraftParts;
  readonly #drafts = new Map<string, Draft>();

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  observe(event: LoopEvent): void {
    const { draft } = this.#parts.service;
    if (draft === undefined) return;
    const known = this.#drafts.get(event.turn);
    if (isEnd(event) || event.type === "approval-required") {
      if (known !== undefined) void this.ended(event.turn);
      return;
    }
    if (event.type !== "thinking" && event.type !== "text") return;
    const shown = known === undefined || known.isOver ? this.#begin(event.turn) : known;
    if (event.type === "text") shown.text = event.reset ? event.text : shown.text + event.text;
  }

  /** Whether a stop of this draft is one of a turn that is shown now: one of an old draft is not. */
  isShown(draft: string): boolean {
    return [...this.#drafts].some(([turn, { isOver }]) => !isOver && String(draftIdOf(turn)) === draft);
  }

  /** Resolves once the preview of a turn is over, so that it does not follow the answer. */
  async ended(turn: string): Promise<void> {
    const draft = this.#drafts.get(turn);
    if (draft === undefined) return;
    draft.isOver = true;
    draft.end.abort();
    await draft.done;
    if (this.#drafts.get(turn) === draft) this.#drafts.delete(turn);
  }

  #begin(turn: string): Draft {
    const draft: Draft = { text: "", isOver: false, end: new AbortController(), done: Promise.resolve() };
    draft.done = this.#show(turn, draft);
    this.#drafts.set(turn, draft);
    return draft;
  }

  async #show(turn: string, draft: Draft): Promise<void> {
    const { kernel, service, chatOfTurn, isLinked, cancel } = this.#parts;
    const { draft: show, limits } = service;
    // The update that began the turn may be noted a moment after the turn began.
    const over = AbortSignal.any([cancel, draft.end.signal]);
    await kernel.wait(firstPause, over);
    const chat = await chatOfTurn(turn);
    if (chat === null || show === undefined || limits.draftEvery === null) return;
    let last: { readonly text: string; readonly at: number } | null = null;
    while (!draft.isOver && !cancel.aborted && isLinked(chat)) {
      const text = tailOf(draft.text);
      if (last === null || last.text !== text || Math.abs(kernel.clock() - last.at) > renewal) {
        const shown = await show(chat, { id: draftIdOf(turn), text }, cancel);
        last = { text, at: kernel.clock() };
        if (!shown.ok && shown.code !== "try-later" && shown.code !== "unknown-outcome") return;
        if (!shown.ok) await kernel.wait(Math.max(pauseAfterFault, pauseAfter(shown, 1)), over);
      }
      await kernel.wait(limits.draftEvery, over);
    }
  }
}

/** Milliseconds before the first preview: what is answered at once needs none. */
const firstPause = 300;
const pauseAfterFault = 5000;

function tailOf(text: string): string {
  return text.length <= shownCharacters
    ? text
    : `…${text.slice(beginOf(text, text.length - shownCharacters).length)}`;
}

/** The number of the draft of a turn: the same for each change of it, and never 0. */
function draftIdOf(turn: string): number {
  let hash = 0;
  for (const letter of turn) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) % 2_147_483_647;
  return Math.abs(hash) + 1;
}
