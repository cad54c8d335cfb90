import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
import { withoutSandbox } from "../mcp/mcp-world.ts";

/** Reads a file whose name no look at the command finds. */
const unnamed = `/usr/bin/python3 -c 'print(open("sec" + "ret.txt").read())'`;

test("a sub-task whose folder becomes a link reads nothing behind it, by a command that names no file either", {
  skip: withoutSandbox,
}, async (t) => {
  for (const folder of ["part", "part/inner"]) {
    const world = await makeWorld(t, [], { TRIALS: "true" });
    mkdirSync(world.path(folder), { recursive: true });
    const outside = join(world.home, "outside");
    mkdirSync(join(outside, "inner"), { recursive: true });
    for (const place of [outside, join(outside, "inner")])
      writeFileSync(join(place, "secret.txt"), "OUTSIDE-CANARY\n");
    const moved = Promise.withResolvers<void>();
    world.provider.add(
      {
        ...calls(["delegate", { tasks: [{ task: "PART-A", tools: ["shell"], folder }] }]),
        when: "OWNERS-JOB",
      },
      { ...calls(["shell", { cmd: unnamed }]), when: "PART-A", after: moved.promise },
      { text: "A ends", when: "PART-A" },
      { text: "Done.", when: "OWNERS-JOB" },
    );
    await using agent = await world.open();
    const saying = (await talkTo(agent)).say("delegate OWNERS-JOB");
    await world.provider.reached(2);
    rmSync(world.path("part"), { recursive: true });
    symlinkSync(outside, world.path("part"));
    moved.resolve();
    assert.equal((await saying).end, "answered");
    const asked = world.provider.requests.map(({ body }) => body).join("\n");
    assert.match(asked, /no longer the folder that this sub-task was given/, folder);
    assert.doesNotMatch(asked, /OUTSIDE-CANARY/, folder);
  }
});
