import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../src/memory/notes/open-notes.fixture.ts";
import { calls, isMissing, makeWorld, onDatabase, sent } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { openTerminal } from "../open-terminal.ts";

const columns = 80;

test("words for the turn that runs reach its next model call, also over a kill of the daemon", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const world = await makeWorld(t, [
    { ...calls(["list-files", { path: "." }]), after: gates[0].promise },
    { text: "never read", after: gates[1].promise },
    { text: "Both are watered.", repeat: true },
  ]);
  const first = await startDaemon(t, world);
  await using terminal = await openTerminal(world, ["tui"], { columns });
  await terminal.shows(/^ › *$/m);
  terminal.type("water the roses");
  terminal.press("Enter");
  await terminal.shows(/Esc stops/);
  terminal.type("and the ferns");
  terminal.press("C-s");
  await terminal.shows(/for this turn: and the ferns/);
  gates[0].resolve();
  await world.provider.reached(2);
  const [before, after] = [sent(world, 0), sent(world, 1)];
  assert.doesNotMatch(before, /ferns/);
  assert.match(after, /water the roses[\s\S]*list-files[\s\S]*and the ferns/);
  await terminal.shows(/› water the roses[\s\S]*List[\s\S]*› and the ferns/);
  terminal.type("and the moss");
  terminal.press("C-s");
  await terminal.shows(/for this turn: and the moss/);
  await until(async () => onDatabase(world, "SELECT id FROM turns").length === 3);
  first.signal("SIGKILL");
  gates[1].resolve();
  await terminal.shows(/Both are watered\./);
  // A terminal that connects again in the moment of the answer shows the words below it.
  await terminal.shows(/› and the moss/);
  assert.match(sent(world, 2), /and the ferns[\s\S]*and the moss/);
  const turns = onDatabase(world, "SELECT state, count(*) AS count FROM turns GROUP BY state");
  assert.deepEqual(
    turns.map(({ state, count }) => [state, count]),
    [["answered", 3]],
  );
});

for (const how of [["tui"], []]) {
  test(`words that are pasted reach the model of a daemon whole: ${how[0] ?? "the line editor"}`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    const world = await makeWorld(t, [{ text: "Heard you.", repeat: true }]);
    await startDaemon(t, world);
    await using terminal = await openTerminal(world, how, { columns });
    await terminal.shows(/^( ›|>) *$/m);
    terminal.type("look at ");
    terminal.paste("first\nsecond\nthird");
    await terminal.shows(/look at (first|\[)/);
    terminal.press("Enter");
    await terminal.shows(/Heard you\./);
    assert.match(sent(world, 0), /look at first\\nsecond\\nthird/);
  });
}

test("the prompt completes a note by its title, is edited in the owner's editor, and runs their command", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [{ text: "Looked at.", repeat: true }], {
    EDITOR: "sed -i s/roses/ferns/",
    MEMEX_DIR: "notes",
  });
  mkdirSync(join(world.home, "notes"));
  writeFileSync(join(world.home, "notes/garden.org"), "* Water the roses\nOn Friday.\n");
  await using terminal = await openTerminal(world, ["tui"], { columns });
  await terminal.shows(/ ok *$/m);
  terminal.type("see @Water");
  await terminal.shows(/Water the roses +garden\.org/);
  terminal.press("Tab");
  await terminal.shows(/see \[\[file:garden\.org::\*Water the roses\]\[Water the roses\]\]/);
  terminal.press("C-x");
  terminal.press("C-e");
  await terminal.shows(/::\*Water the ferns\]/);
  terminal.press("C-c");
  terminal.type("!echo '# mine'");
  terminal.press("Enter");
  await terminal.shows(/● (?:Run|Shell)?.*echo '# mine'[\s\S]*^ # mine$/m);
});
