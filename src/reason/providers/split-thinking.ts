import { MarkReader, thinkingMarks } from "./thinking-marks.ts";

/** A piece of an answer. `withdrawn`: all text so far was thinking. */
export type SplitPiece =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "withdrawn" };

const closings: ReadonlySet<string> = new Set(thinkingMarks.values());

/**
 * Splits the thinking that a model writes into its text from its answer, piece by piece. Thinking stands before the answer: a mark later in the text, or in
 * code, is text. Where a template wrote the opening mark itself, a closing mark alone on its line ends the thinking. Thinking that never ends is the answer.
 */
export class ThinkingSplitter {
  #state: { readonly kind: "start" } | { readonly kind: "answer" } | Thinking = { kind: "start" };
  #blank = "";
  #thought = false;
  /** Looks for a closing mark without an opening one; null once there can be none. */
  #reader: MarkReader | null = new MarkReader();

  push(piece: string): readonly SplitPiece[] {
    return this.#take(piece, false);
  }

  /** Gives the remainder. `isWhole`: the model ended by itself, so thinking without an end is its answer. */
  end(isWhole: boolean): readonly SplitPiece[] {
    const pieces = this.#take("", true);
    if (this.#state.kind !== "thinking" || !isWhole) return pieces;
    return [...pieces, { kind: "text", text: this.#state.asAnswer() }];
  }

  #take(piece: string, isLast: boolean): readonly SplitPiece[] {
    if (this.#state.kind === "start") return this.#begin(piece, isLast);
    if (this.#state.kind === "answer") return this.#answer(piece, isLast);
    const { thinking, answer } = this.#state.read(piece, isLast);
    const pieces = textPieces("thinking", thinking);
    if (answer === null) return pieces;
    this.#state = { kind: "start" };
    this.#thought = true;
    return [...pieces, ...this.#begin(answer, isLast)];
  }

  /** Waits until the first characters show whether the model thinks. */
  #begin(piece: string, isLast: boolean): readonly SplitPiece[] {
    const text = this.#blank + piece;
    const begun = text.trimStart().toLowerCase();
    const opening = [...thinkingMarks.keys()].find((mark) => begun.startsWith(mark));
    this.#blank = "";
    if (opening !== undefined) {
      const from = text.length - begun.length + opening.length;
      this.#state = new Thinking(text.slice(0, from), opening);
      this.#reader = null;
      return this.#take(text.slice(from), isLast);
    }
    const isOpen = [...thinkingMarks.keys()].some((mark) => mark.startsWith(begun));
    if (isOpen && !isLast) {
      this.#blank = text;
      return [];
    }
    this.#state = { kind: "answer" };
    return this.#answer(this.#thought ? text.trimStart() : text, isLast);
  }

  #answer(piece: string, isLast: boolean): readonly SplitPiece[] {
    if (this.#reader === null) return textPieces("text", piece);
    const { text, marks } = this.#reader.read(piece, isLast);
    const end = marks.find(
      (mark) => mark.opensLine && closings.has(mark.text) && /^[ \t\r]*\n\s*\S/.test(text.slice(mark.end)),
    );
    if (end === undefined) return textPieces("text", text);
    const rest = text.slice(end.end) + (isLast ? "" : this.#reader.read("", true).text);
    this.#reader = null;
    return [
      { kind: "withdrawn" },
      ...textPieces("thinking", text.slice(0, end.start)),
      ...textPieces("text", rest.trimStart()),
    ];
  }
}

/** Thinking that has begun. */
class Thinking {
  readonly kind = "thinking";
  readonly #opening: string;
  readonly #reader = new MarkReader();
  readonly #whole: string[];
  /** What came after the first closing mark, which was the real one if no later one is. */
  readonly #afterFirst: string[] = [];
  #isClosed = false;
  #depth = 1;

  /** `begun` is what was read with the opening mark. */
  constructor(begun: string, opening: string) {
    this.#whole = [begun];
    this.#opening = opening;
  }

  /** Reads a further piece. `answer` is what follows the thinking; null if it goes on. */
  read(piece: string, isLast: boolean): { readonly thinking: string; readonly answer: string | null } {
    const { text, marks } = this.#reader.read(piece, isLast);
    const closing = thinkingMarks.get(this.#opening);
    let after = this.#isClosed ? 0 : text.length;
    for (const mark of marks) {
      if (mark.text === this.#opening) this.#depth += 1;
      if (mark.text !== closing) continue;
      this.#depth -= 1;
      if (!this.#isClosed) after = mark.end;
      this.#isClosed = true;
      if (this.#depth > 0) continue;
      const rest = isLast ? "" : this.#reader.read("", true).text;
      return { thinking: text.slice(0, mark.start), answer: text.slice(mark.end) + rest };
    }
    this.#whole.push(text);
    this.#afterFirst.push(text.slice(after));
    return { thinking: text, answer: null };
  }

  /** What the model said where its thinking never ended: what follows the first closing mark, else all of it. */
  asAnswer(): string {
    const answer = this.#afterFirst.join("").trimStart();
    return answer === "" ? this.#whole.join("") : answer;
  }
}

function textPieces(kind: "text" | "thinking", text: string): readonly SplitPiece[] {
  return text === "" ? [] : [{ kind, text }];
}
