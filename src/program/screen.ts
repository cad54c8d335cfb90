import type { Io } from "../kernel/io.ts";
import { layOutLine, layOutModelText, layOutProgramText, modelMargin } from "../text/text-rows.ts";
import { makeVisible } from "../text/visible.ts";

type Output = "out" | "err";

/**
 * Writes whole rows. What a model says stands behind a margin, and a terminal is never left to break a line itself, so that nothing that it says
 * can look like a line of the program.
 */
export class Screen {
  readonly #io: Io;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Writes a text of the program; what continues a line is indented. */
  program(text: string, output: Output = "err"): void {
    this.#write(layOutProgramText(makeVisible(text), this.#columns(output)), output);
  }

  /** Writes a line of the program that names something from outside: it stays one line, with further lines indented. */
  line(text: string, output: Output = "err"): void {
    this.program(text.replaceAll(/\r\n|[\r\n]/g, "\n    "), output);
  }

  /** Writes whole lines of a model. */
  model(text: string, output: Output): void {
    this.#write(layOutModelText(makeVisible(text.replaceAll("\r\n", "\n")), this.#columns(output)), output);
  }

  /** Writes an answer that nobody has seen yet: its first row says so. */
  earlier(text: string, output: Output): void {
    const columns = this.#columns(output);
    const [first = "", ...more] = makeVisible(text).split("\n");
    const rows = layOutLine(first, { first: "(earlier) ", rest: modelMargin, columns });
    this.#write([...rows, ...(more.length === 0 ? [] : layOutModelText(more.join("\n"), columns))], output);
  }

  /** Writes the answer of a command: behind the margin where lines of the program stand around it, else as it is, for the program that reads it. */
  answer(text: string): void {
    if (this.answersAlone) this.#io.out(`${text}\n`);
    else this.model(text, "out");
  }

  /** Whether standard output is read apart from standard error, by no person: then it gets the answer and nothing else. */
  get answersAlone(): boolean {
    return !this.#io.outIsTerminal && !this.#io.outputsAreOne;
  }

  /** The rows of a streamed text that are complete are written; gives the rest, which is not written yet. */
  stream(text: string): string {
    const columns = this.#columns("out");
    const rows = [...layOutModelText(makeVisible(text), columns)];
    const rest = rows.pop() ?? "";
    if (rows.length > 0) this.#write(rows, "out");
    return rest.slice(modelMargin.length);
  }

  #columns(output: Output): number | null {
    const isTerminal = output === "out" ? this.#io.outIsTerminal : this.#io.errIsTerminal;
    return isTerminal ? (this.#io.columns?.() ?? null) : null;
  }

  #write(rows: readonly string[], output: Output): void {
    this.#io[output](`${rows.map((row) => row.trimEnd()).join("\n")}\n`);
  }
}
