import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";
import { normalise } from "./shown-screen.ts";

/** Longer than the moment in which a question takes no answer. */
const guard = 400;

test("for a screen reader, an approved and undone edit is lines of text alone: not one escape sequence is sent", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "../roses.txt", old: "Friday", new: "Saturday" }]),
    {
      text: "Done: the roses are on **Saturday** now.\n\n| day | what |\n|---|---|\n| Tue | boiler |\n\n- one\n",
    },
  ]);
  const roses = join(world.home, "roses.txt");
  const before = "Plan\nWater the roses on Friday.\nEnd\n";
  writeFileSync(roses, before);
  await using terminal = await openTerminal(world, ["tui", "--screen-reader"], { settings: { TZ: "UTC" } });
  const say = async (text: string, answer: RegExp): Promise<void> => {
    terminal.type(text);
    terminal.press("Enter");
    await terminal.shows(answer);
  };
  await terminal.shows(/^Folder: /m);
  await say("move the roses to Saturday", /^Answer 1 for yes/m);
  await pause(guard);
  await say("1", /^End of answer\./m);
  assert.match(readFileSync(roses, "utf8"), /Saturday/);
  await say("/undo", /as it was before\./);
  assert.equal(readFileSync(roses, "utf8"), before);
  await say("/exit", /left with 0/);
  const raw = Buffer.from(terminal.rawBytes(), "latin1").toString("utf8");
  assert.deepEqual(raw.match(/(?!\r?\n)\p{Cc}/gu) ?? [], [], "only ends of lines steer the terminal");
  t.assert.fileSnapshot(
    normalise(raw.replaceAll("\r\n", "\n")),
    join(import.meta.dirname, "recordings", "screen-reader.txt"),
    { serializers: [(value: string) => value] },
  );
});
