import { Block, type Look } from "../screen/block.ts";
import { wrap } from "../screen/toolkit.ts";
import { highlight } from "./highlight.ts";
import type { MarkdownPiece } from "./split-markdown.ts";

/** Containers inside one another that are laid out; each takes columns from those in it. */
const deepest = 12;
/**
 * Columns that a container must leave: the layout of a quote without room for its words doubles with each
 * further one.
 */
const columnsEach = 4;

/** What begins a quote or an item of a list. */
const container = /^(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))/;

/**
 * Whether quotes and lists lie deeper in one another than so many columns can show. It may count too many,
 * as in a line of code, never too few.
 */
function isTooDeep(text: string, columns: number): boolean {
  const most = Math.min(deepest, Math.floor(columns / columnsEach));
  return text.split("\n").some((line) => depthOf(line, most) > most);
}

/** How many containers a line begins with; two columns of indentation may continue one. */
function depthOf(line: string, most: number): number {
  let rest = line.replaceAll("\t", "    ");
  let depth = 0;
  while (depth <= most) {
    const [indentation = ""] = /^ */.exec(rest) ?? [];
    depth += Math.floor(indentation.length / 2);
    rest = rest.slice(indentation.length);
    const [mark = ""] = container.exec(rest) ?? [];
    if (mark === "") break;
    depth += 1;
    rest = rest.slice(mark.length);
  }
  return depth;
}

/** The owner's words. */
export class OwnerBlock extends Block {
  override readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  protected override layOut(columns: number, { theme }: Look): readonly string[] {
    const rows = this.text.split("\n").flatMap((line) => wrap(line, columns - 3));
    return [
      "",
      ...rows.map((row, index) => `${index === 0 ? theme.accent(" › ") : "   "}${theme.bold(row)}`),
    ];
  }
}

/** A text that is no Markdown: each line stands as it was printed. */
type PlainPiece = { readonly kind: "plain"; readonly text: string };

/** An answer as it was written, as far as it came. */
export type WrittenAnswer = { readonly text: string };

/** A piece of an answer. */
export class AnswerBlock extends Block {
  /** Whether more of it may come. */
  isOpen = false;
  #piece: MarkdownPiece | PlainPiece;
  readonly #isFirst: boolean;
  /** The whole that it is a piece of. */
  readonly answer: WrittenAnswer;

  constructor(piece: MarkdownPiece | PlainPiece, isFirst: boolean, answer: WrittenAnswer) {
    super();
    this.#piece = piece;
    this.#isFirst = isFirst;
    this.answer = answer;
  }

  set piece(piece: MarkdownPiece) {
    if (piece.text === this.#piece.text && piece.kind === this.#piece.kind) return;
    this.#piece = piece;
    this.changed();
  }

  override get isSettled(): boolean {
    return !this.isOpen;
  }

  override get text(): string {
    return this.#piece.text;
  }

  /** What was written between it and the piece above it. */
  get joint(): string {
    return this.#piece.kind === "plain" ? "\n\n" : this.#piece.joint;
  }

  /** An answer is one item as far as its next block of code, which is an item of its own. */
  override continues(above: Block): boolean {
    if (this.#isFirst || !(above instanceof AnswerBlock) || above.#piece.kind !== this.#piece.kind)
      return false;
    return this.#piece.kind !== "code" || !this.#piece.first;
  }

  protected override layOut(columns: number, look: Look): readonly string[] {
    const piece = this.#piece;
    const joins = piece.kind === "code" && !piece.first && !this.#isFirst;
    const rows = layOutPiece(piece, columns, look);
    return [...(joins ? [] : [""]), ...rows.map((row) => ` ${row}`)];
  }
}

function layOutPiece(piece: MarkdownPiece | PlainPiece, columns: number, look: Look): readonly string[] {
  if (piece.kind === "code") return layOutCode(piece, columns, look);
  const { markdown, theme } = look;
  if (piece.kind === "plain" || markdown === null || isTooDeep(piece.text, columns))
    return piece.text.split("\n").flatMap((line) => wrap(line, columns - 2));
  return markdown(piece.text, columns - 2, theme);
}

function layOutCode(
  { text, language, title, first }: Extract<MarkdownPiece, { kind: "code" }>,
  columns: number,
  { theme }: Look,
): readonly string[] {
  const heading = first && title !== "" ? wrap(theme.dim(title), columns - 5) : [];
  const lines = text.split("\n").flatMap((line) => wrap(highlight(line, language, theme), columns - 5));
  return [...heading, ...lines].map((row) => `${theme.dim("│")} ${row}`);
}

/** How a notice is meant; a `note` is about what stands above it. */
export type Tone = "plain" | "dim" | "warning" | "error" | "note";

/** What the program itself says. */
export class NoticeBlock extends Block {
  override readonly text: string;
  readonly #tone: Tone;

  constructor(text: string, tone: Tone) {
    super();
    this.text = text;
    this.#tone = tone;
  }

  override get isItem(): boolean {
    return this.#tone !== "note" && this.#tone !== "dim";
  }

  protected override layOut(columns: number, { theme }: Look): readonly string[] {
    const style =
      this.#tone === "plain" ? (row: string) => row : theme[this.#tone === "note" ? "dim" : this.#tone];
    const signs = { plain: " ", dim: " ", warning: "!", error: "✗", note: "↳" } as const;
    const lines = this.text.split("\n").flatMap((line) => {
      const [indentation = ""] = /^ */.exec(line) ?? [];
      const kept = Math.min(indentation.length, Math.floor(columns / 3));
      return wrap(line.slice(kept), columns - 3 - kept).map((row) => " ".repeat(kept) + row);
    });
    return [
      "",
      ...lines.map((line, index) =>
        ` ${index === 0 ? style(signs[this.#tone]) : " "} ${style(line)}`.trimEnd(),
      ),
    ];
  }
}
