import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { type HeadlessTerminal, openApp, painted } from "../screen.fixture.ts";

/** Longer than a decision waits for another key. */
const alone = 500;

const question = (more: JsonObject): JsonObject => ({
  token: "one",
  action: { target: "shell", payload: { cmd: "make" }, explanation: "to build it" },
  effects: [],
  text: "not proved harmless",
  "expires-at-ms": 9_000_000,
  workspace: "/home/ada/garden",
  ...more,
});

async function shown(terminal: HeadlessTerminal): Promise<string> {
  await painted(terminal);
  return terminal.screen().join("\n");
}

test("an offer of the list is taken by its id; one whose effect is not known is not shown", async (t) => {
  const world = openApp(t, { rows: 40 });
  const { terminal, client, turn, time } = world;
  const value = { id: "value", effect: "endorse", words: ["yes, and “Bob” counts as yours"] };
  const later = { id: "later", effect: "postpone", words: ["yes, but later"] };
  turn("t1").asks(question({ offers: [later, value] }));
  assert.match(await shown(world.terminal), /a 1 {2}yes, and “Bob” counts as yours/);
  time.now += 1_000;
  for (const key of ["a", "1"]) {
    terminal.type(key);
    time.now += alone;
  }
  assert.deepEqual(client.sent.at(-1)?.["payload"], { action: "approve", token: "one", offer: "value" });
});

test("each part of a rule stands on a row of its own, with short paths", async (t) => {
  const world = openApp(t, { rows: 40 });
  const words = [
    "yes, and always in /home/ada/garden:",
    "run `make  install` in the sandbox, without network, whatever the files there make of it",
    "read the contents of /home/ada/garden/src and below",
    "write /home/ada/garden/out, if it can be undone",
  ];
  world.turn("t1").asks(question({ offers: [{ id: "rule", effect: "keep-rule", words }] }));
  assert.match(
    await shown(world.terminal),
    /│ a 1 {2}yes, and always in ~\/garden: +│\n│ {6}- run `make {2}install` in [^\n]+\n│ {8}files there make of it +│\n│ {6}- read the contents of ~\/garden\/src and below +│\n│ {6}- write ~\/garden\/out, if it can be undone +│\n/,
  );
});
