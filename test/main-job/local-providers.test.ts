import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld, sent, talkTo } from "../agent-world.ts";

test("doctor, context and gate agree on whether a server at an address of this machine gets private text", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted.", repeat: true }]);
  mkdirSync(join(world.home, "memex"));
  const note = "* Locker at the station :@personal:\nThe locker at the station opens with wren and heron.\n";
  writeFileSync(join(world.home, "memex", "locker.org"), note);
  const asked = ["context", "--prompt", "which locker at the station?"];
  for (const [settings, isLocal] of [
    [{}, false],
    [{ LOOP_LOCAL: "false" }, false],
    [{ LOOP_LOCAL: "true" }, true],
  ] as const) {
    const doctor = await world.command(["doctor"], { settings });
    assert.match(
      doctor.out,
      isLocal ? /loop: default, on this machine\./ : /private text is withheld from it/,
    );
    const context = await world.command(asked, { settings });
    assert.match(
      context.err,
      isLocal ? /with private notes: it is local/ : /without private text: it is not/,
    );
    assert.equal(context.out.includes("wren and heron"), isLocal);
    await using agent = await world.open(settings);
    const before = world.provider.requests.length;
    assert.equal((await (await talkTo(agent)).say("which locker at the station?")).end, "answered");
    assert.equal(sent(world, before).includes("wren and heron"), isLocal);
  }
});
