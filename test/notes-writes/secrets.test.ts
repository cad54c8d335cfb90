import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { calls, filesWith, makeWorld, talkTo } from "../agent-world.ts";

const decrypted = "* Bank :crypt:\nheliotrope-4711\n";
const armoured = "* Bank\n-----BEGIN PGP MESSAGE-----\n\nheliotrope-4711\n-----END PGP MESSAGE-----\n";

test("an edit beside an encrypted entry can be undone, and nothing stored for the undo holds the entry", async (t) => {
  for (const secret of [decrypted, armoured]) {
    const world = await makeWorld(t, []);
    const plan = join(world.home, "notes", "plan.org");
    mkdirSync(dirname(plan));
    const before = `* TODO buy milk\n${secret}`;
    writeFileSync(plan, before);
    world.provider.add(calls(["edit-file", { path: plan, old: "milk", new: "bread" }]), { text: "Done." });
    await using daemon = await world.open({ MEMEX_DIR: dirname(plan) });
    const talk = await talkTo(daemon);
    assert.equal((await talk.say("bread")).end, "answered");
    assert.equal(readFileSync(plan, "utf8"), before.replace("milk", "bread"));
    assert.deepEqual(filesWith(world.state, "heliotrope-4711"), []);
    await talk.say("/undo");
    assert.equal(readFileSync(plan, "utf8"), before);
    assert.deepEqual(filesWith(world.state, "heliotrope-4711"), []);
  }
});
