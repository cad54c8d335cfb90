import { CallBlock } from "../calls/call-block.ts";
import { answerAround, type Item, itemAt, itemFrom, textOfItem } from "../conversation/items.ts";
import type { Transcript } from "../conversation/transcript.ts";
import type { Block, FoldedPart, Look } from "../screen/block.ts";
import { withoutFirst } from "../screen/clean.ts";
import { LineField } from "../screen/line-field.ts";
import type { Panel } from "../screen/panel.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey, printableOf, widthOf } from "../screen/toolkit.ts";
import { type Found, findLines, markWords, rowOf } from "./find-lines.ts";

/** What browsing needs. */
export type BrowseParts = {
  readonly transcript: Transcript;
  readonly look: () => Look;
  readonly columns: () => number;
  /** Rows of a page. */
  readonly page: () => number;
  readonly scroll: (rows: number) => void;
  readonly copy: (text: string) => void;
  readonly say: (hint: string) => void;
  readonly close: () => void;
  /** It was closed, by whatever way. */
  readonly closed: () => void;
  /** Questions that wait meanwhile. */
  readonly waiting: () => number;
};

const keys = "↑↓ move · Enter unfold · g gates · c copy · C answer · / search · Esc back";
const shortKeys = "↑↓ Enter g c C / Esc";

/** A cursor over what was said and done: unfolds, copies and searches. The conversation goes on below it. */
export class Browse implements Panel {
  readonly #parts: BrowseParts;
  readonly #field = new LineField();
  #item: Item | null = null;
  #types = false;
  #found: readonly Found[] = [];
  #at = -1;

  constructor(parts: BrowseParts, { search }: { readonly search: boolean }) {
    this.#parts = parts;
    this.#types = search;
    const { transcript, look } = parts;
    transcript.browsing = {
      mark: (row, block) => {
        const { theme } = look();
        const marked = markWords(row, this.#field.text, theme);
        const isHere = block !== null && this.#item?.includes(block) === true && row !== "";
        return isHere ? `${theme.accent("▌")}${withoutFirst(marked)}` : marked;
      },
    };
    this.#select(itemFrom(transcript.blocks, transcript.blocks.length - 1, -1));
  }

  get keepsPrompt(): boolean {
    return !this.#types;
  }

  onClose(): void {
    this.#parts.transcript.browsing = null;
    this.#parts.closed();
  }

  /** Begins a search, or a new one. */
  search(): void {
    this.#types = true;
    this.#field.text = "";
    this.#look();
  }

  rows(columns: number, _rows: number, theme: Theme): readonly string[] {
    const count = this.#counted();
    if (this.#types) {
      const field = this.#field.row("search:", theme);
      const right = cut(count, columns - widthOf(field) - 2);
      return [`${cut(field, columns - widthOf(right) - 2)}  ${theme.dim(right)}`];
    }
    const waiting = this.#parts.waiting();
    const parts = [
      ...(waiting === 0 ? [] : [waiting === 1 ? "a question waits" : `${waiting} questions wait`]),
      ...(count === "" ? [] : [`${count}, n N`]),
    ];
    const before = parts.length === 0 ? "" : `${parts.join(" · ")} · `;
    const long = ` ${before}${keys}`;
    return [theme.accent(widthOf(long) <= columns ? long : cut(` ${before}${shortKeys}`, columns))];
  }

  #counted(): string {
    if (this.#field.text === "") return "";
    return this.#found.length === 0 ? "nothing found" : `${this.#at + 1} of ${this.#found.length}`;
  }

  onPaste(text: string): void {
    if (!this.#types) return;
    this.#field.paste(text);
    this.#look();
  }

  onKey(data: string): void {
    if (isKey(data, "ctrl+f")) this.search();
    else if (this.#types) this.#onSearchKey(data);
    else this.#onBrowseKey(data);
  }

  #onSearchKey(data: string): void {
    if (isKey(data, "escape")) {
      this.#field.text = "";
      this.#look();
      this.#types = false;
    } else if (isKey(data, "enter")) this.#types = false;
    else if (isKey(data, "up")) this.#next(-1);
    else if (isKey(data, "down")) this.#next(1);
    else if (this.#field.onKey(data)) this.#look();
  }

  #onBrowseKey(data: string): void {
    const { blocks } = this.#parts.transcript;
    const typed = printableOf(data);
    if (isKey(data, "escape") || typed === "q") this.#parts.close();
    else if (isKey(data, "up") || typed === "k") this.#move(-1);
    else if (isKey(data, "down") || typed === "j") this.#move(1);
    else if (isKey(data, "home")) this.#select(itemFrom(blocks, 0, 1));
    else if (isKey(data, "end")) this.#select(itemFrom(blocks, blocks.length - 1, -1));
    else if (isKey(data, "pageUp")) this.#parts.scroll(-this.#parts.page());
    else if (isKey(data, "pageDown")) this.#parts.scroll(this.#parts.page());
    else if (isKey(data, "enter") || typed === " ") this.#toggle("output");
    else if (typed === "g") this.#toggle("gates");
    else if (typed === "c" || typed === "y") this.#copy();
    else if (typed === "C") this.#copyAnswer();
    else if (typed === "/") this.search();
    else if (typed === "n") this.#next(1);
    else if (typed === "N") this.#next(-1);
  }

  #move(step: 1 | -1): void {
    const { blocks } = this.#parts.transcript;
    const edge = step === 1 ? this.#item?.at(-1) : this.#item?.[0];
    const at = edge === undefined ? -1 : blocks.indexOf(edge);
    // What was browsed to may have been withdrawn.
    const next = at === -1 ? itemFrom(blocks, blocks.length - 1, -1) : itemFrom(blocks, at + step, step);
    if (next !== null) this.#select(next);
    else this.#parts.scroll(step);
  }

  #select(item: Item | null): void {
    this.#item = item;
    if (item !== null) this.#reveal(item[0], null);
  }

