/** The marks that models put around their thinking: those of Qwen, DeepSeek and Hermes, of Magistral, and of Kimi. */
export const thinkingMarks: ReadonlyMap<string, string> = new Map([
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
]);

const token = /\n|`+|~{3,}|<\/?(?:think|thinking|thought|reasoning)>|\[\/?think\]|◁\/?think▷/gi;
/** The end of a text that the next piece may complete to a token, or to a closing mark with an answer behind it. */
const unfinished = /(?:(?:<\/\w{5,9}>|\[\/think\]|◁\/think▷)\s{0,200}){0,20}(?:[<[◁][^\n<[◁]{0,11}|`+|~+)?$/i;

/** A mark outside code, by its place in the text that was read. `opensLine`: only blank space stands before it in its line. */
type Mark = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly opensLine: boolean;
};

/** Finds the marks in a text that comes in pieces. Marks in fences and in code spans do not count. */
export class MarkReader {
  #rest = "";
  #fence = "";
  #inCode = false;
  #isBlankLine = true;

  /** Reads a further piece, all of it if it is the last one. `text` is what could be read; the remainder is read with the next piece. */
  read(piece: string, isLast: boolean): { readonly text: string; readonly marks: readonly Mark[] } {
    const whole = this.#rest + piece;
    const at = isLast ? whole.length : (unfinished.exec(whole)?.index ?? whole.length);
    const text = whole.slice(0, at);
    this.#rest = whole.slice(at);
    const marks: Mark[] = [];
    let read = 0;
    for (const { 0: found, index: start } of text.matchAll(token)) {
      if (text.slice(read, start).trim() !== "") this.#isBlankLine = false;
      read = start + found.length;
      const opensLine = this.#isBlankLine;
      this.#isBlankLine = found === "\n";
      if (found === "\n") this.#inCode = false;
      else if (/^[`~]/.test(found)) this.#takeCode(found, opensLine);
      else if (this.#fence === "" && !this.#inCode) {
        marks.push({ text: found.toLowerCase(), start, end: read, opensLine });
      }
    }
    if (text.slice(read).trim() !== "") this.#isBlankLine = false;
    return { text, marks };
  }

  #takeCode(found: string, opensLine: boolean): void {
    const isFence = opensLine && found.length >= 3;
    if (this.#fence === "" && isFence) this.#fence = found;
    else if (this.#fence !== "" && isFence && found.startsWith(this.#fence)) this.#fence = "";
    else if (this.#fence === "" && found.startsWith("`")) this.#inCode = !this.#inCode;
  }
}
