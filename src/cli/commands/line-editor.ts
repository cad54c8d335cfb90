import { clearScreenDown, createInterface, cursorTo, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Io } from "../../kernel/io.ts";
import { HiddenLine } from "../../program/read-hidden-line.ts";
import { TypingGuard } from "../../tui/screen/answer-guard.ts";
import { type Paste, PasteFilter } from "./paste-filter.ts";

/**
 * A message that a person entered. `typed`: it was typed on a terminal, and nothing of it was pasted that
 * could make it a command. `pastes`: what was pasted into such a message, as the argument of a command.
 */
export type EnteredMessage = {
  readonly text: string;
  readonly typed: boolean;
  readonly pastes: readonly string[];
  /** When its first key was typed, in Unix milliseconds. */
  readonly begun: number;
};

/** What a line editor reports. */
export type LineEditorEvents = {
  readonly onMessage: (message: EnteredMessage) => void;
  /** Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  readonly onEnd: () => void;
};

const pasteMarksOn = "\u001b[?2004h";
const pasteMarksOff = "\u001b[?2004l";
const prompt = "> ";
/** A paste of more lines or characters is shown by its size. */
const shownLines = 4;
const shownCharacters = 400;
const newlineSign = "␤";

/**
 * Reads messages: on a terminal a line that can be edited, where a paste is a part of one message and output never lands in what is being
 * typed; else each line of the input, which nobody typed.
 */
export class LineEditor {
  readonly #io: Io;
  readonly #events: LineEditorEvents;
  readonly #lines: Interface;
  readonly #isTerminal: boolean;
  readonly #stopReading: () => void;
  /** What was pasted into the line, by what the line shows of it. */
  readonly #pastes = new Map<string, string>();
  /** Takes keys for a line that is not shown; false where they are for the line that is. */
  #hidden: (keys: string) => boolean = () => false;
  #isPasted = false;
  /** When the line that is being typed was begun; null while it is empty. */
  #begun: number | null = null;
  #closed = false;
  #stopped = false;

  constructor(io: Io, events: LineEditorEvents) {
    this.#io = io;
    this.#events = events;
    this.#isTerminal = io.input.isTTY === true && io.outIsTerminal;
    const { input, stop } = this.#isTerminal ? this.#readTerminal() : { input: io.input, stop: () => {} };
    this.#stopReading = stop;
    this.#lines = createInterface({
      input,
      output: io.output,
      terminal: this.#isTerminal,
      prompt: this.#isTerminal ? prompt : "",
    });
    this.#lines.on("line", (line) => this.#enter(line));
    this.#lines.on("close", () => {
      this.#closed = true;
      events.onEnd();
    });
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.on("SIGCONT", () => this.#switchMarks(pasteMarksOn));
    this.#lines.on("history", (history: string[]) => {
      if (this.#isPasted || this.#pastes.size > 0) history.shift();
    });
    this.#switchMarks(pasteMarksOn);
    this.#prompt();
  }

  get isTerminal(): boolean {
    return this.#isTerminal;
  }

  /** Prints whole lines above the line that is being typed. */
  print(write: () => void): void {
    if (!this.#isTerminal || this.#closed) {
      write();
      return;
    }
    const { line, cursor } = this.#lines;
    this.#clear();
    cursorTo(this.#io.output, 0);
    clearScreenDown(this.#io.output);
    write();
    this.#prompt();
    if (line === "") return;
    this.#lines.write(line);
    for (let left = line.length; left > cursor; left -= 1) this.#lines.write(null, { name: "left" });
  }

  /** Reads a line that is not shown, in the place of what is being typed, which stays; null for Ctrl-C. What is typed as it begins is still for the line. */
  async readHidden(): Promise<string | null> {
    const line = new HiddenLine();
    const guard = new TypingGuard(Date.now);
    guard.restart();
    this.#hidden = (keys) => {
      const takes = guard.takesKey();
      if (takes) line.feed(keys);
      return takes;
    };
    this.print(() => this.#io.err("Type it now: nothing of it is shown. Enter sends it, Ctrl-C refuses.\n"));
    try {
      return await line.entered;
    } finally {
      this.#hidden = () => false;
    }
  }

  stop(): void {
    if (this.#stopped) return;
    this.#hidden("\u0003");
    this.#stopped = true;
    this.#switchMarks(pasteMarksOff);
    this.#lines.close();
    this.#stopReading();
  }

  #prompt(): void {
    if (this.#isTerminal && !this.#closed) this.#lines.prompt();
  }

  #switchMarks(marks: string): void {
    if (this.#isTerminal) this.#io.output.write(marks);
  }

  /** The terminal's bytes as a stream of keys for the line: pastes are taken out, so that no newline in them enters the line. */
  #readTerminal(): { readonly input: PassThrough; readonly stop: () => void } {
    const { input } = this.#io;
    const decoder = new StringDecoder("utf8");
    const keys = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (raw: boolean) => void input.setRawMode?.(raw),
    });
    const filter = new PasteFilter({
      onKeys: (text) =>
        setImmediate(() => {
          if (this.#hidden(text)) return;
          if (this.#lines.line === "") this.#begun = Date.now();
          // One key after the other: of several in one chunk Node does not count the rows that they fill.
          for (const key of text) keys.write(key);
        }),
      onPaste: (paste) =>
        setImmediate(() => {
          if (!this.#hidden(`${paste.text}${paste.submits ? "\r" : ""}`)) this.#paste(paste);
        }),
    });
    const onData = (chunk: Buffer | string): void => filter.feed(decoder.write(Buffer.from(chunk)));
    const onEnd = (): void => {
      filter.flush();
      setImmediate(() => void keys.end());
    };
    input.on("data", onData).on("end", onEnd);
    return {
      input: keys,
      stop() {
        filter.flush();
        input.off("data", onData).off("end", onEnd);
        input.pause();
      },
    };
  }

  #enter(line: string): void {
    const text = this.#withPastes(line);
    const typed = this.#isTerminal && !this.#isPasted;
    const begun = this.#begun ?? Date.now();
    const pastes = typed ? [...this.#pastes.values()].filter((paste) => paste.trim() !== "") : [];
    this.#forgetPastes();
    this.#events.onMessage({ text, typed, pastes, begun });
    this.#prompt();
  }

  /** Puts a paste into the line. What was typed before it stays a command where the paste can only be its argument. */
  #paste({ text, bracketed, submits }: Paste): void {
    if (this.#closed) return;
    const { line, cursor } = this.#lines;
    const isArgument = bracketed && !text.includes("\n") && /^\s*\/[a-z-]+\s/i.test(line.slice(0, cursor));
    if (!isArgument) this.#isPasted = true;
    this.#lines.write(this.#shown(text));
    if (submits) this.#lines.write(null, { name: "return" });
  }

  #shown(text: string): string {
    const lines = text.replace(/\n$/, "").split("\n").length;
    const isShort = lines <= shownLines && text.length <= shownCharacters;
    const sign = isShort
      ? text.replaceAll("\n", newlineSign).replaceAll(/\p{Cc}/gu, " ")
      : `[pasted ${this.#pastes.size + 1}: ${lines} lines, ${text.length} characters]`;
    this.#pastes.set(sign, text);
    return sign;
  }

  #withPastes(line: string): string {
    if (this.#pastes.size === 0) return line;
    const signs = [...this.#pastes.keys()].filter((sign) => sign !== "");
    const pattern = new RegExp(signs.map((sign) => RegExp.escape(sign)).join("|") || "(?!)", "gu");
    return line
      .split(pattern)
      .map((typed) => typed.replaceAll(newlineSign, "\n"))
      .reduce((text, typed, index) => {
        const sign = [...line.matchAll(pattern)][index - 1]?.[0] ?? "";
        return `${text}${this.#pastes.get(sign) ?? ""}${typed}`;
      });
  }

  #forgetPastes(): void {
    this.#pastes.clear();
    this.#isPasted = false;
    this.#begun = null;
  }

  /** Ctrl-C drops what is half typed. */
  #interrupt(): void {
    if (this.#lines.line === "") {
      this.#events.onInterrupt();
      return;
    }
    this.#clear();
    this.#forgetPastes();
    this.#prompt();
  }

  #clear(): void {
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
  }
}