  /** Brings a row of a block into view, or all of them. */
  #reveal(block: Block, row: number | null): void {
    const { transcript, columns, look } = this.#parts;
    const last = block.rows(columns(), look()).length - 1;
    transcript.reveal(block, row === null ? [0, last] : [row, row], columns(), look());
  }

  #toggle(part: FoldedPart): void {
    const [head] = this.#item ?? [];
    if (head?.toggle(part) === true) this.#reveal(head, null);
    else this.#parts.say(part === "output" ? "Nothing is folded here." : "No gate judged this.");
  }

  /** Copies what the cursor is at, unless it was withdrawn. */
  #copy(): void {
    const { transcript, copy, say } = this.#parts;
    if (this.#item === null) return;
    if (!this.#item.every((block) => transcript.blocks.includes(block))) say("What was here was withdrawn.");
    else copy(textOfItem(this.#item));
  }

  #copyAnswer(): void {
    const [head] = this.#item ?? [];
    const isThere = head !== undefined && this.#parts.transcript.blocks.includes(head);
    const answer = isThere ? answerAround(head) : null;
    if (answer === null) this.#copy();
    else this.#parts.copy(answer);
  }

  /** Searches anew, and goes to what was found at the cursor or above it. */
  #look(): void {
    const { blocks } = this.#parts.transcript;
    this.#found = findLines(blocks, this.#field.text);
    const last = this.#item?.at(-1);
    const here = last === undefined ? blocks.length : blocks.indexOf(last);
    const at = this.#found.findLastIndex(({ block }) => blocks.indexOf(block) <= here);
    this.#goTo(at === -1 ? 0 : at);
  }

  #next(step: 1 | -1): void {
    const count = this.#found.length;
    if (count > 0) this.#goTo((this.#at + step + count) % count);
    else this.#parts.say("/ searches.");
  }

  #goTo(at: number): void {
    this.#at = at;
    const found = this.#found[at];
    if (found === undefined) return;
    const { transcript, columns, look } = this.#parts;
    const { blocks } = transcript;
    this.#item = itemAt(blocks, blocks.indexOf(found.block)) ?? [found.block];
    const row = (): number | null => rowOf(found, found.block.rows(columns(), look()), this.#field.text);
    // What is folded away is unfolded, so that it can be seen.
    if (row() === null && found.block instanceof CallBlock) found.block.output = "unfolded";
    this.#reveal(found.block, row() ?? 0);
  }
}
