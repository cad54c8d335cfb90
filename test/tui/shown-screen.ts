import xterm from "@xterm/headless";
import type { RecordedLook } from "./recorded-session.ts";

/** A screen as a terminal holds it, from the escape sequences that it was recorded with. */
export async function showScreen({ columns, rows }: RecordedLook, screen: string): Promise<xterm.Terminal> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const lines = screen.replace(/\n$/, "").split("\n");
  await new Promise<void>((resolve) => terminal.write(`\u001b[?7l${lines.join("\r\n")}`, resolve));
  return terminal;
}

const duration = /(?:<1|\b\d+(?:\.\d+)?) m?s\b/g;
const clock = /\b\d\d:\d\d\b/g;
const tokens = /\b\d+(?:\.\d+)?k?(?= tokens| of \d)/g;

/** What differs between two recordings of one session is the same: durations, times of the day, tokens, money, and how many gates there are. No column moves by it. */
export function normalise(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const same = line
        .replaceAll(/\bagent-world-\w{6}\b/g, "agent-world-XXXXXX")
        .replaceAll(duration, "0.1 s")
        .replaceAll(clock, "10:40")
        .replaceAll(tokens, "1.2k")
        .replaceAll(/\b\d+ gates\b/g, "22 gates")
        .replaceAll(/\$\d+\.\d+/g, "$0.01");
      return keepWidth(same, line.length);
    })
    .join("\n");
}

/** The line with as many characters as before: its longest gap is longer or shorter. What stands at the left alone has no gap. */
function keepWidth(line: string, length: number): string {
  const gaps = [...line.matchAll(/(?<=\S) {2,}|─{3,}/g)].toSorted(
    (one, other) => other[0].length - one[0].length,
  );
  const gap = gaps[0];
  if (gap === undefined || line.length === length) return line;
  const width = Math.max(1, gap[0].length + length - line.length);
  return line.slice(0, gap.index) + gap[0].charAt(0).repeat(width) + line.slice(gap.index + gap[0].length);
}
