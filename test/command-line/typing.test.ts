import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { openTerminal } from "../open-terminal.ts";

const touches = (name: string): Step => calls(["shell", { cmd: `touch ${name}` }]);
const made = (world: AgentWorld, ...names: readonly string[]): readonly boolean[] =>
  names.map((name) => existsSync(world.path(name)));

test("of two questions that wait at once none is answered without its number", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    touches("one"),
    touches("two"),
    { text: "The second is left." },
    { text: "The first is made." },
  ]);
  await using terminal = await openTerminal(world, [], { columns: 120 });
  const enter = (text: string): void => {
    terminal.type(text);
    terminal.press("Enter");
  };
  await terminal.shows(/^> $/m);
  enter("make one");
  await terminal.shows(/run touch one, [\s\S]*No: {2}n /);
  enter("make two");
  await terminal.shows(/run touch two, [\s\S]*No: {2}n /);
  for (const bare of ["/approve", "/deny because it is late", "y", "n"]) {
    enter(bare);
    const [typed = "", ...reason] = bare.split(" ");
    const verb = { y: "/approve", n: "/deny" }[typed] ?? typed;
    const list = `> ${bare}\\n2 questions wait\\.\\n {2}1 {2}a question of this session, [\\s\\S]*touch one[\\s\\S]*\\n {2}2 {2}[\\s\\S]*touch two[\\s\\S]*`;
    await terminal.shows(
      new RegExp(`${list}\\nAnswer one by its number: ${[verb, "1", ...reason].join(" ")}\\n> $`, "m"),
    );
  }
  assert.deepEqual(made(world, "one", "two"), [false, false]);
  enter("/approve 3");
  await terminal.shows(/No question has the number 3/);
  enter("/deny 2 because one is enough");
  await terminal.shows(/The second is left\./);
  assert.match(world.provider.requests[2]?.body ?? "", /No, because one is enough/);
  enter("y");
  await terminal.shows(/The first is made\./);
  assert.deepEqual(made(world, "one", "two"), [true, false]);
});

for (const typed of ["/approve", "/deny because I typed this before"]) {
  test(`a question that came after typing began is not answered by what was typed: ${typed.split(" ")[0]}`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    const asked = Promise.withResolvers<void>();
    const world = await makeWorld(t, [{ ...touches("one"), after: asked.promise }, { text: "So be it." }]);
    await using terminal = await openTerminal(world, [], { columns: 120 });
    await terminal.shows(/^> $/m);
    terminal.type("make one");
    terminal.press("Enter");
    await world.provider.reached(1);
    terminal.type(typed);
    await terminal.shows(new RegExp(`^> ${typed}$`, "m"));
    asked.resolve();
    const shown = await terminal.shows(/May I\? [\s\S]*> \S+/);
    assert.match(shown, new RegExp(`No: {2}n [^\\n]*\\n\\n> ${typed}$`, "m"));
    assert.equal(shown.split(`> ${typed}`).length, 2, "what was typed is on the screen once");
    terminal.press("Enter");
    await terminal.shows(
      /This question came while you typed, so nothing was answered\. Read it, then answer again: \/\w+\n/,
    );
    assert.deepEqual([made(world, "one"), world.provider.requests.length], [[false], 1]);
    terminal.type(typed);
    terminal.press("Enter");
    await terminal.shows(/So be it\./);
    assert.deepEqual(made(world, "one"), [typed === "/approve"]);
  });
}

test("a line that is longer than the terminal is kept as it is typed, and its cursor, while output comes above it", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const asked = Promise.withResolvers<void>();
  const world = await makeWorld(t, [{ ...touches("one"), after: asked.promise }, { text: "Heard you." }]);
  await using terminal = await openTerminal(world, [], { columns: 60 });
  await terminal.shows(/^> $/m);
  terminal.type("make one");
  terminal.press("Enter");
  await world.provider.reached(1);
  const words = "here is what I wanted to say about the roses and about the beans and the peas, all of it";
  terminal.type(words);
  await terminal.shows(/all of it$/m);
  for (const _ of "all of it") terminal.press("Left");
  asked.resolve();
  const shown = await terminal.shows(/May I\? [\s\S]*all of it$/m);
  assert.match(shown, new RegExp(`\\n\\n> ${words}\\n*$`));
  assert.equal(shown.split("here is what").length, 2, shown);
  terminal.type("nearly ");
  terminal.press("Enter");
  await terminal.shows(/Heard you\./);
  assert.match(world.provider.requests[1]?.body ?? "", /the peas, nearly all of it/);
});

test("a paste in a line that is being typed outlives the output above it", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const said = Promise.withResolvers<void>();
  const world = await makeWorld(t, [{ text: "One.\nTwo.", after: said.promise }, { text: "Heard you." }]);
  await using terminal = await openTerminal(world, [], { columns: 120 });
  await terminal.shows(/^> $/m);
  terminal.type("hello");
  terminal.press("Enter");
  await world.provider.reached(1);
  terminal.type("look at ");
  terminal.paste("first\nsecond\nthird\nfourth\nfifth\n");
  await terminal.shows(/> look at \[pasted 1: 5 lines, \d+ characters\]$/m);
  terminal.type(" please");
  said.resolve();
  await terminal.shows(/│ Two\.\n> look at \[pasted 1: 5 lines, \d+ characters\] please$/m);
  terminal.press("Enter");
  await terminal.shows(/Heard you\./);
  assert.match(
    world.provider.requests[1]?.body ?? "",
    /look at first\\nsecond\\nthird\\nfourth\\nfifth\\n please/,
  );
});
