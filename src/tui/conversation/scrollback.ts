import { pushAll } from "../../text/lists.ts";
import type { Block, Look } from "../screen/block.ts";
import type { Transcript } from "./transcript.ts";

/** What of a transcript has been appended to the terminal's own history: each block once, in order, as soon as it changes no more. */
export class Scrollback {
  readonly #transcript: Transcript;
  readonly #appended = new WeakSet<Block>();
  #from = 0;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The rows that are to be appended now. `isIdle`: nothing runs, so nothing changes any more. */
  take(columns: number, look: Look, isIdle: boolean): readonly string[] {
    // Blocks that were withdrawn or cleared are gone from the list.
    this.#from = Math.min(this.#from, this.#blocks.length, this.#transcript.takeInserted());
    while (this.#from > 0 && !this.#isAppended(this.#from - 1)) this.#from -= 1;
    const rows: string[] = [];
    for (; this.#from < this.#blocks.length; this.#from += 1) {
      const block = this.#blocks[this.#from];
      if (block === undefined || !(isIdle || block.isSettled)) break;
      if (!this.#appended.has(block)) pushAll(rows, block.rows(columns, look));
      this.#appended.add(block);
      block.forget();
    }
    return rows;
  }

  /** The last rows of what is not appended yet. */
  tail(columns: number, rows: number, look: Look): readonly string[] {
    return rows < 1
      ? []
      : this.#blocks
          .slice(this.#from)
          .flatMap((block) => block.rows(columns, look))
          .slice(-rows);
  }

  get #blocks(): readonly Block[] {
    return this.#transcript.blocks;
  }

  #isAppended(index: number): boolean {
    const block = this.#blocks[index];
    return block !== undefined && this.#appended.has(block);
  }
}
