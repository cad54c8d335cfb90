import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { Io } from "../kernel/io.ts";
import type { LineSource } from "../tui/tui.ts";
import { canAskHidden } from "./answer-hidden.ts";
import { readUnexpectedLine } from "./read-hidden-line.ts";

/** Nobody types two lines so soon one after the other. Milliseconds. */
const quiet = 40;

/** Reads lines as the terminal gives them: it edits them itself, and nothing is written to it. Lines that come together were pasted. */
export function readLines(io: Io): LineSource {
  const { input } = io;
  const shown = new PassThrough();
  const onData = (chunk: Buffer | string): void => void shown.write(chunk);
  const onEnd = (): void => void shown.end();
  const listen = (): void => void input.on("data", onData).on("end", onEnd).resume();
  const deafen = (): void => void input.off("data", onData).off("end", onEnd);
  let endLines: (() => void) | null = null;
  return {
    asksHidden: canAskHidden(io),
    start(events) {
      endLines = gatherLines(io, shown, events);
      listen();
    },
    stop() {
      deafen();
      endLines?.();
      endLines = null;
      input.pause();
    },
    async readHidden() {
      deafen();
      try {
        return await readUnexpectedLine(io, prompt);
      } finally {
        if (endLines !== null) listen();
      }
    },
  };
}

const prompt = "Secret: type it now, it is not shown. Enter sends it, Ctrl-C refuses.\n";

function gatherLines(
  io: Io,
  input: PassThrough,
  { onLines, onInterrupt, onEnd }: Parameters<LineSource["start"]>[0],
): () => void {
  const lines = createInterface({ input, terminal: false });
  let held: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    const text = held.join("\n");
    const pasted = held.length > 1;
    held = [];
    if (text !== "") onLines(text, pasted);
  };
  lines.on("line", (line) => {
    held.push(line);
    clearTimeout(timer);
    timer = setTimeout(flush, quiet);
  });
  lines.on("close", () => {
    flush();
    onEnd();
  });
  const off = io.onInterrupt((signal) => (signal === "SIGTERM" ? onEnd() : onInterrupt()));
  return () => {
    off();
    clearTimeout(timer);
    lines.removeAllListeners("close").close();
  };
}
