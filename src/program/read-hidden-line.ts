import { StringDecoder } from "node:string_decoder";
import type { Io } from "../kernel/io.ts";
import { TypingGuard } from "../tui/screen/answer-guard.ts";

/** A line that is being typed and that nobody sees. */
export class HiddenLine {
  readonly #entered = Promise.withResolvers<string | null>();
  readonly #typed: string[] = [];

  /** What was entered; null for Ctrl-C. */
  get entered(): Promise<string | null> {
    return this.#entered.promise;
  }

  feed(keys: string): void {
    for (const key of keys) {
      if (key === "\r" || key === "\n" || key === "\u0004") this.end();
      else if (key === "\u0003") this.#finish(null);
      else if (key === "\u007f" || key === "\b") this.#typed.pop();
      else if (key === "\u0015") this.#typed.splice(0);
      else if (key >= " ") this.#typed.push(key);
    }
  }

  /** The line is complete. */
  end(): void {
    this.#finish(this.#typed.join(""));
  }

  #finish(line: string | null): void {
    this.#typed.splice(0);
    this.#entered.resolve(line);
  }
}

/** Asks for a line on the terminal and shows nothing of it. Throws on Ctrl-C. */
export async function readHiddenLine(io: Io, prompt: string): Promise<string> {
  const line = await readLine(io, prompt, () => true);
  if (line === null) throw new Error("Stopped by Ctrl-C. Nothing was done.");
  return line;
}

/** Asks for a line where the person did not wait to be asked: what they typed before counts for nothing. Null on Ctrl-C. */
export function readUnexpectedLine(io: Io, prompt: string): Promise<string | null> {
  const guard = new TypingGuard(Date.now);
  guard.restart();
  return readLine(io, prompt, () => guard.takesKey());
}

async function readLine(io: Io, prompt: string, takes: () => boolean): Promise<string | null> {
  const { input } = io;
  const decoder = new StringDecoder("utf8");
  const line = new HiddenLine();
  const onData = (chunk: Buffer | string): void => {
    const keys = decoder.write(Buffer.from(chunk));
    if (takes()) line.feed(keys);
  };
  const onEnd = (): void => line.end();
  io.err(prompt);
  input.setRawMode?.(true);
  input.on("data", onData).on("end", onEnd);
  input.resume();
  try {
    return await line.entered;
  } finally {
    input.off("data", onData).off("end", onEnd);
    input.pause();
    input.setRawMode?.(false);
    io.err("\n");
  }
}
