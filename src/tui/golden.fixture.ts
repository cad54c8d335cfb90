import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Terminal } from "@xterm/headless";
import type { JsonObject } from "../text/json.ts";
import { type HeadlessTerminal, looked, type openApp, painted } from "./screen.fixture.ts";

const trace: JsonObject[] = [
  { gate: "paths", result: "passed", reason: "inside the workspace", effects: [0] },
  { gate: "explanation", result: "passed", reason: "the action says why", effects: [0] },
];
const diff = "@@ -1,3 +1,3 @@\n Plan\n-Water the roses on Friday.\n+Water the roses on Saturday.\n End";
const path = "/home/ada/garden/plan.txt";
const answer = [
  "Done: the roses are on **Saturday** now. Also due this week:\n",
  "- Tue 24  Call *Hansen* about the `boiler`\n- Thu 26  Library books back\n",
  "| day | what |\n|---|---|\n| Tue | 온수기 🔥 |\n| Thu | ספרים |\n",
  '```ts\nconst due = ["boiler", "books"]; // this week\n```\n',
].join("\n");

/** A conversation on a terminal without a screen. */
export type World = ReturnType<typeof openApp>;

/** A morning's work: a turn with a read, an edit and a failed command, and an answer with what Markdown has. */
export async function work({ app, turn, terminal }: World): Promise<void> {
  await looked(app);
  app.conversation.addWords("w", "the roses: move watering to Saturday and tell me what else is due");
  const t1 = turn("t1");
  t1.thinking();
  const call = (id: string, tool: string, args: JsonObject): void =>
    t1.proposed(id, { target: "tool", payload: { tool, args }, explanation: "to see" });
  call("k1", "read-file", { path: "plan.txt" });
  t1.judged("k1", { effects: [{ kind: "read-path", target: path, reversal: "undoable" }], gates: 22 }, trace);
  t1.send(
    outcome("k1", "read-file", { result: "Plan\nWater the roses on Friday.\nEnd\n", "duration-ms": 12 }),
  );
  call("k2", "edit-file", { path: "plan.txt", old: "Friday", new: "Saturday" });
  const write = { kind: "write-path", change: "replace", target: path, reversal: "undoable" };
  t1.judged("k2", { effects: [write], gates: 22, "duration-us": 300 }, trace);
  const changes = [{ path, change: "replace", added: 1, removed: 1, diff, left: 0 }];
  t1.send(outcome("k2", "edit-file", { result: {}, "duration-ms": 31, changes }));
  call("k3", "shell", { cmd: "make test" });
  t1.judged("k3", { gates: 22 });
  const result = { stdout: "1 passed\n", stderr: "roses.test: expected Friday\n", exitCode: 2 };
  t1.send(outcome("k3", "shell", { result, "duration-ms": 4_100 }));
  t1.answered(answer);
  await painted(terminal);
}

function outcome(call: string, tool: string, more: JsonObject): JsonObject {
  return { type: "event", payload: { sensor: "tool-output", "call-id": call, tool, ...more } };
}

/** A question about a command of several lines that was tried. */
export async function ask({ turn, terminal, time }: World): Promise<void> {
  const cmd = "for f in *.txt; do\n  sed -i 's/Friday/Saturday/' \"$f\"\ndone";
  turn("t2").asks({
    token: "token",
    workspace: "/home/ada/garden",
    action: {
      target: "tool",
      payload: { tool: "shell", args: { cmd } },
      explanation: "change the day in every text file",
    },
    effects: [{ kind: "run-program", target: "sed", argv: ["sed"], confined: true, reversal: "undoable" }],
    changes: [{ path, change: "replace", added: 1, removed: 1, diff, left: 0 }],
    text: "it changes more files than you named (you named 1)",
    rule: "sed -i on text files in ~/garden",
    "expires-at-ms": time.now + 25 * 3_600_000,
  });
  await painted(terminal);
  // Nobody has typed for a second: it has the keyboard.
  time.now += 1_000;
  await painted(terminal);
}

const colours: Readonly<Record<number, string>> = {
  1: "red",
  2: "green",
  3: "yellow",
  4: "blue",
  5: "magenta",
  6: "cyan",
};

/** The screen with its colours as words: `<cyan bold>text</>`. */
export const styledScreen = (terminal: HeadlessTerminal): string =>
  `${styledRows(terminal.xterm).join("\n")}\n`;

/** The rows of a terminal with their colours as words. */
export function styledRows(xterm: Terminal): readonly string[] {
  return Array.from({ length: xterm.rows }, (_, row) => {
    const line = xterm.buffer.active.getLine(row);
    let shown = "";
    let style = "";
    for (let column = 0; column < xterm.cols; column += 1) {
      const cell = line?.getCell(column);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const words = [
        cell.isFgPalette() ? (colours[cell.getFgColor()] ?? `colour ${cell.getFgColor()}`) : "",
        cell.isBold() !== 0 ? "bold" : "",
        cell.isDim() !== 0 ? "dim" : "",
        cell.isItalic() !== 0 ? "italic" : "",
        cell.isInverse() !== 0 ? "inverse" : "",
      ].filter((word) => word !== "");
      const next = words.join(" ");
      if (next !== style) shown += `${style === "" ? "" : "</>"}${next === "" ? "" : `<${next}>`}`;
      style = next;
      shown += cell.getChars() || " ";
    }
    return `${shown}${style === "" ? "" : "</>"}`.trimEnd();
  });
}

/** The rows of a terminal as text. */
export function plainRows({ buffer, rows }: Terminal): readonly string[] {
  return Array.from({ length: rows }, (_, row) =>
    (buffer.active.getLine(row)?.translateToString(true) ?? "").trimEnd(),
  );
}

/** The screen as text. */
export const plainScreen = (terminal: HeadlessTerminal): string => `${terminal.screen().join("\n")}\n`;

/** Compares a screen with the one that a person found right. */
export function checkGolden(t: TestContext, name: string, screen: string): void {
  t.assert.fileSnapshot(screen, join(import.meta.dirname, "goldens", `${name}.txt`), {
    serializers: [(value: string) => value],
  });
}

/** The frames show local times: those of this test are UTC. */
export function useUtc(t: Pick<TestContext, "after">): void {
  const zone = process.env["TZ"];
  process.env["TZ"] = "UTC";
  t.after(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
}
