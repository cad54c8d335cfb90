import type { IBufferLine, IMarker } from "@xterm/headless";
import type { TerminalSize } from "../../text/terminal-size.ts";

/** Rows that have left the screen and are kept until they were read. */
const scrollback = 2_000;

/** Rows above the cursor's that may say what is asked. */
const rowsAbove = 3;

/** What a person would see on the terminal of a program, as plain text: no escape sequence is left of what it printed. */
export type TerminalScreen = {
  /** Resolves once the bytes are on the screen. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** What came since the last `markRead`; of a program that takes the whole screen, the screen. */
  readonly unread: () => string;
  readonly markRead: () => void;
  /** The row where the cursor stands; with the rows above it where that one has no words. */
  readonly cursorRow: () => string;
  readonly resize: (size: TerminalSize) => void;
};

/** Opens a screen. `reply` is told what the terminal answers, such as where its cursor is. */
export async function openTerminalScreen(
  { rows, columns }: TerminalSize,
  reply: (text: string) => void,
): Promise<TerminalScreen> {
  const { default: xterm } = await import("@xterm/headless");
  const terminal = new xterm.Terminal({ rows, cols: columns, scrollback, allowProposedApi: true });
  terminal.onData(reply);
  let read: IMarker | undefined;
  const rowsUnread = (): readonly string[] => {
    const { active } = terminal.buffer;
    const cursor = active.baseY + active.cursorY;
    const first = active.type === "alternate" ? active.baseY : Math.max(0, read?.line ?? 0);
    const lines = Array.from({ length: active.length - first }, (_, at) => active.getLine(first + at));
    return joinWrapped(lines, { row: cursor - first, column: active.cursorX });
  };
  const cursorRow = (): string => {
    const { active } = terminal.buffer;
    const cursor = active.baseY + active.cursorY;
    const first = Math.max(0, cursor - rowsAbove);
    const above = Array.from({ length: cursor - first + 1 }, (_, at) => active.getLine(first + at));
    const rows = joinWrapped(above, { row: cursor - first, column: active.cursorX });
    const own = rows.at(-1) ?? "";
    const isBare =
      active.type === "alternate" ? /^[\s_]*\p{So}[\s_\p{So}]*$/u.test(own) : !/[\p{L}\p{N}>$#:]/u.test(own);
    return isBare ? rows.join("\n") : own;
  };
  return {
    cursorRow,
    resize: (size) => terminal.resize(size.columns, size.rows),
    write: (bytes) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      terminal.write(bytes, resolve);
      return promise;
    },
    unread: () => rowsUnread().join("\n").replace(/\n+$/, ""),
    markRead() {
      read?.dispose();
      read = terminal.buffer.active.type === "alternate" ? undefined : terminal.registerMarker(0);
    },
  };
}

/** The text of rows: a row that goes on in the next one is joined with it. Blanks at the end of a row count as far as the cursor is. */
function joinWrapped(
  lines: readonly (IBufferLine | undefined)[],
  cursor: { readonly row: number; readonly column: number },
): readonly string[] {
  const texts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const goesOn = lines[at + 1]?.isWrapped === true;
    const shown = line?.translateToString(!goesOn) ?? "";
    const text = at === cursor.row && !goesOn ? shown.padEnd(cursor.column) : shown;
    if (line?.isWrapped === true && texts.length > 0) texts.push(`${texts.pop() ?? ""}${text}`);
    else texts.push(text);
  }
  return texts;
}
