import { AnswerBlock, NoticeBlock } from "../words/text-blocks.ts";
import { AnswerStream } from "./answer-stream.ts";
import type { Transcript } from "./transcript.ts";

/** What was said; `plain`: it is no Markdown; `left`: characters that are missing at its end. */
type SaidText = { readonly text: string; readonly plain?: boolean; readonly left?: number };

/** A piece of an answer. `reset`: what came of it before is withdrawn. */
type Piece = { readonly turn: string; readonly text: string; readonly reset: boolean };

/** The answers of turns in the transcript: as they come in pieces, and whole. */
export class Answers {
  readonly #transcript: Transcript;
  readonly #streams = new Map<string, AnswerStream>();
  /** The last that was given whole. */
  last = "";

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  clear(): void {
    this.#streams.clear();
  }

  /** Withdraws what is not whole yet. */
  withdraw(): void {
    for (const stream of this.#streams.values()) stream.withdraw();
    this.clear();
  }

  feed({ turn, text, reset }: Piece): void {
    const stream = this.#streams.get(turn) ?? new AnswerStream(this.#transcript);
    if (!reset) {
      this.#streams.set(turn, stream);
      stream.feed(text);
      return;
    }
    stream.withdraw();
    this.#streams.delete(turn);
  }

  /** What came of a turn's answer stays as it is. */
  end(turn: string): void {
    this.#streams.get(turn)?.end();
    this.#streams.delete(turn);
  }

  /** The whole answer of a turn, in place of its pieces. */
  answer(turn: string, said: SaidText): void {
    const { text } = said;
    this.last = text;
    const stream = this.#streams.get(turn);
    this.#streams.delete(turn);
    if (stream !== undefined && stream.text.trim() === text.trim()) {
      stream.end();
      return;
    }
    stream?.withdraw();
    this.show(said);
  }

  show({ text, plain = false, left = 0 }: SaidText): void {
    const more = left === 0 ? "" : `… ${left} characters more`;
    if (plain && text !== "") {
      const answer = { text: more === "" ? text : `${text}\n\n${more}` };
      this.#transcript.add(new AnswerBlock({ kind: "plain", text }, true, answer));
    } else {
      const whole = new AnswerStream(this.#transcript);
      whole.feed(text);
      whole.end(more);
    }
    if (more !== "") this.#transcript.add(new NoticeBlock(more, "dim"));
  }
}
