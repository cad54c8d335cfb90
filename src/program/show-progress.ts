import type { Io } from "../kernel/io.ts";

/** Shows how far a long work is. */
export type Progress = {
  /** `all` is null where nobody knows how much there is. */
  readonly update: (what: string, done: number, all: number | null) => void;
  /** Takes it from the screen. */
  readonly end: () => void;
};

/** Milliseconds that a work may take unseen, and between two changes of what is shown. */
const unseen = 1000;
const between = 100;

/**
 * A line on the terminal, and the terminal's own progress bar (OSC 9;4), once a work takes longer than a second. Nothing where output goes into a pipe or
 * a file, and no line that is drawn anew where a screen reader reads.
 */
export function showProgress(io: Io, clock: () => number = Date.now): Progress {
  const isQuiet =
    !io.outIsTerminal || io.environment["TERM"] === "dumb" || (io.environment["ACCESSIBLE"] ?? "") !== "";
  const begun = clock();
  let shown = 0;
  return {
    update(what, done, all) {
      const now = clock();
      if (isQuiet || now - begun < unseen || now - shown < between) return;
      shown = now;
      const percent = all === null || all === 0 ? null : Math.min(100, Math.floor((100 * done) / all));
      const [bar, words] = percent === null ? ["3", String(done)] : [`1;${percent}`, `${percent} %`];
      io.output.write(`\x1b]9;4;${bar}\x07\r\x1b[K${what}: ${words}`);
    },
    end() {
      if (shown > 0) io.output.write("\x1b]9;4;0\x07\r\x1b[K");
      shown = 0;
    },
  };
}
