import { MarkdownSplitter } from "../words/split-markdown.ts";
import { AnswerBlock } from "../words/text-blocks.ts";
import type { Transcript } from "./transcript.ts";

/** The text of a step while it streams in: finished pieces stay as they are, the open one is laid out again. */
export class AnswerStream {
  readonly #transcript: Transcript;
  readonly #splitter = new MarkdownSplitter();
  readonly #blocks: AnswerBlock[] = [];
  #open: AnswerBlock | null = null;
  #length = 0;
  /** The text as far as it came, to compare it with the whole. */
  readonly #texts: string[] = [];

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get text(): string {
    return this.#texts.join("");
  }

  feed(text: string): void {
    this.#length += text.length;
    this.#texts.push(text);
    this.#show(this.#splitter.feed(text));
    const piece = this.#splitter.open;
    if (piece === null) return;
    if (this.#open === null) this.#open = this.#add(new AnswerBlock(piece, this.#blocks.length === 0, this));
    else this.#open.piece = piece;
    this.#open.isOpen = true;
  }

  /** No more text comes. `missing` says how much of it is not here. */
  end(missing = ""): void {
    this.#show(this.#splitter.end());
    if (missing !== "") this.#texts.push(`\n\n${missing}`);
  }

  /** Takes all of it from the transcript. */
  withdraw(): void {
    for (const block of this.#blocks) this.#transcript.remove(block);
  }

  #show(pieces: ReturnType<MarkdownSplitter["feed"]>): void {
    for (const piece of pieces) {
      if (this.#open === null) this.#add(new AnswerBlock(piece, this.#blocks.length === 0, this));
      else {
        this.#open.piece = piece;
        this.#open.isOpen = false;
      }
      this.#open = null;
    }
  }

  #add(block: AnswerBlock): AnswerBlock {
    this.#blocks.push(block);
    this.#transcript.add(block);
    return block;
  }
}
