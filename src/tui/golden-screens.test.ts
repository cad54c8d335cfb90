import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, checkGolden, plainScreen, styledScreen, useUtc, work } from "./golden.fixture.ts";
import type { ColourDepth } from "./screen/theme.ts";
import { openApp, painted } from "./screen.fixture.ts";

const escapeSign = "\u001b";
const anyColour = new RegExp(`${escapeSign}\\[(?:\\d+;)*(?:3[0-8]|9[0-7]|4[0-8])(?:;\\d+)*m`);

type Look = {
  readonly columns: number;
  readonly rows: number;
  readonly depth: ColourDepth;
  readonly background: "dark" | "light";
};

const looks: Readonly<Record<string, Look>> = {
  "40 columns": { columns: 40, rows: 40, depth: "none", background: "dark" },
  "80 columns": { columns: 80, rows: 40, depth: "none", background: "dark" },
  "80 columns dark": { columns: 80, rows: 40, depth: "16", background: "dark" },
  "80 columns light": { columns: 80, rows: 40, depth: "16", background: "light" },
  "200 columns": { columns: 200, rows: 40, depth: "none", background: "dark" },
  "40 columns 10 rows": { columns: 40, rows: 10, depth: "none", background: "dark" },
};

for (const [name, look] of Object.entries(looks)) {
  test(`a turn and a question look right: ${name}`, async (t) => {
    useUtc(t);
    const world = openApp(t, look);
    const { terminal, client } = world;
    client.tell({ kind: "ready", daemon: { version: "0.1.0", capabilities: [] } });
    await work(world);
    const show = look.depth === "none" ? plainScreen : styledScreen;
    const screens = [show(terminal)];
    await ask(world);
    screens.push(show(terminal));
    checkGolden(t, name.replaceAll(" ", "-"), screens.join(`${"=".repeat(look.columns)}\n`));
    if (look.depth === "none") {
      assert.doesNotMatch(terminal.written.join(""), anyColour);
    }
  });
}

test("after any resize the screen is what a terminal of that size shows from the start", async (t) => {
  const resized = openApp(t, { columns: 80, rows: 40, depth: "none" });
  await work(resized);
  for (const [columns, rows] of [
    [40, 10],
    [200, 60],
    [13, 5],
    [60, 30],
  ] as const) {
    resized.terminal.resize(columns, rows);
    await painted(resized.terminal);
  }
  const fresh = openApp(t, { columns: 60, rows: 30, depth: "none" });
  await work(fresh);
  assert.equal(plainScreen(resized.terminal), plainScreen(fresh.terminal));
});

test("the cursor stands at the prompt in every frame", async (t) => {
  const world = openApp(t, { columns: 60, rows: 20 });
  const { terminal } = world;
  await work(world);
  terminal.type(..."ab", "한");
  await painted(terminal);
  const { cursorX, cursorY } = terminal.xterm.buffer.active;
  const row = terminal.screen().findIndex((line) => line.startsWith(" › ab"));
  assert.deepEqual([cursorX, cursorY], [7, row]);
  assert.ok(terminal.written.at(-1)?.includes("\u001b[?25h"));
});
