import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, isMissing, makeWorld } from "../agent-world.ts";

test("a yes to what differs at each trial is void without a daemon, which is said with what helps, and counts where the trial is kept", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const steps = [calls(["shell", { cmd: "sh make.sh" }]), { text: "Done." }];
  const world = await makeWorld(t, steps, { TRIALS: "true" });
  writeFileSync(world.path("make.sh"), "date +%N > Makefile\n");
  const tokenIn = (text: string): string => /approve (\S+)/.exec(text)?.[1] ?? "";
  const asked = await world.command(["ask", "make it"]);
  assert.equal(asked.code, 4, asked.err);
  const again = await world.command(["approve", tokenIn(asked.err)]);
  assert.match(again.out + again.err, /not what you said yes to.*start passepartout daemon/s);
  await using daemon = await world.open();
  const tokens = [tokenIn(again.out + again.err)];
  daemon.subscribe((event) => {
    if (event.type === "approval-required") tokens.push(event.token);
  });
  for (const [index, isMade] of [false, true].entries()) {
    const token = tokens[index] ?? "";
    const waiting = await daemon.findQuestion(token);
    assert.ok(waiting !== null);
    await daemon.runCommand({ kind: "approve", token }, waiting.session);
    await daemon.whenSettled(waiting.turn);
    assert.equal(existsSync(world.path("Makefile")), isMade);
  }
});
