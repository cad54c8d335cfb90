import { createInterface } from "node:readline";
import type { LineSource } from "../../tui/tui.ts";
import type { Io } from "./io.ts";

/** Nobody types two lines so soon one after the other. Milliseconds. */
const quiet = 40;

/** Reads lines as the terminal gives them: it edits them itself, and nothing is written to it. Lines that come together were pasted. */
export function readLines(io: Io): LineSource {
  return ({ onLines, onInterrupt, onEnd }) => {
    const lines = createInterface({ input: io.input, terminal: false });
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
      io.input.pause();
    };
  };
}
