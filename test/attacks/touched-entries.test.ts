import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";

const note =
  "* Shopping\nMilk\n* Doctor :@personal:\nThe knee hurts.\n** Pills\nTwice a day.\n* Shed\nPaint.\n";

/** What the model is told of an edit: whether it is shown, and whether all was done. */
async function told(t: Parameters<typeof makeWorld>[0], ...operations: readonly object[]): Promise<string> {
  const world = await makeWorld(t, [calls(["edit-notes", { file: "d.org", operations }]), { text: "Done." }]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "d.org"), note);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("do it");
  assert.doesNotMatch(sent(world, 1), /knee hurts|Twice a day/);
  return (
    /\d of \d operations done|withheld: private/.exec(sent(world, 1))?.[0] ??
    readFileSync(join(memex, "d.org"), "utf8")
  );
}

test("the result of an edit is as private as the entries that it touches, and not as the file", async (t) => {
  const todo = (at: string) => ({ op: "todo", at, state: "TODO" });
  assert.equal(await told(t, todo("Shopping")), "1 of 1 operations done");
  assert.equal(await told(t, todo("Shopping"), todo("Shed")), "2 of 2 operations done");
  assert.equal(await told(t, todo("Doctor")), "withheld: private");
  assert.equal(await told(t, todo("Pills")), "withheld: private");
  assert.equal(await told(t, { op: "refile", at: "Shed", to: "Doctor" }), "withheld: private");
  assert.equal(await told(t, { op: "move", at: "Doctor", to: "up" }), "withheld: private");
  assert.equal(
    await told(t, todo("Shed"), todo("Nothing")),
    "withheld: private",
    "a refusal may say what is there",
  );
});
