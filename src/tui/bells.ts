import { hiddenPromptOf } from "../wire/codec/hidden-prompts.ts";
import { eventOf } from "../wire/codec/loop-events.ts";
import type { SessionEvent } from "./session/wire-session.ts";

/** How the terminal tells a person who looks elsewhere. */
export type BellKind = "off" | "bell" | "osc9" | "osc777";

/** Milliseconds of a turn after which its end is told. */
const long = 20_000;

/** Tells, without contents, that a question waits, that a long turn ended or failed, or that one failed that nobody began here. */
export class Bells {
  readonly #kind: BellKind;
  readonly #write: (data: string) => void;
  readonly #clock: () => number;
  /** When turns were seen at work first. */
  readonly #since = new Map<string, number>();
  /** Turns whose end came: it comes again after a reconnection. */
  readonly #ended = new Set<string>();
  /** Turns that were begun here: who began one sees how it ends. */
  readonly #own = new Set<string>();
  /** Questions that were told; they come again after a reconnection. */
  readonly #asked = new Set<string>();

  constructor(parts: {
    readonly kind: BellKind;
    readonly write: (data: string) => void;
    readonly clock: () => number;
  }) {
    this.#kind = parts.kind;
    this.#write = parts.write;
    this.#clock = parts.clock;
  }

  observe(event: SessionEvent): void {
    if (event.kind === "accepted" && event.turn !== null) this.#own.add(event.turn);
    const hidden = event.kind === "message" ? hiddenPromptOf(event.message) : null;
    if (hidden?.over === false && !this.#asked.has(hidden.id)) {
      this.#ring("Passepartout: a program asks");
      this.#asked.add(hidden.id);
    }
    const step = event.kind === "message" ? eventOf(event.message) : null;
    if (step === null) return;
    const { turn } = step;
    switch (step.type) {
      case "approval-required": {
        const key = `${turn} ${step.expiresAt}`;
        if (!this.#asked.has(key)) this.#ring("Passepartout: a question waits");
        this.#asked.add(key);
        return;
      }
      case "answered":
      case "stopped":
        this.#end(turn, "Passepartout: a turn ended");
        return;
      case "blocked":
      case "failed":
        this.#end(turn, "Passepartout: a turn failed", !this.#own.has(turn));
        return;
      case "thinking":
      case "thought":
      case "text":
      case "accepted":
      case "proposed":
      case "verdict":
      case "output":
      case "outcome":
        if (!this.#since.has(turn)) this.#since.set(turn, this.#clock());
    }
  }

  #end(turn: string, text: string, isNews = false): void {
    const since = this.#since.get(turn);
    this.#since.delete(turn);
    const isLong = since !== undefined && this.#clock() - since > long;
    if (isLong || (isNews && !this.#ended.has(turn))) this.#ring(text);
    this.#ended.add(turn);
  }

  #ring(text: string): void {
    switch (this.#kind) {
      case "off":
        return;
      case "bell":
        this.#write("\u0007");
        return;
      case "osc9":
        this.#write(`\u001b]9;${text}\u0007`);
        return;
      case "osc777":
        this.#write(`\u001b]777;notify;Passepartout;${text}\u0007`);
    }
  }
}
