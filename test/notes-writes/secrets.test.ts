import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { calls, filesWith, makeWorld, talkTo } from "../agent-world.ts";

const secrets: readonly (readonly [what: string, text: string])[] = [
  ["a decrypted entry", "* Bank :crypt:\nheliotrope-4711\n"],
  [
    "an armoured entry",
    "* Bank\n-----BEGIN PGP MESSAGE-----\n\nheliotrope-4711\n-----END PGP MESSAGE-----\n",
  ],
];

for (const [what, text] of secrets) {
  test(`an edit beside ${what} can be undone, and nothing that is kept of it holds the secret`, async (t) => {
    const world = await makeWorld(t, []);
    const plan = join(world.home, "notes", "plan.org");
    mkdirSync(dirname(plan));
    const before = `* TODO buy milk\n${text}`;
    writeFileSync(plan, before);
    world.provider.add(calls(["edit-file", { path: plan, old: "milk", new: "bread" }]), { text: "Done." });
    await using daemon = await world.open({ MEMEX_DIR: dirname(plan) });
    const talk = await talkTo(daemon);
    assert.equal((await talk.say("bread")).end, "answered");
    assert.equal(readFileSync(plan, "utf8"), before.replace("milk", "bread"));
    await talk.say("/undo");
    assert.equal(readFileSync(plan, "utf8"), before);
    assert.deepEqual(filesWith(world.state, "heliotrope-4711"), []);
  });
}
