import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { drawScreen, textOfDrawing } from "../../scripts/draw-screen.ts";
import { plainRows, styledRows } from "../../src/tui/golden.fixture.ts";
import { isMissing } from "../agent-world.ts";
import { openStudio, type RecordedLook, type RecordedScreen } from "./recorded-session.ts";
import { normalise, showScreen } from "./shown-screen.ts";

const sizes = [
  [80, 24],
  [40, 10],
  [200, 50],
] as const;
const isWhole = process.env["SCREENS"] === "all";
/** Each size once; all sizes in both lights take a minute more. */
const looks: readonly RecordedLook[] = sizes.flatMap(([columns, rows], index) =>
  (["dark", "light"] as const)
    .filter((_, light) => isWhole || light === index % 2)
    .map((background) => ({ columns, rows, background })),
);

test("a session recorded on a real terminal looks as a person found right, at every size", async (t) => {
  if (isMissing(t, "tmux", "tmux") || isMissing(t, "bwrap", "bubblewrap")) return;
  const studio = await openStudio(t);
  for (const look of looks) checkRecording(t, look, await asText(look, await studio.record(look)));
});

/** The text of a recording is the same in both lights; of the colours each has its own. */
function checkRecording(
  t: TestContext,
  { columns, rows, background }: RecordedLook,
  { plain, styled }: { readonly plain: string; readonly styled: string },
): void {
  for (const [name, text] of [
    [`${columns}x${rows}.txt`, plain],
    [`${columns}x${rows}-${background}.txt`, styled],
  ] as const)
    t.assert.fileSnapshot(text, join(import.meta.dirname, "recordings", name), {
      serializers: [(value: string) => value],
    });
}

async function asText(look: RecordedLook, screens: readonly RecordedScreen[]) {
  const plain: string[] = [];
  const styled: string[] = [];
  for (const { name, screen } of screens) {
    const terminal = await showScreen(look, screen);
    const title = `=== ${name} ${"=".repeat(Math.max(0, look.columns - name.length - 5))}`;
    // The pictures of the README show what the terminal shows.
    const rows = plainRows(terminal);
    assert.deepEqual(textOfDrawing(drawScreen(terminal, look.background), look.rows), rows);
    plain.push(title, ...rows);
    styled.push(title, ...styledRows(terminal));
  }
  const same = (lines: readonly string[]): string => {
    const text = normalise(`${lines.join("\n")}\n`);
    return look.columns === 40 ? text.replaceAll(hintBesideTime, "") : text;
  };
  return { plain: same(plain), styled: same(styled) };
}

/** On a narrow screen the length of a time decides whether the hint beside it has room. */
const hintBesideTime = / +(?:<dim>)?Ctrl\+G: show them(?:<\/>)?$/gm;
