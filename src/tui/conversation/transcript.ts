import type { Block, Look } from "../screen/block.ts";

/** A place in the transcript: a row of a block. */
type Place = { readonly block: number; readonly row: number };

/** Blocks around the window whose rows stay laid out. */
const keptBlocks = 200;

/**
 * The transcript, and the window onto it. Only what stands in the window is laid out, whatever stands above it. The window follows the end, or
 * stands where the owner scrolled it: nothing that comes pulls it down.
 */
export class Transcript {
  readonly #blocks: Block[] = [];
  /** The first row of the window; null while it follows the end. */
  #anchor: Place | null = null;
  /** The first row that was painted last. */
  #top: Place = { block: 0, row: 0 };
  /** How many blocks there were when the window left the end. */
  #seen = 0;
  /** The blocks whose rows may be kept. */
  #laidOut: { from: number; to: number } = { from: 0, to: 0 };
  readonly #marks = new Map<string, Block>();
  #insertedAt = Number.POSITIVE_INFINITY;
  /** True after the window was moved down: at the end it then follows again. */
  #movesDown = false;
  #painted: readonly { readonly block: Block; readonly row: number }[] = [];
  #rows = 1;
  #browsing: Browsing | null = null;

  get length(): number {
    return this.#blocks.length;
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** Somebody browses: the window stays where it is, and rows are marked. Null ends that; at the end, the window follows again. */
  set browsing(browsing: Browsing | null) {
    this.#browsing = browsing;
    const last = this.#painted.at(-1);
    if (browsing === null && this.#painted.length < this.#rows) this.#anchor = null;
    else if (browsing === null && last?.block === this.#blocks.at(-1)) this.#movesDown = true;
  }

  add(block: Block): void {
    this.#blocks.push(block);
  }

  /** Gives the end of what stands here a name. */
  mark(name: string): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined) this.#marks.set(name, last);
  }

  /** Adds a block below a mark, whatever came after it; at the end where what was marked is gone. */
  addBelow(mark: string, block: Block): void {
    const above = this.#marks.get(mark);
    this.#marks.delete(mark);
    const index = above === undefined ? -1 : this.#blocks.lastIndexOf(above);
    if (index === -1 || index === this.#blocks.length - 1) {
      this.#blocks.push(block);
      return;
    }
    this.#blocks.splice(index + 1, 0, block);
    if (this.#anchor !== null && this.#anchor.block > index)
      this.#anchor = { ...this.#anchor, block: this.#anchor.block + 1 };
    this.#insertedAt = Math.min(this.#insertedAt, index + 1);
  }

  /** The index of the first block that was added between others since the last time. */
  takeInserted(): number {
    const at = this.#insertedAt;
    this.#insertedAt = Number.POSITIVE_INFINITY;
    return at;
  }

  /** Removes a block that was withdrawn. */
  remove(block: Block): void {
    const index = this.#blocks.lastIndexOf(block);
    if (index !== -1) this.#blocks.splice(index, 1);
    if (this.#anchor !== null && this.#anchor.block >= this.#blocks.length) this.#anchor = null;
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#marks.clear();
    this.#anchor = null;
  }

  /** Whether the window follows the end. */
  get follows(): boolean {
    return this.#anchor === null;
  }

  /** How many blocks came since the window left the end. */
  get unseen(): number {
    return this.#anchor === null ? 0 : Math.max(0, this.#blocks.length - this.#seen);
  }

  /** The window: at most so many rows. */
  window(columns: number, rows: number, look: Look): readonly string[] {
    const anchor = this.#anchor;
    const shown = anchor === null ? null : this.#from(anchor, { columns, rows, look });
    const isEnd =
      shown !== null && (shown.length < rows || (this.#movesDown && this.#showsLastRow(columns, look)));
    const result = shown === null || isEnd ? this.#end({ columns, rows, look }) : shown;
    this.#forgetFar();
    this.#rows = rows;
    const { mark } = this.#browsing ?? {};
    if (mark === undefined) return result;
    if (this.#anchor === null) this.#hold();
    return result.map((row, index) => mark(row, this.#painted[index]?.block ?? null));
  }

  /** The window stays here, whatever comes. */
  #hold(): void {
    this.#seen = this.#blocks.length;
    this.#anchor = this.#top;
    this.#movesDown = false;
  }

  /** Moves the window so that the rows of a block are in it, or as many as fit, the first before the last. */
  reveal(block: Block, [first, last]: readonly [number, number], columns: number, look: Look): void {
    const at = this.#painted.findIndex((one) => one.block === block && one.row === first);
    if (at !== -1) {
      const below = at + last - first + 1 - this.#rows;
      if (below > 0 && at > 0) this.scroll(Math.min(at, below), columns, look);
      return;
    }
    if (this.#anchor === null) this.#seen = this.#blocks.length;
    this.#anchor = { block: this.#blocks.indexOf(block), row: first };
    this.scroll(-Math.floor(this.#rows / 3), columns, look);
  }

  /** Moves the window by rows: negative is up. */
  scroll(by: number, columns: number, look: Look): void {
    if (this.#blocks.length === 0) return;
    if (this.#anchor === null) {
      if (by >= 0) return;
      this.#seen = this.#blocks.length;
    }
    this.#movesDown = by > 0;
    let { block, row } = this.#anchor ?? this.#top;
    row += by;
    while (row < 0 && block > 0) {
      block -= 1;
      row += this.#blocks[block]?.rows(columns, look).length ?? 0;
    }
    for (;;) {
      const height = this.#blocks[block]?.rows(columns, look).length ?? 0;
      if (row < height || block >= this.#blocks.length - 1) break;
      row -= height;
      block += 1;
    }
    this.#anchor = { block, row: Math.max(0, row) };
  }

  toStart(): void {
    if (this.#blocks.length === 0) return;
    if (this.#anchor === null) this.#seen = this.#blocks.length;
    this.#anchor = { block: 0, row: 0 };
  }

  toEnd(): void {
    this.#anchor = null;
  }

  /** A click on a row of the window. */
  click(row: number): boolean {
    const at = this.#painted[row];
    return at === undefined ? false : at.block.onClick(at.row);
  }

  #showsLastRow(columns: number, look: Look): boolean {
    const last = this.#painted.at(-1);
    const block = this.#blocks.at(-1);
    return last !== undefined && last.block === block && last.row === block.rows(columns, look).length - 1;
  }

  /** Rows from a place on. */
  #from(anchor: Place, { columns, rows, look }: Frame): readonly string[] {
    const first = Math.min(anchor.block, this.#blocks.length - 1);
    const height = this.#blocks[first]?.rows(columns, look).length ?? 0;
    // After a change of width a block may have fewer rows than before.
    const top: Place = { block: first, row: Math.min(anchor.row, Math.max(0, height - 1)) };
    const shown: string[] = [];
    const places: { block: Block; row: number }[] = [];
    let to = first;
    for (let index = first; index < this.#blocks.length && shown.length < rows; index += 1) {
      const block = this.#blocks[index];
      if (block === undefined) break;
      const lines = block.rows(columns, look);
      for (let row = index === first ? top.row : 0; row < lines.length && shown.length < rows; row += 1) {
        shown.push(lines[row] ?? "");
        places.push({ block, row });
      }
      to = index;
    }
    this.#keep({ top, from: first, to, places });
    return shown;
  }

  /** The last rows. */
  #end({ columns, rows, look }: Frame): readonly string[] {
    this.#anchor = null;
    let block = this.#blocks.length;
    let height = 0;
    while (block > 0 && height < rows) {
      block -= 1;
      height += this.#blocks[block]?.rows(columns, look).length ?? 0;
    }
    return this.#from({ block, row: Math.max(0, height - rows) }, { columns, rows, look });
  }

  #keep(painted: {
    readonly top: Place;
    readonly from: number;
    readonly to: number;
    readonly places: readonly { readonly block: Block; readonly row: number }[];
  }): void {
    this.#top = painted.top;
    this.#laidOut = {
      from: Math.min(this.#laidOut.from, painted.from),
      to: Math.max(this.#laidOut.to, painted.to),
    };
    this.#painted = painted.places;
  }

  /** Drops the rows of blocks that are far from the window. */
  #forgetFar(): void {
    const { from, to } = this.#laidOut;
    if (to - from <= 2 * keptBlocks) return;
    const low = Math.max(0, this.#top.block - keptBlocks / 2);
    const high = this.#top.block + keptBlocks / 2;
    for (let index = from; index <= to; index += 1)
      if (index < low || index > high) this.#blocks[index]?.forget();
    this.#laidOut = { from: Math.max(from, low), to: Math.min(to, high) };
  }
}

/** What browsing does with the rows of the window. */
export type Browsing = { readonly mark: (row: string, block: Block | null) => string };

type Frame = { readonly columns: number; readonly rows: number; readonly look: Look };
