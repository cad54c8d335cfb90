/** What stands between a piece and the one before it: nothing where a line was divided. */
type Joint = "" | "\n" | "\n\n";

/** A piece of Markdown that is laid out by itself. Code of a fence may be in several pieces, one below the other. */
export type MarkdownPiece =
  | { readonly kind: "text"; readonly text: string; readonly joint: Joint }
  | {
      readonly kind: "code";
      readonly text: string;
      readonly language: string;
      /** What the fence says behind its language, such as the name of a file. */
      readonly title: string;
      readonly first: boolean;
      readonly joint: Joint;
    };

/** Characters of a paragraph or list above which it is divided, so that no frame lays out more; a table may be longer, since its columns belong together. */
const longestText = 4_000;
const longestTable = 16_000;
/** Lines of code in one piece. */
const longestCode = 60;

/** Divides a text that streams in into pieces, each final as soon as it is given: only the last, open one is laid out again while text comes. */
export class MarkdownSplitter {
  /** The beginning of a line whose end has not come. */
  #partial = "";
  #lines: string[] = [];
  #length = 0;
  #fence: { readonly mark: string; readonly language: string; readonly title: string } | null = null;
  /** True before the first piece of a fence. */
  #first = true;
  #blank = false;
  #joint: Joint = "\n\n";

  /** Takes in text, and gives the pieces that it finished. */
  feed(text: string): readonly MarkdownPiece[] {
    const finished: MarkdownPiece[] = [];
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) this.#take(line, finished);
    while (this.#partial.length > longestText) this.#divide(finished);
    return finished;
  }

  /** What is not finished yet; null where there is nothing. */
  get open(): MarkdownPiece | null {
    return this.#piece([...this.#lines, ...(this.#partial === "" ? [] : [this.#partial])]);
  }

  /** Gives what is left, at the end of the text. */
  end(): readonly MarkdownPiece[] {
    const finished: MarkdownPiece[] = [];
    if (this.#partial !== "") this.#take(this.#partial, finished);
    this.#partial = "";
    this.#finish(finished);
    return finished;
  }

  #take(line: string, finished: MarkdownPiece[]): void {
    const fence = /^ {0,3}(`{3,}(?!.*`)|~{3,})\s*(\S*)(.*)/.exec(line);
    if (this.#fence !== null) this.#takeCode(line, { fence, finished });
    else if (fence !== null) {
      this.#finish(finished);
      const [, mark = "```", first = "", rest = ""] = fence;
      const language = /^[\w+#-]*$/.test(first) ? first : "";
      this.#fence = { mark, language, title: `${language === "" ? first : ""}${rest}`.trim() };
      this.#first = true;
    } else this.#takeText(line, finished);
  }

  #takeCode(
    line: string,
    { fence, finished }: { readonly fence: RegExpExecArray | null; readonly finished: MarkdownPiece[] },
  ): void {
    const mark = this.#fence?.mark ?? "```";
    if (fence !== null && fence[2] === "" && (fence[1] ?? "").startsWith(mark)) {
      this.#finish(finished);
      this.#fence = null;
      return;
    }
    this.#lines.push(line);
    if (this.#lines.length >= longestCode) this.#finish(finished, "\n");
  }

  #takeText(line: string, finished: MarkdownPiece[]): void {
    if (line.trim() === "") {
      this.#blank = true;
      return;
    }
    const belongs = /^\s/.test(line) || (isListItem(line) && isListItem(this.#lines[0] ?? ""));
    const tooLong = this.#length > (/^\s*\|/.test(line) ? longestTable : longestText);
    if ((this.#blank && !belongs) || tooLong) this.#finish(finished, this.#blank ? "\n\n" : "\n");
    if (this.#blank && this.#lines.length > 0) this.#lines.push("");
    this.#blank = false;
    this.#lines.push(line);
    this.#length += line.length;
  }

  /** A line without an end is divided at a blank, or where it must be. */
  #divide(finished: MarkdownPiece[]): void {
    const at = this.#partial.lastIndexOf(" ", longestText);
    const length = at > longestText / 2 ? at : longestText;
    const head = this.#partial.slice(0, length);
    this.#partial = this.#partial.slice(length);
    this.#take(head, finished);
    this.#finish(finished, "");
  }

  /** Ends a piece. `joint` is what stands between it and the next one. */
  #finish(finished: MarkdownPiece[], joint: Joint = "\n\n"): void {
    const piece = this.#piece(this.#lines);
    if (piece !== null) finished.push(piece);
    this.#joint = joint;
    this.#lines = [];
    this.#length = 0;
    this.#first = false;
    this.#blank = false;
  }

  #piece(lines: readonly string[]): MarkdownPiece | null {
    if (lines.length === 0) return null;
    const [text, joint, fence] = [lines.join("\n"), this.#joint, this.#fence];
    return fence === null
      ? { kind: "text", text, joint }
      : { kind: "code", text, language: fence.language, title: fence.title, first: this.#first, joint };
  }
}

function isListItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(line);
}
